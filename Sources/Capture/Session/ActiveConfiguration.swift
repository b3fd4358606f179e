package import Imaging

/// What a session was told last, apart from its format and its controls.
package struct ActiveConfiguration: Hashable, Sendable {
  package var mode = CaptureMode.photo
  package var preset = SessionPreset.inputPriority
  package var orientations = Orientations()
  /// The frames a second that will do; nil = as many as the format has.
  package var rates: ClosedRange<Double>?
  /// The streams that have settings of their own, by their names.
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
    } else if change.pixelFormat != nil || change.size != nil {
      new.preset = .inputPriority
    }
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

/// How a camera's pictures are turned, by what they are for. The camera's own frames are not
/// turned.
package struct Orientations: Hashable, Sendable {
  /// The orientation of encoded streams.
  package var preview = Orientation.upright
  /// The orientation of photos and movies.
  package var capture = Orientation.upright

  package init() {}
}

/// A change of an orientation. What is nil stays as it is.
package struct OrientationChange: Codable, Hashable, Sendable {
  package var rotation: Orientation.Rotation?
  package var isMirrored: Bool?

  package init(rotation: Orientation.Rotation? = nil, isMirrored: Bool? = nil) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }
}

extension Orientation {
  package func merged(with change: OrientationChange) -> Orientation {
    Orientation(change.rotation ?? rotation, isMirrored: change.isMirrored ?? isMirrored)
  }
}

/// How one of a camera's streams is sent, apart from how all of them are turned.
package struct StreamSettings: Hashable, Sendable {
  /// How many streams of a camera may have settings.
  package static let most = 32

  /// Frames a second at most; nil for all.
  package var maximumRate: Double?
  /// JPEG quality, 1...100; nil for the node's.
  package var quality: Int?
  /// False for a stream that is not sent at all; nil for all others.
  package var isEnabled: Bool?
  /// Of a video, in bits a second; nil for a steady quality.
  package var bitRate: Int?
  /// Of a video: the longest time from one key picture to the next; nil for the node's.
  package var keyInterval: Duration?
  /// Of a video: what its pictures fit into; nil for the camera's size.
  package var bound: ImageSize?

  package init(
    maximumRate: Double? = nil, quality: Int? = nil, isEnabled: Bool? = nil, bitRate: Int? = nil,
    keyInterval: Duration? = nil, bound: ImageSize? = nil
  ) {
    self.maximumRate = maximumRate
    self.quality = quality
    self.isEnabled = isEnabled
    self.bitRate = bitRate
    self.keyInterval = keyInterval
    self.bound = bound
  }

  /// The change that takes all of them away.
  static let none = StreamSettings(
    maximumRate: 0, quality: 0, isEnabled: true, bitRate: 0, keyInterval: .zero,
    bound: ImageSize(width: 0, height: 0))

  /// These settings after a change, which is nil where it changes nothing, and 0 or true where it
  /// takes the setting away.
  func merged(with change: StreamSettings) -> StreamSettings {
    var new = self
    if let rate = change.maximumRate { new.maximumRate = rate > 0 ? rate : nil }
    if let quality = change.quality { new.quality = quality > 0 ? quality : nil }
    if let isEnabled = change.isEnabled { new.isEnabled = isEnabled ? nil : false }
    if let rate = change.bitRate { new.bitRate = rate > 0 ? rate : nil }
    if let interval = change.keyInterval { new.keyInterval = interval > .zero ? interval : nil }
    if let bound = change.bound { new.bound = bound.width > 0 ? bound : nil }
    return new
  }
}
