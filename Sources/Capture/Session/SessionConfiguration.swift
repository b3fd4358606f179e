/// A change of a session's configuration. What it leaves out stays as it is.
package struct SessionConfiguration: Sendable {
  /// The device to take the place of the present one.
  package var input: SessionInput?
  package var preset: SessionPreset?
  /// What it names comes before the preset.
  package var format = FormatRequest()
  /// The frames a second that will do. The fastest of them that the camera has is taken.
  package var rates: ClosedRange<Double>?
  package var settings: [CaptureSession.Setting] = []

  package init() {}

  package var mayChangeFormat: Bool {
    input != nil || preset != nil || rates != nil || format != FormatRequest()
  }

  /// The format to ask for.
  /// - Parameters:
  ///   - present: what the session asks for now.
  ///   - formats: those that the camera has.
  /// - Throws: `unsupportedFormat` with the field.
  func request(
    from present: FormatRequest, among formats: () throws(CaptureError) -> [CameraFormat]
  ) throws(CaptureError) -> FormatRequest {
    var wanted = present
    if let preset, preset != .inputPriority {
      let fit = try formats().filter { offer in
        (format.pixelFormat ?? offer.pixelFormat) == offer.pixelFormat
          && (format.size ?? offer.size) == offer.size
      }
      guard let choice = preset.choice(of: fit) else {
        throw CaptureError(
          .unsupportedFormat, "the camera has no format for this preset: list its formats",
          field: "preset")
      }
      wanted = FormatRequest(
        pixelFormat: choice.pixelFormat, size: choice.size,
        framesPerSecond: choice.frameRates.first?.framesPerSecond)
    }
    wanted = wanted.merged(with: format)
    if let rates { wanted.framesPerSecond = try rate(in: rates, for: wanted, among: formats()) }
    return wanted
  }

  private func rate(
    in rates: ClosedRange<Double>, for wanted: FormatRequest, among formats: [CameraFormat]
  ) throws(CaptureError) -> Double {
    // A camera may have more rates than it lists.
    if rates.lowerBound == rates.upperBound { return rates.lowerBound }
    let fit = formats.filter { offer in
      (wanted.pixelFormat ?? offer.pixelFormat) == offer.pixelFormat
        && (wanted.size ?? offer.size) == offer.size
    }
    let fastest = fit.flatMap { $0.frameRates.map(\.framesPerSecond) }.filter(rates.contains).max()
    guard let fastest else {
      throw CaptureError(
        .unsupportedFormat,
        "the camera has no rate of \(rates.lowerBound) to \(rates.upperBound) frames a second in this format: "
          + "list its formats",
        field: "maximum_rate")
    }
    return fastest
  }
}

extension FormatRequest {
  /// This request with what another one names put in its place.
  func merged(with change: FormatRequest) -> FormatRequest {
    FormatRequest(
      pixelFormat: change.pixelFormat ?? pixelFormat,
      size: change.size ?? size,
      framesPerSecond: change.framesPerSecond ?? framesPerSecond
    )
  }
}
