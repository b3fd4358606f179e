import Capture
import Imaging

/// Makes a frame's bytes of a buffer's: the one copy, or the conversion in its place.
struct FrameWriter {
  private let conversion: StreamConversion
  private let converter: FormatConverter?

  enum Outcome {
    case written(byteCount: Int)
    case lost(FrameLoss)
  }

  /// - Throws: `deviceFailed` when the format needs a conversion and there can be none.
  init(for conversion: StreamConversion, of node: DeviceNode) throws(CaptureError) {
    self.conversion = conversion
    converter = conversion.target == nil ? nil : try FormatConverter(node: node)
  }

  var layout: ImageLayout { conversion.stream.layout }

  /// The bytes that the frame takes at most.
  func byteCount(of buffer: BufferQueue.Filled) -> Int {
    layout.pixelFormat.isCompressed ? buffer.byteCount : layout.byteCount
  }

  /// Whether there is a picture in the buffer, as far as the driver tells.
  func canRead(_ buffer: BufferQueue.Filled) -> Bool {
    guard !buffer.isFlawed, buffer.byteCount > 0 else { return false }
    // How much a conversion needs the converter knows.
    guard converter == nil else { return true }
    return layout.pixelFormat.isCompressed
      ? buffer.byteCount <= conversion.stream.maximumByteCount
      : buffer.byteCount >= layout.byteCount
  }

  /// Of a JPEG what follows its end is left out; the rest is the camera's own, byte for byte.
  /// - Parameter isAwaited: whether somebody waits for the frame.
  func write(
    _ picture: inout MutableRawSpan, into output: inout MutableRawSpan, isAwaited: Bool
  ) -> Outcome {
    if let converter, let target = conversion.target {
      let count = converter.convert(&picture, from: conversion.source, to: target, into: &output)
      return count == layout.byteCount ? .written(byteCount: layout.byteCount) : .lost(.corrupted)
    }
    let isCompressed = layout.pixelFormat.isCompressed
    let byteCount = isCompressed ? picture.byteCount : layout.byteCount
    // A JPEG is read at once, below.
    output.copyPicture(
      picture.bytes.extracting(first: byteCount), isAwaited: isAwaited || isCompressed)
    guard isCompressed else { return .written(byteCount: byteCount) }
    // Looked at in the copy, for a driver's memory may be slow to read.
    switch JPEGIntegrity.check(output.bytes.extracting(first: byteCount)) {
    case .complete(let byteCount): return .written(byteCount: byteCount)
    case .truncated: return .lost(.truncated)
    case .notJPEG: return .lost(.corrupted)
    }
  }
}
