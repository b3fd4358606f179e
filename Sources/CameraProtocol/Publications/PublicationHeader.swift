/// The second part of a publication: the message `Header` of the protocol, as plain values.
///
/// Every frame has one, so it is written and read by hand, in place and without allocating. So are
/// heartbeats; all other messages are written and read by SwiftProtobuf.
package struct PublicationHeader: Hashable, Sendable {
  /// Identifies this start of the node.
  package var epoch: Epoch
  /// Counts the topic's publications from 1.
  package var sequence: UInt64
  /// When the publication was handed to the socket.
  package var sent: Moment
  /// Set on frame topics.
  package var frame: Frame?

  package init(epoch: Epoch, sequence: UInt64, sent: Moment, frame: Frame? = nil) {
    self.epoch = epoch
    self.sequence = sequence
    self.sent = sent
    self.frame = frame
  }

  /// The message `Timestamp`.
  package struct Moment: Hashable, Sendable {
    /// `CLOCK_MONOTONIC`, nanoseconds.
    package var monotonic: Int64
    /// Nanoseconds since 1970.
    package var wall: Int64
    /// The bound of the wall clock's error, nanoseconds; 0 = unknown.
    package var wallError: Int64

    package init(monotonic: Int64 = 0, wall: Int64 = 0, wallError: Int64 = 0) {
      self.monotonic = monotonic
      self.wall = wall
      self.wallError = wallError
    }
  }

  /// The message `FrameFacts`.
  package struct Facts: Hashable, Sendable {
    package var gain: Double?
    package var focus: Double?
    package var kelvin: Double?
    package var zoom: Double?
    /// The number of a `ColorRange`.
    package var colorRange: Int32 = 0
    /// The number of a `ColorMatrix`.
    package var colorMatrix: Int32 = 0
    package var flash: Bool?

    package init() {}
  }

  /// The message `Orientation`.
  package struct Orientation: Hashable, Sendable {
    /// Degrees clockwise.
    package var rotation: UInt32
    package var isMirrored: Bool

    package init(rotation: UInt32 = 0, isMirrored: Bool = false) {
      self.rotation = rotation
      self.isMirrored = isMirrored
    }
  }

  /// The message `DeviceTime`.
  package struct DeviceTime: Hashable, Sendable {
    package var ticks: UInt32 = 0
    /// `CLOCK_MONOTONIC`, nanoseconds.
    package var monotonic: Int64 = 0
    /// Nanoseconds.
    package var error: UInt64 = 0
    /// The number of a `DeviceTime.Basis`.
    package var basis: Int32 = 0

    package init() {}
  }

  /// The message `FrameHeader`, field by field.
  package struct Frame: Hashable, Sendable {
    package var sequence: UInt64 = 0
    package var timestamp = Moment()
    package var width: UInt32 = 0
    package var height: UInt32 = 0
    package var pixelFormat = PixelFormatName()
    package var bytesPerLine: UInt32 = 0
    package var dequeued: Int64 = 0
    package var copied: Int64 = 0
    package var encodeStarted: Int64 = 0
    package var encodeFinished: Int64 = 0
    /// The number of a `TimestampMark`.
    package var timestampMark: Int32 = 0
    package var earliestStart: Int64 = 0
    package var latestEnd: Int64 = 0
    package var exposure: UInt64 = 0
    package var facts: Facts?
    /// How the picture was turned; nil = not at all.
    package var orientation: Orientation?
    /// When it was captured by the camera's own clock, if that is known.
    package var deviceTime: DeviceTime?
    /// Whether a decoder of a video can begin with it.
    package var isKeyPicture = false

    package init() {}
  }
}
