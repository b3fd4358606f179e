/// What a session was told last, apart from its format and its controls.
package struct ActiveConfiguration: Hashable, Sendable {
  package var mode = CaptureMode.photo
  package var preset = SessionPreset.inputPriority
  package var orientations = Orientations()
  /// The frames a second that will do; nil = as many as the format has.
  package var rates: ClosedRange<Double>?
  /// Those that are not like the others, by the names of the streams.
  package var streams: [String: StreamSettings] = [:]

  package init() {}

  /// This configuration after a change.
  func merged(with change: SessionConfiguration) -> ActiveConfiguration {
    var new = self
    if let mode = change.mode { new.mode = mode }
    if let preset = change.effectivePreset {
      new.preset = preset
      // A preset takes the fastest rate.
      if preset != .inputPriority { new.rates = nil }
    } else if change.format.pixelFormat != nil || change.format.size != nil {
      new.preset = .inputPriority
    }
    // The camera itself is asked for that rate.
    if change.format.framesPerSecond != nil { new.rates = nil }
    if let rates = change.rates { new.rates = rates }
    new.take(streams: change.streams)
    new.orientations.preview = orientations.preview.merged(with: change.preview)
    new.orientations.capture = orientations.capture.merged(with: change.capture)
    return new
  }

  /// Changes settings of streams.
  mutating func take(streams changes: [String: StreamSettings]) {
    for (name, change) in changes {
      let settings = (streams[name] ?? StreamSettings()).merged(with: change)
      streams[name] = settings == StreamSettings() ? nil : settings
    }
  }

  /// - Throws: `invalidArgument` if too many streams have settings.
  func checkStreams() throws(CaptureError) {
    guard streams.count > StreamSettings.most else { return }
    throw CaptureError(
      .invalidArgument,
      "at most \(StreamSettings.most) streams may have settings: take those of others away",
      part: .streams)
  }
}
