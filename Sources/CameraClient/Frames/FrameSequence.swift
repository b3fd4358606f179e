/// A camera's frames as they come, for one reader. It keeps its ``CameraBus`` alive and connects
/// again by itself.
///
/// Policy: the newest frames wait, as many as the ``FramePolicy`` says; ``losses`` counts the
/// others. The node encodes the stream from the moment that the sequence is made, until the
/// sequence and its iterator are released or the reader's task is cancelled. While the session does
/// not run, or the node is away, no frames come.
///
/// It fails with `noSuchCamera`, `unreachable` or `timedOut` when it cannot begin, with
/// `unsupportedFormat` when the camera has a format of which no JPEG can be made, and with `closed`
/// when the ``CameraBus`` closes. A second reader gets `conflict` while there is a first one.
public struct FrameSequence: AsyncSequence, Sendable {
  /// A frame.
  public typealias Element = CameraFrame
  /// Why it could not begin or go on.
  public typealias Failure = CameraBusError

  private let reader: FrameReader
  private let bus: CameraBus
  private let place = ReaderPlace()

  init(_ stream: FrameStream, _ policy: FramePolicy, of camera: Camera) {
    bus = camera.bus
    reader = FrameReader(stream, policy, of: camera)
  }

  /// The frames that the reader did not get so far.
  public var losses: LossCounters { reader.losses.counters }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: reader, bus: bus, place: place.makeReader())
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: FrameReader
    let bus: CameraBus
    let place: ReaderPlace.Reader

    /// The next frame; nil when the reader's task was cancelled.
    public mutating func next() async throws(CameraBusError) -> CameraFrame? {
      try await next(isolation: #isolation)
    }

    /// The next frame; nil when the reader's task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> CameraFrame? {
      try place.takePlace()
      return try await reader.next(isolation: actor)
    }
  }
}
