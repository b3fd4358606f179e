package import Imaging
import OperatingSystem

/// A movie whose recording was cut off by SIGKILL or a power cut. Its file has no index, and may
/// end in the middle of a frame.
package struct UnfinishedMovie {
  /// The contents of a movie that was completed.
  package struct Contents: Hashable, Sendable {
    package var format: MovieFormat
    package var size: ImageSize
    package var frames: Int
    /// From the first frame to the last.
    package var duration: Duration
    /// The first frame's wall clock, nanoseconds since 1970; nil if the movie does not say it to a
    /// nanosecond.
    package var startedAt: Int64?
  }

  private let path: String
  private let minimumFreeBytes: Int

  /// - Parameter minimumFreeBytes: Bytes that must stay free on the disk.
  package init(path: String, minimumFreeBytes: Int = 64 << 20) {
    self.path = path
    self.minimumFreeBytes = minimumFreeBytes
  }

  /// Completes the movie: keeps its complete frames.
  ///
  /// A Matroska gets an index for seeking and a length: its frames are copied to a new file. When
  /// the copy is on the disk, it replaces the movie in one step. Until then the movie is not
  /// changed, so it is safe to try again after a failure. Of an MP4 the end is cut off that is no
  /// complete fragment: what is before it needs nothing more.
  /// - Parameter isCancelled: Checked before every frame.
  /// - Returns: What the movie contains; nil, with nothing changed, when there is no complete frame
  ///   or no file.
  /// - Throws: `unreadable` when there are frames that cannot be read, `storageFull` without room
  ///   for the copy, `storageFailed`, `cancelled`.
  package func finish(
    isCancelled: () -> Bool = { false }
  ) throws(RecordingError) -> Contents? {
    guard let byteCount = try Disk.byteCount(of: path) else { return nil }
    let container = try MovieContainer(ofFileAt: path)
    if container == .mp4 { return try cut(byteCount, isCancelled) }
    guard let reader = try MovieReader(path: path) else {
      guard try !Disk.contains([0xff, 0xd8, 0xff], fileAt: path, isCancelled) else {
        throw RecordingError(
          .unreadable, "the beginning of the movie \(path) is damaged: try a repair program")
      }
      return nil
    }
    try Disk.requireSpace(for: byteCount, reserve: minimumFreeBytes, forMovieAt: path)
    let copy = path + Self.copySuffix
    do throws(RecordingError) {
      guard let contents = try write(copy, from: reader, isCancelled) else { return nil }
      try Disk.replace(path, by: copy)
      return contents
    } catch {
      try? Folder.removeFile(copy)
      throw error
    }
  }

  /// The suffix of the copy's name. A copy left from an earlier attempt can be deleted.
  package static let copySuffix = ".part"

  private func write(
    _ copy: String,
    from reader: MovieReader,
    _ isCancelled: () -> Bool
  ) throws(RecordingError) -> Contents? {
    var writer: MovieWriter?
    var first: MovieFrameStamp?
    var isMore = true
    while isMore {
      guard !isCancelled() else {
        throw RecordingError(.cancelled, "the movie \(path) waits for the next start")
      }
      isMore = try reader.withNextFrame { (picture) throws(RecordingError) in
        let stamp = picture.stamp
        let open =
          if let writer { writer } else {
            try MovieWriter(
              path: copy,
              size: reader.size,
              createdAt: reader.createdAt,
              title: reader.title,
              framesPerSecond: reader.framesPerSecond,
              first: stamp,
              format: reader.format,
              parameters: reader.parameters,
              sound: reader.sound
            )
          }
        if writer == nil { first = stamp }
        writer = open
        try open.append(
          picture.bytes, at: MovieFrameStamp.exact(stamp, since: first, near: picture.time),
          stamp: stamp,
          isKey: picture.isKey)
      } sound: { (unit) throws(RecordingError) in
        // Sound before the first picture was never written.
        if let writer, reader.sound != nil { try writer.append(unit) }
      }
    }
    guard let writer else { return nil }
    try writer.finish()
    return Contents(
      format: writer.format, size: writer.size, frames: writer.extent.frameCount,
      duration: writer.extent.duration, startedAt: first?.wall)
  }

  /// Cuts an MP4 off behind its last complete fragment.
  private func cut(
    _ byteCount: Int, _ isCancelled: () -> Bool
  ) throws(RecordingError) -> Contents? {
    let fragments = try Fragments(ofFileAt: path, byteCount: byteCount)
    guard !fragments.starts.isEmpty else { return nil }
    if fragments.end < byteCount { try Disk.cut(path, at: fragments.end) }
    guard let reader = try MovieReader(path: path) else {
      throw RecordingError(
        .unreadable, "the beginning of the movie \(path) is damaged: try a repair program")
    }
    var end = fragments.end
    var contents = Contents(format: reader.format, size: reader.size, frames: 0, duration: .zero)
    var (first, start): (MovieFrameStamp?, Int64?) = (nil, nil)
    // What is known up to the fragment that is being read.
    var (before, fragment) = (contents, 0)
    var isMore = true
    while isMore {
      guard !isCancelled() else {
        throw RecordingError(.cancelled, "the movie \(path) waits for the next start")
      }
      isMore = try reader.withNextFrame { (picture) throws(RecordingError) in
        let own = fragments.start(before: Int(picture.place)) ?? 0
        if own != fragment { (before, fragment) = (contents, own) }
        first = first ?? picture.stamp
        start = start ?? picture.time
        contents.startedAt = first?.wall
        contents.frames += 1
        let time = MovieFrameStamp.exact(
          picture.stamp, since: first, near: picture.time - (start ?? 0))
        contents.duration = max(contents.duration, .nanoseconds(time))
      }
    }
    // A power cut may have left a fragment whose bytes never reached the disk.
    if let damaged = reader.damagedPlace, damaged < end {
      end = fragments.start(before: damaged) ?? end
      if end == fragment { contents = before }
    }
    guard contents.frames > 0 else { return nil }
    if end < fragments.end { try Disk.cut(path, at: end) }
    return contents
  }
}
