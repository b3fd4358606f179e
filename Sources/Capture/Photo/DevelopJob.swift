import EventLoop
import Imaging
import OperatingSystem
import PhotoEncoding

/// One file of a photo to make.
// @unchecked: the pool's lock hands the job to a worker, which owns the draft and the result, until
// it hands the result to the frame loop. The closures belong to the frame loop.
final class DevelopJob: EncoderTask, @unchecked Sendable {
  /// Nil once the frame is not needed any more.
  private var source: PhotoFileSource?
  private let photo: ObjectIdentifier
  private let encoders: EncoderPool
  /// What the file is expected to take; nil for a JPEG, which has the draft.
  private var memory: PhotoMemory.Share?
  private var draft: FrameDraft?
  private var result: Result<ProcessedPhotoFile, CaptureError>?
  private let onFree: () -> Void
  private let onEnd: (Result<PhotoFile, CaptureError>) -> Void

  /// - Parameters:
  ///   - photo: What the file is of.
  ///   - draft: Memory for a JPEG; nil for another file.
  ///   - onFree: Called on the frame loop when no encoder's thread is needed any more.
  ///   - onEnd: Called on the frame loop with the file, at once after `onFree` or later, unless the
  ///     pool stops first.
  init(
    _ source: PhotoFileSource,
    of photo: ObjectIdentifier,
    into draft: consuming FrameDraft?,
    encoders: EncoderPool,
    onFree: @escaping () -> Void,
    onEnd: @escaping (Result<PhotoFile, CaptureError>) -> Void
  ) {
    self.source = source
    self.photo = photo
    self.encoders = encoders
    memory = source.file.format == .jpeg ? nil : encoders.memory.take(source.expectedByteCount)
    self.draft = consume draft
    self.onFree = onFree
    self.onEnd = onEnd
  }

  func run(_ encoder: FrameEncoder) {
    guard let source = source.take() else { return }
    do throws(CaptureError) {
      result = .success(
        try encoder.developer.develop(source, into: draft.take(), encoders.memory))
    } catch {
      result = .failure(error)
    }
  }

  func end() {
    guard let result else { return }
    memory = nil
    onFree()
    switch result {
    case .failure(let error): onEnd(.failure(error))
    case .success(.file(let file)): onEnd(.success(file))
    case .success(.slow(let work)): encoders.finish(work, for: photo) { self.onEnd($0) }
    }
  }
}

/// What an encoder's thread makes of a source.
enum ProcessedPhotoFile: Sendable {
  case file(PhotoFile)
  /// The rest takes long.
  case slow(SlowWork)
}

/// The slow part of making a file. It needs nothing of the camera's memory.
struct SlowWork: Sendable {
  enum Lane: Sendable {
    /// PNG.
    case packing
    /// AVIF and HEIC.
    case helper
  }

  let lane: Lane
  let run: @Sendable (PhotoEncoder?) throws(CaptureError) -> PhotoFile
}
