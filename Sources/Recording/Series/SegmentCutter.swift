import Capture
import OperatingSystem

/// Decides with which pictures a recording's next files begin. Pure.
///
/// A file begins with a picture that needs no other one, so one is asked for when it is time.
struct SegmentCutter {
  private let segments: MovieSegments
  /// Half of a frame's interval: the frame nearest the time begins the file.
  private let tolerance: Duration
  private let interval: Duration
  /// When the present file is to end; nil before its first picture, and if it has no time.
  private var due: MonotonicTime?
  private var last: MonotonicTime?
  private var byteCount = 0
  /// Of which frame a picture to begin with was asked for; nil if none was for the present file.
  private var asked: MonotonicTime?

  init(_ segments: MovieSegments, interval: Duration) {
    self.segments = segments
    self.interval = interval
    tolerance = interval / 2
  }

  /// Whether the picture of a frame taken at `time` shall be one that needs no other.
  mutating func asksForKey(at time: MonotonicTime) -> Bool {
    guard asked == nil, isDue(at: time) else { return false }
    asked = time
    return true
  }

  /// Takes a picture of the recording.
  /// - Returns: Whether it begins a file, as the first one does not, because its file is there.
  mutating func begins(_ frame: FrameMetadata, byteCount new: Int) -> Bool {
    let time = frame.timestamp
    let isFirst = last == nil
    last = time
    let begins = !isFirst && frame.dependence != .delta && isDue(at: time)
    if begins || isFirst {
      due = end(ofFileFrom: frame)
      (byteCount, asked) = (0, nil)
    } else if let asked, time > asked {
      // The frame that was to have it was lost on its way.
      self.asked = nil
    }
    byteCount += new
    return begins
  }

  /// The recording goes on with a frame taken at `time` after it was paused.
  mutating func resumes(at time: MonotonicTime) {
    guard !segments.isByWallClock, let last, let due else { return }
    self.due = due + (time - last - interval)
  }

  private func isDue(at time: MonotonicTime) -> Bool {
    due.map { time + tolerance >= $0 } ?? false
      || segments.byteCount.map { byteCount >= $0 } ?? false
  }

  private func end(ofFileFrom frame: FrameMetadata) -> MonotonicTime? {
    guard let duration = segments.duration else { return nil }
    guard segments.isByWallClock else {
      // Counted from where it was due, so that the lengths do not add up to another rate.
      if let due, frame.timestamp - due < duration, due - frame.timestamp < duration {
        return due + duration
      }
      return frame.timestamp + duration
    }
    let length = duration.wholeNanoseconds
    let wall = frame.timestamp.nanoseconds + frame.wallClock.offset
    let boundary = segments.boundary(after: wall + tolerance.wholeNanoseconds, length)
    return frame.timestamp + .nanoseconds(boundary - wall)
  }
}
