/// The fate of every frame of a camera since the node started.
package struct FrameCounters: Hashable, Sendable {
  /// Frames that reached the ring.
  package var delivered: UInt64 = 0
  // Frames that did not reach the ring, by reason: see `FrameLoss`.
  package private(set) var lostByCamera: UInt64 = 0
  package private(set) var corrupted: UInt64 = 0
  package private(set) var truncated: UInt64 = 0
  package private(set) var skipped: UInt64 = 0
  package private(set) var poolExhausted: UInt64 = 0
  package private(set) var thinned: UInt64 = 0

  /// All but those that a lower rate leaves out.
  var wanted: UInt64 {
    delivered + lostByCamera + corrupted + truncated + skipped + poolExhausted
  }

  package init() {}

  mutating func count(_ frames: Int, _ reason: FrameLoss) {
    let frames = UInt64(frames)
    switch reason {
    case .camera: lostByCamera += frames
    case .corrupted: corrupted += frames
    case .truncated: truncated += frames
    case .skipped: skipped += frames
    case .poolExhausted: poolExhausted += frames
    case .thinned: thinned += frames
    }
  }
}

/// Why a frame was not delivered. Every frame of the camera is either delivered or counted under
/// one of these.
package enum FrameLoss: Hashable, Sendable {
  /// A gap in the driver's own numbering: the camera or the transfer lost it.
  case camera
  /// The driver flagged the buffer as bad (`V4L2_BUF_FLAG_ERROR`), or it was shorter than its
  /// format says.
  case corrupted
  /// An MJPEG frame without its end.
  case truncated
  /// The capture thread takes only the newest of the frames that wait, and this one was older.
  case skipped
  /// All frames of the pool are in use.
  case poolExhausted
  /// The stream is thinned out to a rate.
  case thinned
}
