package import OperatingSystem

/// How a camera's frames follow each other, by their timestamps. A frame is due at ``newest`` and
/// at multiples of ``interval`` before and after.
package struct FramePace: Hashable, Sendable {
  /// Where the line through the timestamps is for the newest frame.
  package var newest: MonotonicTime
  /// Nanoseconds from one frame to the next.
  package var interval: Double
  /// How far timestamps lie from the line, nanoseconds: the root of the mean square.
  package var deviation: Double
  /// Of how many frames it is the line.
  package var frames: Int
}

/// Draws a line through the timestamps of the newest frames. Pure.
///
/// It is the line of least squares of all frames so far, as an alpha-beta filter, whose gains stay
/// when enough frames have come, so that it follows a camera that drifts.
struct PaceMeter {
  /// The most frames that count.
  static let window = 256
  /// How many frames it takes until a line means something.
  private static let least = 3
  /// How many frames in a row, half an interval away from the line, begin another one.
  private static let strays = 3

  private var newest = MonotonicTime.distantPast
  /// What ``newest`` has of a nanosecond.
  private var part = 0.0
  private var interval = 0.0
  private var square = 0.0
  private var sequence: UInt64 = 0
  private var frames = 0
  private var strayed = 0

  /// Nil before enough frames have come.
  var pace: FramePace? {
    guard frames >= Self.least else { return nil }
    return FramePace(
      newest: newest, interval: interval, deviation: square.squareRoot(), frames: frames)
  }

  mutating func take(_ frame: FrameMetadata) {
    guard frames > 0, frame.sequence > sequence else { return begin(frame) }
    let steps = Double(frame.sequence - sequence)
    let passed = Double((frame.timestamp - newest).wholeNanoseconds) - part
    guard frames > 1 else {
      (interval, frames) = (passed / steps, 2)
      if interval <= 0 { return begin(frame) }
      return move(to: frame, by: passed)
    }
    let error = passed - interval * steps
    if abs(error) > interval / 2, frames >= Self.least {
      strayed += 1
      if strayed >= Self.strays { return begin(frame) }
    } else {
      strayed = 0
    }
    let count = Double(min(frames + 1, Self.window))
    let (alpha, beta) = (
      2 * (2 * count - 1) / (count * (count + 1)), 6 / (count * (count + 1))
    )
    let expected = interval * steps
    interval += beta * error / steps
    square += (error * error - square) / count
    frames = min(frames + 1, Self.window)
    move(to: frame, by: expected + alpha * error)
    if !(interval > 0) { begin(frame) }
  }

  private mutating func begin(_ frame: FrameMetadata) {
    self = PaceMeter()
    (newest, sequence, frames) = (frame.timestamp, frame.sequence, 1)
  }

  private mutating func move(to frame: FrameMetadata, by nanoseconds: Double) {
    let exact = part + nanoseconds
    let whole = exact.rounded(.down)
    newest = newest + .nanoseconds(Int64(exactly: whole) ?? 0)
    part = exact - whole
    sequence = frame.sequence
  }
}
