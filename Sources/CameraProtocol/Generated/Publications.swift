// swift-format-ignore-file
// Made by Protocol/derive of the .proto files.

/// The kinds of events.
package enum EventKind: String, CaseIterable, Hashable, Sendable {
  /// The camera's complete state, sent at every change of session state, readiness, format or
  /// recording.
  case state
  /// A control changed.
  case control
  /// A photo of any client came this far.
  case capture
  /// A recording of any client came this far.
  case recording
  /// Of the node itself: who may use it has changed, or somebody was refused.
  case keys
  /// Of the node itself: cameras of its machine came or went.
  case devices
  /// The camera can do something else than before.
  case capabilities
  /// Of the node itself: its machine is harder pressed than before, or less hard.
  case pressure
  /// The scene in front of the camera has changed.
  case subjectArea = "subject_area"
  /// The files of a photo that are made later were made, or cannot be.
  case deferred
  /// Of the node itself: a shot of one of its cameras came this far.
  case shot
  /// The node has removed an asset of the camera by itself.
  case library
  /// The sound of a movie under way has stopped, or is back.
  case sound
}

/// The fields of the message `Header`.
enum HeaderField: UInt64, FieldNumber {
  case epoch = 1
  case sequence = 2
  case sent = 3
  case frame = 4
}

/// The fields of the message `FrameHeader`.
enum FrameHeaderField: UInt64, FieldNumber {
  case frameSequence = 1
  case timestamp = 2
  case size = 4
  case pixelFormat = 5
  case bytesPerLine = 6
  case dequeuedNs = 7
  case copiedNs = 8
  case encodeStartedNs = 9
  case encodeFinishedNs = 10
  case timestampMark = 11
  case earliestStartNs = 12
  case latestEndNs = 13
  case exposureNs = 14
  case facts = 15
  case orientation = 16
  case deviceTime = 17
  case keyPicture = 18
}

/// The fields of the message `DeviceTime`.
enum DeviceTimeField: UInt64, FieldNumber {
  case ticks = 1
  case monotonicNs = 2
  case errorNs = 3
  case basis = 4
}

/// The fields of the message `FrameFacts`.
enum FrameFactsField: UInt64, FieldNumber {
  case gain = 1
  case focus = 2
  case kelvin = 3
  case zoom = 4
  case colorRange = 5
  case colorMatrix = 6
  case flash = 7
}

/// The fields of the message `Timestamp`.
enum TimestampField: UInt64, FieldNumber {
  case monotonicNs = 1
  case wallNs = 2
  case wallErrorNs = 3
}

/// The fields of the message `Size`.
enum SizeField: UInt64, FieldNumber {
  case width = 1
  case height = 2
}

/// The fields of the message `Orientation`.
enum OrientationField: UInt64, FieldNumber {
  case rotation = 1
  case mirrored = 2
}

/// The fields of the message `Heartbeat`.
enum HeartbeatField: UInt64, FieldNumber {
  case topics = 1
}

/// The fields of the message `Heartbeat.Topic`.
enum HeartbeatTopicField: UInt64, FieldNumber {
  case topic = 1
  case lastSequence = 2
}
