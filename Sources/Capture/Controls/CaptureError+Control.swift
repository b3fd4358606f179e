import Words

extension CaptureError {
  /// The device has no such control; names the one that was probably meant.
  package static func noSuchControl(
    _ id: ControlID,
    among known: some Sequence<ControlID>
  ) -> CaptureError {
    let names = known.map(\.rawValue)
    let remedy =
      if let nearest = names.nearest(to: id.rawValue) {
        "did you mean \(nearest)?"
      } else {
        names.isEmpty ? "it has none" : "list the controls to see what it has"
      }
    return CaptureError(
      .noSuchControl,
      "the camera has no control '\(id.rawValue.prefix(60))': \(remedy)",
      part: .control(id)
    )
  }
}
