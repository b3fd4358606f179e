package import Imaging

/// A change of a session's configuration. What it leaves out stays as it is.
package struct SessionConfiguration: Sendable {
  /// The device to take the place of the present one.
  package var input: SessionInput?
  /// Brings its preset, unless the change has a preset or a format of its own.
  package var mode: CaptureMode?
  package var preset: SessionPreset?
  /// Comes before the preset, as the size and the rates do.
  package var pixelFormat: PixelFormat?
  package var size: ImageSize?
  /// The frames a second that will do. The fastest of them that the camera has is taken; the node
  /// thins out the frames of a faster one.
  package var rates: ClosedRange<Double>?
  package var preview = OrientationChange()
  package var capture = OrientationChange()
  package var settings: [CaptureSession.Setting] = []
  /// By the names of the streams; 0 or true takes a setting away.
  package var streams: [String: StreamSettings] = [:]

  package init() {}

  /// Whether a movie may have to end for it.
  package var mayEndMovie: Bool {
    input != nil || choosesFormat || capture != OrientationChange()
  }

  /// Whether it is about the camera's format.
  var choosesFormat: Bool {
    mode != nil || preset != nil || pixelFormat != nil || size != nil || rates != nil
  }

  /// Whether it is about more than how pictures are turned and sent.
  var needsDevice: Bool {
    input != nil || choosesFormat || !settings.isEmpty
  }

  var effectivePreset: SessionPreset? {
    preset ?? (pixelFormat == nil && size == nil ? mode?.preset : nil)
  }

  /// The format to ask for.
  /// - Parameters:
  ///   - present: What the session asks for now.
  ///   - running: The format of the running stream, which may be more than the camera lists.
  ///   - formats: Those that the camera has.
  /// - Throws: `unsupportedFormat` with the field.
  func request(
    from present: FormatRequest, running: StreamFormat?,
    among formats: () throws(CaptureError) -> [CameraFormat]
  ) throws(CaptureError) -> FormatRequest {
    var wanted = present
    if let preset = effectivePreset, preset != .inputPriority {
      let fit = try formats().filter { offer in
        (pixelFormat ?? offer.pixelFormat) == offer.pixelFormat
          && (size ?? offer.size) == offer.size
      }
      guard let choice = preset.choice(of: fit) else {
        throw CaptureError(
          .unsupportedFormat, "the camera has no format for this preset: list its formats",
          part: preset == self.preset ? .preset : .mode)
      }
      wanted = FormatRequest(
        pixelFormat: choice.pixelFormat, size: choice.size,
        framesPerSecond: choice.frameRates.first?.framesPerSecond)
    }
    wanted.pixelFormat = pixelFormat ?? wanted.pixelFormat
    wanted.size = size ?? wanted.size
    if let rates { wanted.framesPerSecond = try rate(in: rates, for: wanted, running, formats()) }
    return wanted
  }

  private func rate(
    in rates: ClosedRange<Double>, for wanted: FormatRequest, _ running: StreamFormat?,
    _ formats: [CameraFormat]
  ) throws(CaptureError) -> Double {
    // A camera may have more rates than it lists.
    if rates.lowerBound == rates.upperBound { return rates.lowerBound }
    let fit = formats.filter { offer in
      (wanted.pixelFormat ?? offer.pixelFormat) == offer.pixelFormat
        && (wanted.size ?? offer.size) == offer.size
    }
    var offered = fit.flatMap { $0.frameRates.map(\.framesPerSecond) }
    if let running, running.has(wanted), let rate = running.deviceFrameRate {
      offered.append(rate.framesPerSecond)
    }
    // Nor does it list all sizes that it may have. The device says whether it has this one.
    if offered.isEmpty { return rates.upperBound }
    let best =
      offered.filter(rates.contains).max() ?? offered.filter { $0 > rates.upperBound }.min()
    guard let best else {
      throw CaptureError(
        .unsupportedFormat,
        "the camera has no rate of \(words(rates.lowerBound)) to \(words(rates.upperBound)) frames a second in this format: "
          + "list its formats",
        part: .rate)
    }
    return best
  }

  private func words(_ rate: Double) -> String {
    FrameRate(framesPerSecond: rate)?.summary ?? "\(rate)"
  }
}
