import Imaging

/// The proxy of a photo to make, and its frames to keep.
// @unchecked: the pool's lock hands the job to a worker, which owns the draft and the result, until
// it hands the result to the frame loop. The closure belongs to the frame loop.
final class KeepJob: EncoderTask, @unchecked Sendable {
  typealias Kept = (proxy: PhotoFile, photo: DeferredPhoto)

  private let source: PhotoFileSource
  /// Given up as soon as it is copied, because the camera needs the memory.
  private var kept: KeptFrames?
  private let memory: PhotoMemory
  private var draft: FrameDraft?
  private var result: Result<Kept, CaptureError>?
  private let onEnd: (Result<Kept, CaptureError>) -> Void

  /// - Parameters:
  ///   - source: Of the proxy.
  ///   - onEnd: Called on the frame loop, unless the pool stops first.
  init(
    _ source: PhotoFileSource, _ kept: KeptFrames, into draft: consuming FrameDraft,
    memory: PhotoMemory, onEnd: @escaping (Result<Kept, CaptureError>) -> Void
  ) {
    self.source = source
    self.kept = kept
    self.memory = memory
    self.draft = consume draft
    self.onEnd = onEnd
  }

  func run(_ encoder: FrameEncoder) {
    do throws(CaptureError) {
      guard let kept else { return }
      self.kept = nil
      let photo = try DeferredPhoto(kept, memory)
      guard
        case .file(let proxy) = try encoder.developer.develop(source, into: draft.take(), memory)
      else { preconditionFailure("a JPEG is made at once") }
      result = .success((proxy, photo))
    } catch {
      result = .failure(error)
    }
  }

  func end() {
    if let result { onEnd(result) }
  }
}
