import EventLoop
import Imaging

/// One picture to be made: goes from the frame loop to a worker and back.
// @unchecked: `source` is guarded by the pool's lock until a worker takes the job; the worker alone has it
// and the draft from then on; `result` and `completion` are the frame loop's.
final class EncodeJob: @unchecked Sendable {
  private(set) var source: Frame
  private let size: ImageSize?
  private let quality: Int
  private var draft: FrameDraft?
  /// Set on the frame loop once the picture is made.
  private(set) var result: Result<Frame, CaptureError>?
  private let completion: (Result<Frame, CaptureError>) -> Void

  /// - Parameters:
  ///   - size: what to scale down to; nil keeps the source's.
  ///   - completion: called on the frame loop.
  init(
    _ source: Frame,
    into draft: consuming FrameDraft,
    size: ImageSize?,
    quality: Int,
    completion: @escaping (Result<Frame, CaptureError>) -> Void
  ) {
    self.source = source
    self.draft = consume draft
    self.size = size
    self.quality = quality
    self.completion = completion
  }

  /// Takes a newer frame in place of the one that waits, under the pool's lock; false when it has another layout.
  func replaceSource(with frame: Frame) -> Bool {
    guard frame.layout == source.layout else { return false }
    source = frame
    return true
  }

  /// On the worker, once.
  func run(_ encoder: FrameEncoder) -> Result<Frame, CaptureError> {
    guard var draft = draft.take() else { preconditionFailure("a picture is made once") }
    do throws(CaptureError) {
      var metadata = source.metadata
      metadata.encodeStarted = .now
      let encoded = try encoder.encode(source, into: &draft, size: size, quality: quality)
      metadata.encodeFinished = .now
      return .success(
        draft.seal(layout: encoded.layout, metadata: metadata, byteCount: encoded.byteCount)
      )
    } catch {
      return .failure(error)
    }
  }

  /// On the frame loop, after `run`.
  func complete(_ result: Result<Frame, CaptureError>) {
    self.result = result
    completion(result)
  }
}
