import Capture
import CaptureSynthetic
import Foundation
import Imaging
import OperatingSystem
import TestSupport

@testable import Recording

/// Frames of a small scene that moves, in any format, with the luma that each has.
struct Scene {
  let layout: ImageLayout
  let interval: Int64

  init(_ format: PixelFormat = .yuyv, size: ImageSize = .small, interval: Int64 = 40_000_000) throws
  {
    layout =
      format.isCompressed
      ? .compressed(format, size: size)
      : try ImageLayout(size: size, pixelFormat: format, range: .limited)
    self.interval = interval
  }

  /// A ramp with a bright square that moves with the frames.
  func luma(_ index: Int) -> [UInt8] {
    let (width, height) = (layout.size.width, layout.size.height)
    let left = index * 4 % max(1, width - 24)
    return (0..<width * height).map { place in
      let (x, y) = (place % width, place / width)
      let isSquare = (left..<left + 24).contains(x) && (20..<44).contains(y)
      return isSquare ? 220 : UInt8(40 + (x / 2 + y / 4) % 160)
    }
  }

  private func bytes(_ index: Int) throws -> [UInt8] {
    let luma = luma(index)
    let count = luma.count
    switch layout.pixelFormat {
    case .yuyv: return luma.flatMap { [$0, 128] }
    case .uyvy: return luma.flatMap { [128, $0] }
    case .grey: return luma
    case .nv12, .yu12: return luma + [UInt8](repeating: 128, count: count / 2)
    case .yuv422p: return luma + [UInt8](repeating: 128, count: count)
    default:
      let grey = try ImageLayout(size: layout.size, pixelFormat: .grey, range: .full)
      return try JPEGEncoder().encode(luma, grey, quality: 95)
    }
  }

  func frame(_ index: Int, damaged: Bool = false) throws -> Frame {
    let whole = try bytes(index)
    let bytes = damaged ? Array(whole.prefix(whole.count / 2)) : whole
    var metadata = try Frame.made(
      of: bytes, layout, at: 7_000_000_001 + Int64(index) * interval,
      wallClockOffset: 1_777_889_472_000_000_000
    ).metadata
    metadata.sequence = UInt64(index + 1)
    metadata.ordinal = UInt64(index + 1)
    let pool = FramePool(limit: 1, byteCount: bytes.count, layout: layout)
    guard var draft = pool.take() else { throw CaptureError(.overloaded, "no frame in a new pool") }
    unsafe draft.copyBytes(of: bytes.span.bytes)
    return draft.seal(layout: layout, metadata: metadata, byteCount: bytes.count)
  }

  /// The frames as a coder makes them.
  /// - Parameter missing: Frames that the camera lost.
  func coded(
    _ count: Int, keyEvery: Int = 25, _ kind: VideoKind = VideoKind(),
    without missing: Set<Int> = []
  ) throws -> [Frame] {
    let coder = VideoCoder(kind, maximumPictures: count)
    var isKeyDue = false
    return try (0..<count).flatMap { index -> [Frame] in
      isKeyDue = isKeyDue || index.isMultiple(of: keyEvery)
      guard !missing.contains(index) else { return [] }
      defer { isKeyDue = false }
      let outcome = coder.code(
        try frame(index), isKey: isKeyDue,
        framesPerSecond: 1e9 / Double(interval))
      if let error = outcome.error { throw error }
      return outcome.pictures
    }
  }
}

/// The luma of each picture of a movie or a byte stream, by another program, which must have
/// nothing to say.
func decodedLuma(of path: String, size: ImageSize) throws -> [[UInt8]] {
  try Movie.play(path)
  let bytes = try [UInt8](
    output(
      of: "ffmpeg",
      // It warns of pictures that are nearer to each other than the nominal rate.
      ["-v", "fatal", "-xerror", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]))
  let (luma, whole) = (size.width * size.height, size.width * size.height * 3 / 2)
  return stride(from: 0, to: bytes.count, by: whole).map { Array(bytes[$0..<$0 + luma]) }
}

/// How far two pictures differ on the average.
func meanDifference(_ left: [UInt8], _ right: [UInt8]) -> Double {
  Double(zip(left, right).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) })
    / Double(max(1, left.count))
}
