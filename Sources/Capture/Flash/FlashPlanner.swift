/// How a photo with the flash is taken.
struct FlashStep: Hashable, Sendable {
  /// The changes of the driver's controls. The last one prepares the LED, so it is put back first.
  var changes: [CaptureSession.Setting]
  /// The button that fires it, and the one that ends its light, if there is one.
  var strobe: ControlID
  var stop: ControlID?
  /// What says what is wrong with it.
  var faults: ControlID?
  /// How long it lights at most, nanoseconds.
  var duration: Int64
}

/// Finds out how a camera's flash is fired. Pure.
struct FlashPlanner {
  /// How long a flash is assumed to light whose driver does not say it.
  private static let assumedDuration: Int64 = 500_000_000

  private let present: PresentControls

  init(_ present: PresentControls) {
    self.present = present
  }

  /// - Throws: `noSuchControl` if the camera has no flash that a photo could fire;
  ///   `controlNotWritable` or `invalidArgument` if it could not be put back.
  func plan(of device: String) throws(CaptureError) -> ShotPlan {
    let parts = try Self.parts(of: present.controls)
    var (changes, duration) = ([CaptureSession.Setting](), Self.assumedDuration)
    if let source = parts.source, !source.flags.contains(.readOnly) {
      changes.append(CaptureSession.Setting(source.id, to: .integer(0)))
    }
    if let timeout = parts.timeout {
      // V4L2_CID_FLASH_TIMEOUT is in microseconds.
      var limit = timeout.maximum
      if timeout.flags.contains(.readOnly) {
        if case .integer(let present)? = present.value(timeout.id) { limit = present }
      } else {
        changes.append(CaptureSession.Setting(timeout.id, to: .integer(limit)))
      }
      duration = limit.multipliedReportingOverflow(by: 1000).partialValue
    }
    changes.append(CaptureSession.Setting(parts.mode.id, to: .integer(1)))
    var before: [CaptureSession.Setting] = []
    for change in changes { before.append(try present.valueToPutBack(change)) }
    let step = FlashStep(
      changes: changes, strobe: parts.strobe.id, stop: parts.stop?.id, faults: parts.faults?.id,
      duration: duration)
    return ShotPlan(device: device, before: before, shots: .flash(step))
  }

  /// Whether these controls fire a flash.
  static func canFire(_ controls: [ControlDescription]) -> Bool {
    (try? parts(of: controls)) != nil
  }

  struct Parts {
    var mode, strobe: ControlDescription
    var stop, source, timeout, faults: ControlDescription?
  }

  /// The flash controls of V4L2 that the camera has
  /// ([flash controls](https://docs.kernel.org/userspace-api/media/v4l/ext-ctrls-flash.html)).
  /// - Throws: `noSuchControl` if they do not fire a flash.
  static func parts(of controls: [ControlDescription]) throws(CaptureError) -> Parts {
    let device = ControlMeanings(controls).device
    let source = device[.flashStrobeSource]
    // V4L2_FLASH_LED_MODE_FLASH, and V4L2_FLASH_STROBE_SOURCE_SOFTWARE.
    guard let mode = device[.flashLEDMode], mode.menu.contains(where: { $0.index == 1 }),
      let strobe = device[.flashStrobe], strobe.kind == .button,
      source?.menu.contains(where: { $0.index == 0 }) != false
    else { throw .hasNoFlash }
    return Parts(
      mode: mode, strobe: strobe, stop: device[.flashStrobeStop], source: source,
      timeout: device[.flashTimeout], faults: device[.flashFault])
  }
}

extension CaptureError {
  fileprivate static var hasNoFlash: CaptureError {
    CaptureError(
      .noSuchControl,
      "the camera has no flash that a photo can fire: leave the flash out, or name its LED in the node's "
        + "configuration, such as flash=/dev/v4l-subdev3 for a camera of v4l2",
      part: .flash)
  }
}

/// What a flash driver says is wrong: bits of `V4L2_CID_FLASH_FAULT`.
struct FlashFaults: OptionSet, Hashable, Sendable {
  let rawValue: Int64

  /// That the light ended by its own limit, which it may, and what is wrong with the LED that shows
  /// that a camera is in use.
  private static let harmless = FlashFaults(rawValue: 1 << 1 | 1 << 5)

  private static let names = [
    "over-voltage", "timeout", "over-temperature", "short circuit", "over-current", "indicator LED",
    "under-voltage", "input voltage too low", "LED over-temperature",
  ]

  /// The error; nil if the flash can light.
  var error: CaptureError? {
    let grave = subtracting(Self.harmless)
    guard !grave.isEmpty else { return nil }
    let words = (0..<Int64.bitWidth).filter { grave.rawValue >> $0 & 1 == 1 }.map { bit in
      bit < Self.names.count ? Self.names[bit] : "fault \(bit)"
    }
    return CaptureError(
      .deviceFailed,
      "the flash has a fault (\(words.joined(separator: ", "))): let it cool down, look at its LED and its supply, "
        + "or take the photo without it")
  }
}
