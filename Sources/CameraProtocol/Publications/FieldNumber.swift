/// The field numbers of a message that is read and written by hand, named as in its .proto file.
protocol FieldNumber: RawRepresentable<UInt64>, CaseIterable, Sendable {}

/// The message `Header`.
enum HeaderField: UInt64, FieldNumber {
  case epoch = 1
  case sequence = 2
  case sent = 3
  case frame = 4
}

/// The message `FrameHeader`.
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
}

/// The message `DeviceTime`.
enum DeviceTimeField: UInt64, FieldNumber {
  case ticks = 1
  case monotonicNs = 2
  case errorNs = 3
  case basis = 4
}

/// The message `FrameFacts`.
enum FrameFactsField: UInt64, FieldNumber {
  case gain = 1
  case focus = 2
  case kelvin = 3
  case zoom = 4
  case colorRange = 5
  case colorMatrix = 6
  case flash = 7
}

/// The message `Timestamp`.
enum TimestampField: UInt64, FieldNumber {
  case monotonicNs = 1
  case wallNs = 2
  case wallErrorNs = 3
}

/// The message `Size`.
enum SizeField: UInt64, FieldNumber {
  case width = 1
  case height = 2
}

/// The message `Orientation`.
enum OrientationField: UInt64, FieldNumber {
  case rotation = 1
  case mirrored = 2
}

/// The message `Heartbeat`.
enum HeartbeatField: UInt64, FieldNumber {
  case topics = 1
}

/// The message `Heartbeat.Topic`.
enum HeartbeatTopicField: UInt64, FieldNumber {
  case topic = 1
  case lastSequence = 2
}
