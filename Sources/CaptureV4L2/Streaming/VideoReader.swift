import Capture
import Glibc
package import Imaging

/// Decodes the pictures of a video, one after the other. Used by one thread at a time.
package protocol VideoDecoder: AnyObject {
  /// Decodes a picture. Its pixels stay until the next call.
  func decode(_ picture: RawSpan) -> DecodedPicture
  /// Lends a plane of the last picture's pixels, with the bytes from one of its rows to the next.
  func withPlane<R>(_ index: Int, _ body: (RawSpan, _ stride: Int) -> R) -> R
  /// Forgets the pictures: the next one is a key picture.
  func reset()
}

/// What a decoder has made of a picture.
package enum DecodedPicture: Hashable, Sendable {
  case pixels(ImageLayout)
  /// There are no pixels, or some are not what the camera took.
  case damaged
  /// Its pixels come out after those of a later picture.
  case late
  /// Its pixels are of a kind that is not read.
  case unreadable(String)
}

/// The pictures of a camera that sends a video: each as the camera coded it, and its pixels.
///
/// The driver's thread reads one buffer after the other, and waits while the frame loop makes a
/// frame of the picture.
// @unchecked: the driver's thread uses it, and the frame loop while that waits.
final class VideoReader: @unchecked Sendable {
  enum Outcome {
    case picture
    /// The buffer has no picture, but what belongs to the next one.
    case nothing
    case lost(FrameLoss)
    /// The camera's video is of no use.
    case failed(CaptureError)
  }

  /// The most coded pictures in use at once: those that wait for a disk, and those on their way to
  /// subscribers.
  private static let maximumPictures = 64
  /// So many key pictures in a row that come late are those of a camera that sorts its pictures.
  private static let maximumLate = 2

  private let format: PixelFormat
  private let standard: AccessUnit.Standard
  private let decoder: any VideoDecoder
  private let pool: FramePool
  private var parameters = VideoParameters()
  private var numbers = PictureNumbers()
  /// What came before a picture in buffers of its own.
  private var beginning: [UInt8] = []
  /// Whether pictures are of no use until one comes that needs no other.
  private(set) var needsKey = true
  private var late = 0
  /// The last picture, and what its bytes are.
  private var draft: FrameDraft?
  private var byteCount = 0
  private var isKey = false
  private var pixels: ImageLayout?

  /// - Parameter maximumByteCount: The most bytes of a buffer.
  init(
    _ format: PixelFormat, _ standard: AccessUnit.Standard, maximumByteCount: Int,
    decoder: any VideoDecoder
  ) {
    (self.format, self.standard, self.decoder) = (format, standard, decoder)
    pool = FramePool(
      limit: Self.maximumPictures,
      byteCount: maximumByteCount + 2 * VideoParameters.maximumByteCount,
      layout: .compressed(format, size: ImageSize(width: 0, height: 0)))
  }

  // MARK: The driver's thread

  /// A picture is missing that later ones may need.
  func miss() { needsKey = true }

  /// Reads a buffer.
  func read(_ bytes: RawSpan) -> Outcome {
    draft = nil
    pixels = nil
    guard var draft = pool.take() else { return lost(.poolExhausted) }
    byteCount = beginning.count + bytes.byteCount
    guard byteCount + VideoParameters.maximumByteCount <= draft.capacity else {
      return lost(.corrupted)
    }
    draft.withBytes { memory in
      unsafe memory.copyPicture(beginning.span.bytes, isAwaited: true)
      memory.copyPicture(bytes, at: beginning.count, isAwaited: true)
    }
    // The copy is read, because a driver's memory may be slow to read.
    switch draft.withBytes({ look(at: $0.bytes.extracting(first: byteCount)) }) {
    case .outcome(let outcome): return outcome
    case .picture(let supplement, let place):
      if !supplement.isEmpty { draft.withBytes { insert(supplement, at: place, into: &$0) } }
    }
    if isKey, needsKey { decoder.reset() }
    let decoded = draft.withBytes { decoder.decode($0.bytes.extracting(first: byteCount)) }
    switch decoded {
    case .pixels(let layout):
      (needsKey, late) = (false, 0)
      self.draft = consume draft
      pixels = layout
      return .picture
    case .damaged: return lost(.corrupted)
    case .late:
      late += 1
      return late < Self.maximumLate ? lost(.corrupted) : .failed(.sortsPictures)
    case .unreadable(let name): return .failed(.unreadable(name))
    }
  }

