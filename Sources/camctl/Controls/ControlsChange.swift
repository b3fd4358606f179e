import CameraClient

/// Sets many controls of a camera, as far as it lets it, and keeps account of the rest.
struct ControlsChange {
  /// A control that was not set.
  struct Skipped: Encodable {
    var id: String
    /// The reason.
    var skipped: String
  }

  /// The most settings that the protocol allows in one request, which sets all of them or none.
  private static let limit = 64

  private(set) var controls: [Control] = []
  private(set) var skipped: [Skipped] = []
  private let camera: Camera

  init(_ camera: Camera) {
    self.camera = camera
  }

  /// Sets these controls.
  ///
  /// A control that is inactive now may become active by the others, as an exposure time does when
  /// the automatic exposure is switched off. So the rest is tried again for as long as that helps.
  /// - Parameter isLenient: Whether to go on without a control that the camera refuses.
  mutating func set(_ wanted: [SavedControls.Setting], isLenient: Bool) async throws {
    var left = wanted
    while !left.isEmpty {
      let known = try await camera.controls()
      var batch: [(id: String, value: ControlValue)] = []
      var (blocked, reasons): ([SavedControls.Setting], [Skipped]) = ([], [])
      for setting in left {
        let control = known.first { $0.id == setting.id }
        if let reason = Self.reason(against: setting, control) {
          reasons.append(Skipped(id: setting.id, skipped: reason))
          blocked.append(setting)
        } else if let control, let value = setting.value {
          batch.append((control.id, try SettingText.value(value, for: control)))
        }
      }
      if batch.isEmpty {
        skipped += reasons
        return
      }
      for start in stride(from: 0, to: batch.count, by: Self.limit) {
        try await apply(Array(batch[start...].prefix(Self.limit)), isLenient: isLenient)
      }
      left = blocked
    }
  }

  private mutating func apply(
    _ batch: [(id: String, value: ControlValue)], isLenient: Bool
  ) async throws {
    do throws(CameraBusError) {
      controls += try await camera.set(batch, findsEffect: false).controls
    } catch {
      guard Self.isRefusal(error) else { throw error }
      guard isLenient else {
        guard !controls.isEmpty else { throw error }
        var error = error
        error.message += "; \(controls.count) other controls were set before"
        throw error
      }
      guard batch.count > 1 else {
        skipped.append(Skipped(id: batch[0].id, skipped: error.message))
        return
      }
      for setting in batch { try await apply([setting], isLenient: true) }
    }
  }

  private static func isRefusal(_ error: CameraBusError) -> Bool {
    [.controlNotWritable, .invalidArgument, .noSuchControl, .deviceFailed].contains(error.code)
  }

  /// Why a control cannot be set at present.
  private static func reason(
    against setting: SavedControls.Setting, _ control: Control?
  ) -> String? {
    guard let control else { return "the camera has no such control" }
    return if control.kind == .button {
      "it is a button"
    } else if control.isReadOnly {
      "it is read-only"
    } else if control.isInactive {
      "it is inactive: an automatic of the camera sets it"
    } else if control.isGrabbed {
      "the camera does not let it be changed now"
    } else if setting.value == nil {
      "it has no value of its own to set"
    } else {
      nil
    }
  }

  /// Prints the values that took effect, and what was not set.
  /// - Parameter mustBeWhole: Whether a control that was not set is an error, because a person
  ///   asked for exactly this one. Otherwise it is a note.
  /// - Throws: If something that was asked for could not be set, or nothing at all.
  func report(_ options: BusOptions, mustBeWhole: Bool) throws {
    ControlTable.printValues(controls, options)
    for skipped in skipped {
      if options.json {
        JSONLine.print(skipped)
      } else if !mustBeWhole {
        options.note("\(skipped.id) was not set: \(skipped.skipped)", style: .warning)
      }
    }
    guard !skipped.isEmpty, mustBeWhole || controls.isEmpty else { return }
    throw CameraBusError(.controlNotWritable, skippedWords)
  }

  /// "gain was not set: it is inactive …"; with several, all of them and their reasons.
  private var skippedWords: String {
    if skipped.count == 1 { return "\(skipped[0].id) was not set: \(skipped[0].skipped)" }
    let reasons = skipped.map { "\($0.id) (\($0.skipped))" }.joined(separator: ", ")
    return "\(skipped.count) of \(skipped.count + controls.count) controls were not set: \(reasons)"
  }
}

extension Control {
  /// The value that the driver gives it by default; nil for a kind of control that has none.
  var defaultSetting: ControlValue? {
    switch kind {
    case .integer, .integer64, .bitmask, .menu, .integerMenu: .integer(defaultValue)
    case .boolean: .boolean(defaultValue != 0)
    case .number: range.map { .number($0.defaultValue) }
    case .point: .point(PointOfInterest(x: 0.5, y: 0.5))
    case .array:
      if case .array(let elements) = value {
        .array(elements.map { _ in defaultValue })
      } else {
        nil
      }
    default: nil
    }
  }
  /// Whether it may be an automatic's switch.
  var isChoice: Bool { [.boolean, .menu, .integerMenu].contains(kind) }
}
