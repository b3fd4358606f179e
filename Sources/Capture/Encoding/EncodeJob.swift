import EventLoop
import Imaging

/// One picture to be made: goes from the frame loop to a worker and back.
// @unchecked: the frame loop owns it until it is handed to a worker and from its completion on; the
// worker owns it in between; both hand-overs are enqueueings, which order the accesses.
final class EncodeJob: @unchecked Sendable {
  let source: Frame
  let size: ImageSize?
  let quality: Int
  private var draft: FrameDraft?
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

  /// On the worker.
  func run(_ encoder: FrameEncoder) {
    guard var draft = draft.take() else { return }
    do throws(CaptureError) {
      var metadata = source.metadata
      metadata.encodeStarted = .now
      let encoded = try encoder.encode(source, into: &draft, size: size, quality: quality)
      metadata.encodeFinished = .now
      result = .success(
        draft.seal(layout: encoded.layout, metadata: metadata, byteCount: encoded.byteCount)
      )
    } catch {
      result = .failure(error)
    }
  }

  /// On the frame loop, after `run`.
  func complete() {
    if let result { completion(result) }
  }
}