  /// What a buffer has.
  private enum Look {
    case outcome(Outcome)
    /// A picture to be decoded, with the parameters that it lacks and their place in it.
    case picture([UInt8], Int)
  }

  private func look(at bytes: RawSpan) -> Look {
    guard let unit = AccessUnit(bytes, standard) else {
      beginning = []
      return .outcome(lost(.corrupted))
    }
    parameters.remember(unit, of: bytes)
    guard unit.hasPicture else {
      beginning =
        byteCount <= VideoParameters.maximumByteCount
        ? unsafe bytes.withUnsafeBytes(Array.init) : []
      return .outcome(.nothing)
    }
    beginning = []
    if numbers.hasGap(before: unit, of: bytes) { needsKey = true }
    let supplement = unit.hasKeyPicture ? parameters.supplement(of: unit) : nil
    isKey = supplement != nil
    guard isKey || !needsKey else { return .outcome(.lost(.corrupted)) }
    return .picture(supplement ?? [], unit.placeOfParameters(in: bytes) ?? 0)
  }

  private func insert(_ new: [UInt8], at place: Int, into memory: inout MutableRawSpan) {
    unsafe memory.withUnsafeMutableBytes { bytes in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<byteCount])
      // Both may overlap.
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(place + new.count)...])
        .copyMemory(from: rest)
    }
    unsafe memory.copyPicture(new.span.bytes, at: place, isAwaited: true)
    byteCount += new.count
  }

  private func lost(_ reason: FrameLoss) -> Outcome {
    needsKey = true
    return .lost(reason)
  }

  // MARK: The frame loop, while the driver's thread waits

  /// Writes the last picture's pixels.
  /// - Parameter layout: The one that frames have. The picture's own word on its colours counts.
  func write(
    into output: inout MutableRawSpan, _ layout: ImageLayout, isAwaited: Bool
  ) -> FrameWriter.Outcome {
    guard let pixels, pixels.size.isValid else { return .lost(.corrupted) }
    guard pixels.size == layout.size else { return .differs(.size(pixels.size)) }
    guard pixels.byteCount <= output.byteCount else { return .lost(.corrupted) }
    for (index, place) in pixels.planes.enumerated() {
      decoder.withPlane(index) { rows, stride in
        let plane = PlaneJoint.Plane(
          rowCount: place.rowCount, rowLength: place.rowLength, sourceStride: stride,
          offset: place.offset, stride: place.stride)
        PlaneJoint.copy(plane, of: rows, into: &output, isAwaited: isAwaited)
      }
    }
    return .written(byteCount: pixels.byteCount, pixels)
  }

  /// The last picture as the camera coded it.
  /// - Parameter frame: The one that its pixels have become.
  func coded(_ frame: Frame) -> Frame? {
    guard let draft = draft.take() else { return nil }
    var metadata = frame.metadata
    metadata.dependence = isKey ? .key : .delta
    return draft.seal(
      layout: .compressed(format, size: frame.layout.size), metadata: metadata,
      byteCount: byteCount)
  }
}

extension CaptureError {
  fileprivate static let sortsPictures = CaptureError(
    .unsupportedFormat,
    "the camera sends pictures of its video in another order than it takes them (B pictures), or as fields: set its control "
      + "video_b_frames to 0, or take another format",
    part: .format)

  fileprivate static func unreadable(_ name: String) -> CaptureError {
    CaptureError(
      .unsupportedFormat,
      "the pictures of the camera's video have pixels in \(name), and the node reads 4:2:0 of 8 bits: set its "
        + "control h264_profile, or take another format",
      part: .format)
  }
}
