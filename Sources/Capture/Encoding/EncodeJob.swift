import Imaging
import OperatingSystem

/// One JPEG to make: the frame, the memory for the picture, and the closure that takes the result.
// @unchecked: the pool's lock guards `source` until a worker takes the job. Then the worker owns
// it, the draft and the result, until the pool's lock hands the result to the frame loop. `onEnd`
// belongs to the frame loop.
final class EncodeJob: EncoderTask, @unchecked Sendable {
  private(set) var source: Frame
  private let size: ImageSize?
  private let orientation: Orientation
  private let quality: Int
  private let isReencoded: Bool
  private var draft: FrameDraft?
  private var result: Result<Frame, CaptureError>?
  private let onEnd: (Result<Frame, CaptureError>) -> Void

  /// - Parameters:
  ///   - size: The size to scale down to, before the picture is turned; nil keeps the source's.
  ///   - isReencoded: Whether the camera's own JPEG gets this quality too.
  ///   - onEnd: Called once on the frame loop, unless the job is withdrawn or the pool stops first.
  init(
    _ source: Frame,
    into draft: consuming FrameDraft,
    size: ImageSize?,
    orientation: Orientation,
    quality: Int,
    isReencoded: Bool = false,
    onEnd: @escaping (Result<Frame, CaptureError>) -> Void
  ) {
    self.source = source
    self.draft = consume draft
    self.size = size
    self.orientation = orientation
    self.quality = quality
    self.isReencoded = isReencoded
    self.onEnd = onEnd
  }

  /// Replaces the frame of a job that waits, under the pool's lock; false if the layouts differ.
  func replaceSource(with frame: Frame) -> Bool {
    guard frame.layout == source.layout else { return false }
    source = frame
    return true
  }

  func run(_ encoder: FrameEncoder) { result = make(with: encoder) }

  func end() {
    if let result { onEnd(result) }
  }

  /// Makes the JPEG.
  private func make(with encoder: FrameEncoder) -> Result<Frame, CaptureError> {
    guard var draft = draft.take() else { preconditionFailure("a picture is made once") }
    do throws(CaptureError) {
      var metadata = source.metadata.pictured(orientation)
      metadata.encodeStarted = .now
      let encoded = try encoder.encode(
        source, into: &draft, size: size, orientation: orientation, quality: quality,
        isReencoded: isReencoded)
      metadata.encodeFinished = .now
      return .success(
        draft.seal(layout: encoded.layout, metadata: metadata, byteCount: encoded.byteCount)
      )
    } catch {
      return .failure(error)
    }
  }
}
