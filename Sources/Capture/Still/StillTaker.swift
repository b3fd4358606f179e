import EventLoop
import Imaging
import OperatingSystem

/// Receives frames of a stream that is only there for one photo, until one is settled.
// @unchecked: confined to the frame loop.
final class StillTaker: FrameReceiver, @unchecked Sendable {
  /// The one that is measured, the one that the driver fills, and one on its way to a JPEG.
  private static let frames = 4

  private let encoders: EncoderPool
  private let pool: FramePool
  private let crop: Double?
  private let black: BlackLevel?
  private let silence: CaptureError
  private let onEnd: @Sendable (Result<Frame, CaptureError>) -> Void
  private var pictures: SettledPictures
  private var isMeasuring = false
  private var newest: Frame?
  private var isOver = false
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - crop: The zoom of the frames, if the camera has none.
  ///   - brightness: That of the stream's pictures, if it is known.
  ///   - limit: When the newest frame will do.
  ///   - silence: The error if there is none then.
  ///   - onEnd: Called once, with the frame.
  init(
    _ format: StreamFormat, crop: Double?, expecting brightness: Double?, encoders: EncoderPool,
    loop: EventLoop, limit: MonotonicTime, silence: CaptureError,
    onEnd: @escaping @Sendable (Result<Frame, CaptureError>) -> Void
  ) {
    self.encoders = encoders
    self.crop = crop
    black = format.layout.black
    pictures = SettledPictures(expecting: brightness)
    self.silence = silence
    self.onEnd = onEnd
    pool = FramePool(
      limit: Self.frames, byteCount: format.maximumByteCount, layout: format.layout)
    timer = loop.schedule(at: limit) { [weak self] in self?.giveUp() }
  }

  func wants(frameOf time: MonotonicTime) -> Bool { !isOver }

  func draft(byteCount: Int) -> FrameDraft? {
    var draft = pool.take()
    if let crop { draft?.crop = crop }
    draft?.black = black
    return draft
  }

  func receive(_ frame: Frame) {
    guard !isOver else { return }
    newest = frame
    guard !isMeasuring else { return }
    isMeasuring = true
    encoders.measure(LumaGridJob(frame) { [weak self] job in self?.measured(job) }, .first)
  }

  private func measured(_ job: LumaGridJob) {
    isMeasuring = false
    if pictures.take(job.grid?.brightness) { end(.success(job.frame)) }
  }

  private func giveUp() {
    end(newest.map { .success($0) } ?? .failure(silence))
  }

  private func end(_ result: Result<Frame, CaptureError>) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    newest = nil
    onEnd(result)
  }

  func lost(_ count: Int, _ reason: FrameLoss) {}
  func controlChanged(_ control: ControlID) {}
  func failed(_ error: CaptureError) { end(.failure(error)) }
}

/// A frame of another format than the stream's, taken between two parts of the stream.
package struct StillFrame: Sendable {
  package var frame: Frame
  /// From the last frame of the stream before it to the first after it, nanoseconds; if the stream
  /// has not gone on, until the session gave up waiting for that.
  package var gap: Int64
  /// How long the photo waited until its idle camera streamed, nanoseconds.
  package var start: Int64 = 0
}
