import Capture
import Synchronization

/// The pictures that wait for the thread that writes them, of which there is a bounded number. When
/// too many wait, further ones are dropped and counted, as those are that were lost before they
/// came here. Used on the frame loop, except where it says otherwise.
final class WaitingPictures: Sendable {
  /// The most pictures, and the most bytes, that wait.
  static let maximumFrames = 32
  static let maximumBytes = 128 << 20

  private let codec: VideoCodec
  private let frames = Atomic(0)
  private let bytes = Atomic(0)
  private let droppedFrames = Atomic(0)
  /// Whether pictures are of no use until one comes that needs no other.
  private let awaitsKey: Atomic<Bool>
  /// The ordinal of the last frame; zero before the first.
  private let last = Atomic<UInt64>(0)

  init(_ codec: VideoCodec) {
    self.codec = codec
    awaitsKey = Atomic(codec.hasDependentPictures)
  }

  /// Can be read on any thread.
  var dropped: Int { droppedFrames.load(ordering: .relaxed) }

  /// Whether the next picture has to be one that needs no other. Can be read on any thread.
  var needsKey: Bool { awaitsKey.load(ordering: .relaxed) }

  /// Whether this is not the first picture that could be taken: it needs one that never came.
  func isBeforeFirst(_ frame: FrameMetadata) -> Bool {
    needsKey && last.load(ordering: .relaxed) == 0 && frame.dependence == .delta
  }

  /// Takes a picture, which then waits until ``wrote(_:)``.
  /// - Returns: False if it is dropped.
  func take(_ frame: Frame) -> Bool {
    countGap(before: frame.metadata)
    let isUseless = needsKey && frame.metadata.dependence == .delta
    guard !isUseless, frames.load(ordering: .relaxed) < Self.maximumFrames,
      bytes.load(ordering: .relaxed) + frame.byteCount <= Self.maximumBytes
    else {
      if frame.metadata.dependence != nil { awaitsKey.store(true, ordering: .relaxed) }
      droppedFrames.add(1, ordering: .relaxed)
      return false
    }
    awaitsKey.store(false, ordering: .relaxed)
    frames.add(1, ordering: .relaxed)
    bytes.add(frame.byteCount, ordering: .relaxed)
    return true
  }

  /// Called on the thread that writes.
  func wrote(_ frame: Frame) {
    frames.subtract(1, ordering: .relaxed)
    bytes.subtract(frame.byteCount, ordering: .relaxed)
  }

  /// Counts a frame without a picture.
  func miss(_ frame: FrameMetadata) {
    countGap(before: frame)
    droppedFrames.add(1, ordering: .relaxed)
  }

  /// The next picture needs no other, and the frames until then are not missing.
  func beginAnew() {
    awaitsKey.store(codec.hasDependentPictures, ordering: .relaxed)
    last.store(0, ordering: .relaxed)
  }

  /// Counts the frames that were lost between the last one and this.
  private func countGap(before frame: FrameMetadata) {
    guard let ordinal = frame.ordinal else { return }
    let last = last.exchange(ordinal, ordering: .relaxed)
    if last > 0, ordinal > last { droppedFrames.add(Int(ordinal - last) - 1, ordering: .relaxed) }
  }
}
