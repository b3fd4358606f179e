package import Imaging
import OperatingSystem

/// What a complete movie file contains. The file is not changed.
package struct MovieContents: Hashable, Sendable {
  package var size: ImageSize
  package var frames: Int
  /// From the first frame to the last.
  package var duration: Duration
  /// The first frame's wall clock, nanoseconds since 1970; nil if the movie does not say it to a
  /// nanosecond.
  package var startedAt: Int64?
  /// The movie's title.
  package var title: String

  /// Reads all frames of the file; nil when there is no frame, or it is no movie that a node made.
  /// - Parameter goesOn: Asked before every frame.
  /// - Throws: `cancelled`; `unreadable` when frames are damaged; `storageFailed`.
  package init?(
    ofFileAt path: String, while goesOn: () -> Bool = { true }
  ) throws(RecordingError) {
    guard let reader = try MovieReader(path: path) else { return nil }
    (size, frames, duration, title) = (reader.size, 0, .zero, reader.title)
    var (first, start): (MovieFrameStamp?, Int64?) = (nil, nil)
    var (frames, last, isMore) = (0, Int64(0), true)
    while isMore {
      guard goesOn() else {
        throw RecordingError(.cancelled, "the movie \(path) was not read to its end")
      }
      isMore = try reader.withNextFrame { (picture) throws(RecordingError) in
        first = first ?? picture.stamp
        start = start ?? picture.time
        frames += 1
        last = max(
          last,
          MovieFrameStamp.exact(picture.stamp, since: first, near: picture.time - (start ?? 0)))
      }
    }
    guard reader.damagedPlace == nil else {
      throw RecordingError(.unreadable, "the movie \(path) is damaged: try a repair program")
    }
    guard frames > 0 else { return nil }
    self.frames = frames
    duration = .nanoseconds(last)
    startedAt = first?.wall
  }
}

extension MovieFrameStamp {
  /// How far the times of a file are rounded at most, in nanoseconds.
  private static let rounding: UInt64 = 1_000_000

  /// Nanoseconds from the first frame: exactly by the stamps, unless they contradict the file's
  /// time, because the recording was paused in between.
  static func exact(
    _ stamp: MovieFrameStamp?, since first: MovieFrameStamp?, near time: Int64
  ) -> Int64 {
    guard let stamp, let first, let exact = stamp.nanoseconds(since: first) else { return time }
    let (difference, isTooFar) = exact.subtractingReportingOverflow(time)
    return !isTooFar && difference.magnitude <= rounding ? exact : time
  }

  /// Nil where the stamps make no sense.
  private func nanoseconds(since first: MovieFrameStamp) -> Int64? {
    let (time, isTooFar) = monotonic.subtractingReportingOverflow(first.monotonic)
    return isTooFar || time < 0 || time > MovieReader.farthestTime ? nil : time
  }
}
