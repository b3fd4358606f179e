import Capture
import Imaging
import OperatingSystem

/// Codes a camera's frames, one after the other. Confined to one thread.
// @unchecked: confined to the thread that codes.
final class VideoCoder: @unchecked Sendable {
  /// What has become of a frame.
  struct Outcome: Sendable {
    /// The pictures that came out, in their order; those of earlier frames, where the encoder is
    /// behind.
    var pictures: [Frame] = []
    /// Why there is no picture of the frame.
    var error: CaptureError?
    /// Whether a picture is missing that later ones need.
    var isBroken = false
  }

  private let kind: VideoKind
  private let maximumPictures: Int
  private var maker: VideoPictureMaker?
  private var encoder: VideoEncoder?
  /// Encoders that failed while they coded, and are not tried again until the stream rests.
  private var failed: Set<String> = []
  private var pool: FramePool?
  /// The frames whose pictures are to come, with their times in whole microseconds.
  private var pending: [(microseconds: Int64, metadata: FrameMetadata)] = []
  private var last: Int64 = .min
  private var isBroken = false

  /// - Parameter maximumPictures: The most pictures in use at once: those that wait for a disk, and
  ///   those on their way to subscribers.
  init(_ kind: VideoKind, maximumPictures: Int = 64) {
    self.kind = kind
    self.maximumPictures = maximumPictures
  }

  /// The encoder's name; nil if there is none now.
  var name: String? { encoder?.name }

  /// Frees what it has.
  func rest() {
    (encoder, maker, pool) = (nil, nil, nil)
    (pending, failed, isBroken) = ([], [], false)
    ProcessMemory.trim()
  }

  /// Codes a frame.
  /// - Parameter isKey: Whether its picture shall need no other one.
  func code(_ frame: Frame, isKey: Bool, framesPerSecond: Double?) -> Outcome {
    var outcome = Outcome()
    do throws(CaptureError) {
      try code(frame, isKey, framesPerSecond, &outcome)
    } catch {
      outcome.error = error
    }
    outcome.isBroken = isBroken
    return outcome
  }

  private func code(
    _ frame: Frame, _ isKey: Bool, _ framesPerSecond: Double?, _ outcome: inout Outcome
  ) throws(CaptureError) {
    let turn = frame.layout.orientation.followed(by: kind.orientation)
    let upright = turn.turned(frame.layout.size)
    let size = (kind.bound.map { upright.fitted(into: $0) } ?? upright).ofVideo
    let shape = VideoShape(
      size: size, coding: VideoCoding(of: frame.layout), framesPerSecond: framesPerSecond)
    let encoder = try encoder(for: shape)
    // Encoders take no two pictures of one moment.
    let time = max(frame.metadata.timestamp.nanoseconds / 1000, last == .min ? .min : last + 1)
    last = time
    var metadata = frame.metadata.pictured(turn)
    metadata.encodeStarted = .now
    let maker = try pictureMaker()
    let taken: Result<Void, RecordingError>
    do throws(ImagingError) {
      taken = try unsafe encoder.take(at: time * 1000, isKey: isKey || isBroken) {
        (planes) throws(ImagingError) in
        try frame.withBytes { (bytes) throws(ImagingError) in
          unsafe try maker.make(
            bytes, layout: frame.layout, turned: turn, zoom: Zoom(frame.metadata.crop),
            into: planes)
        }
      }
    } catch {
      throw CaptureError(.encodingFailed, "a frame could not be made a video's: \(error.message)")
    }
    pending.append((time, metadata))
    do throws(RecordingError) {
      try taken.get()
      while let picture = try encoder.next({ picture($0, $1, size) }) {
        if let picture { outcome.pictures.append(picture) }
      }
    } catch {
      failed.insert(encoder.name)
      self.encoder = nil
      (pending, isBroken) = ([], true)
      throw CaptureError(.encodingFailed, error.message)
    }
  }

  private func encoder(for shape: VideoShape) throws(CaptureError) -> VideoEncoder {
    if let encoder, encoder.shape == shape { return encoder }
    do throws(RecordingError) {
      let new = try VideoEncoder.open(kind.settings, shape, except: failed)
      (encoder, pending) = (new, [])
      // A picture takes hardly more than its pixels. Memory that it does not fill is never touched.
      pool = FramePool(
        limit: maximumPictures, byteCount: shape.size.width * shape.size.height * 2 + 1 << 16,
        layout: .compressed(.h264, size: shape.size))
      return new
    } catch {
      encoder = nil
      throw CaptureError(.encodingFailed, error.message)
    }
  }

  private func pictureMaker() throws(CaptureError) -> VideoPictureMaker {
    if let maker { return maker }
    do throws(ImagingError) {
      let new = try VideoPictureMaker()
      maker = new
      return new
    } catch {
      throw CaptureError(.encodingFailed, "no video can be made: \(error.message)")
    }
  }

  /// A picture that came out; nil if it is of no use, or has no memory.
  private func picture(_ bytes: RawSpan, _ microseconds: Int64, _ size: ImageSize) -> Frame? {
    guard let index = pending.firstIndex(where: { $0.microseconds == microseconds }) else {
      return nil
    }
    var metadata = pending[index].metadata
    pending.removeSubrange(...index)
    let isKey = AccessUnit(bytes, .h264)?.isKey == true
    if isBroken, !isKey { return nil }
    guard var draft = pool?.take(), draft.capacity >= bytes.byteCount else {
      isBroken = true
      return nil
    }
    isBroken = false
    draft.copyBytes(of: bytes)
    metadata.encodeFinished = .now
    metadata.dependence = isKey ? .key : .delta
    return draft.seal(
      layout: .compressed(.h264, size: size), metadata: metadata, byteCount: bytes.byteCount)
  }
}
