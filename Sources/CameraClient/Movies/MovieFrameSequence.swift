/// The frames of a movie file that a node recorded, in their order.
///
/// ```swift
/// for try await frame in MovieFrameSequence(of: "movie.mkv") { print(frame.sequence) }
/// ```
/// Frames without a number are left out, such as those of other programs. A file that is cut off
/// has the frames before the cut. The file is read on other threads, a few KiB for every frame, in
/// steps as the reader takes frames.
public struct MovieFrameSequence: AsyncSequence, Sendable {
  /// A frame.
  public typealias Element = MovieFrame
  /// Why the file could not be read.
  public typealias Failure = CameraBusError

  private let path: String

  /// The frames of this file.
  public init(of path: String) {
    self.path = path
  }

  /// Begins with the first frame.
  public func makeAsyncIterator() -> Iterator {
    Iterator(path: path)
  }

  /// Takes the frames one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let path: String
    private var file: MovieFile?
    private var frames: ArraySlice<MovieFrame> = []

    fileprivate init(path: String) {
      self.path = path
    }

    /// The next frame; nil after the last.
    ///
    /// - Throws: `storageFailed` for a file that cannot be read, `unsupportedFormat` for one that
    ///   is no Matroska file and no MP4, `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(CameraBusError) -> MovieFrame? {
      while frames.isEmpty {
        if Task.isCancelled { throw .cancelled }
        let file = if let file { file } else { try await MovieFile.open(path) }
        self.file = file
        guard let next = try await file.nextFrames() else { return nil }
        frames = next[...]
      }
      return frames.removeFirst()
    }
  }
}

/// A frame of a movie: its number and exact time, which match those of the frame on the bus.
///
/// The movie file itself keeps whole milliseconds, or microseconds in MP4; the node writes these
/// beside each frame.
public struct MovieFrame: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The camera's number of the frame, as ``CameraFrame/sequence``.
  public var sequence: UInt64
  /// The frame's timestamp on the node's monotonic clock.
  public var monotonic: MonotonicInstant
  /// The same moment on the node's wall clock.
  public var wall: WallInstant
  /// When players show it.
  let milliseconds: Int64

  private enum CodingKeys: String, CodingKey {
    case sequence
    case monotonic = "monotonicNanoseconds"
    case wall = "wallNanoseconds"
    case milliseconds
  }

  /// When players show it, since the beginning of the movie: whole milliseconds.
  public var playTime: Duration { .milliseconds(milliseconds) }

  /// The number and the moment.
  public var description: String { "frame \(sequence) at \(wall)" }
}
