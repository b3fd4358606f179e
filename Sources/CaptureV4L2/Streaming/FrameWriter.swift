import Capture
import Imaging

/// Writes a frame from a buffer: the single copy, or a conversion instead.
struct FrameWriter {
  private let conversion: StreamConversion
  private let converter: FormatConverter?
  private let weaver: FieldWeaver?
  /// Nil if the camera sends no video.
  let video: VideoReader?

  enum Outcome {
    case written(byteCount: Int, ImageLayout)
    case lost(FrameLoss)
    /// The buffer has something else than a picture of the format.
    case differs(PictureHabits.Habit)
  }

  /// - Throws: `deviceFailed` when the format needs a conversion that is not available.
  init(
    for conversion: StreamConversion, of node: DeviceNode, with library: ConversionLibrary? = nil
  ) throws(CaptureError) {
    self.conversion = conversion
    converter = conversion.target == nil ? nil : try FormatConverter(library, node: node)
    video = try Self.video(conversion, library)
    do throws(ImagingError) {
      weaver = conversion.isWoven ? try FieldWeaver() : nil
    } catch {
      throw CaptureError(.deviceFailed, error.message)
    }
  }

  private static func video(
    _ conversion: StreamConversion, _ library: ConversionLibrary?
  ) throws(CaptureError) -> VideoReader? {
    let format = conversion.source.pixelFormat
    guard let standard = AccessUnit.Standard(format) else { return nil }
    // A driver may not know the size of its camera's pictures.
    let most = max(2 * conversion.source.size.pixelCount, 1920 * 1088)
    guard let decoder = library?.decoder(standard, most, conversion.source.matrix) else {
      throw CaptureError(
        .deviceFailed, "libavcodec has no decoder for \(format): install it, or take another format"
      )
    }
    return VideoReader(
      format, standard, maximumByteCount: conversion.compressedByteCount, decoder: decoder)
  }

  var source: DriverFormat { conversion.source }

  var layout: ImageLayout { conversion.stream.layout }

  /// The most bytes that the frame takes.
  func byteCount(of buffer: BufferQueue.Filled) -> Int {
    layout.pixelFormat.isCompressed ? buffer.byteCount : layout.byteCount
  }

  /// Whether the buffer has a picture, judged by the driver's flags and sizes.
  func canRead(_ buffer: BufferQueue.Filled, of queue: BufferQueue) -> Bool {
    guard !buffer.isFlawed, buffer.byteCount > 0 else { return false }
    if let joint = conversion.joint {
      return joint.planes.indices.allSatisfy {
        queue.byteCount(of: buffer, plane: $0) >= joint.planes[$0].sourceByteCount
      }
    }
    if video != nil { return buffer.byteCount <= conversion.compressedByteCount }
    // The converter itself checks how many bytes it needs.
    guard converter == nil, weaver == nil else { return true }
    return layout.pixelFormat.isCompressed
      ? buffer.byteCount <= conversion.stream.maximumByteCount
      : buffer.byteCount >= layout.byteCount
  }

  /// Writes the frame's bytes. A JPEG is cut after its end marker and otherwise unchanged.
  /// - Parameters:
  ///   - buffer: One that can be read.
  ///   - isAwaited: Whether a consumer waits for the frame.
  func write(
    _ buffer: BufferQueue.Filled, of queue: BufferQueue, into output: inout MutableRawSpan,
    isAwaited: Bool
  ) -> Outcome {
    if let video { return video.write(into: &output, layout, isAwaited: isAwaited) }
    guard let joint = conversion.joint else {
      return queue.withBytes(of: buffer) { write(&$0, into: &output, isAwaited: isAwaited) }
    }
    for (index, plane) in joint.planes.enumerated() {
      queue.withBytes(of: buffer, plane: index) {
        PlaneJoint.copy(plane, of: $0.bytes, into: &output, isAwaited: isAwaited)
      }
    }
    return .written(byteCount: layout.byteCount, layout)
  }

  func write(
    _ picture: inout MutableRawSpan, into output: inout MutableRawSpan, isAwaited: Bool
  ) -> Outcome {
    if let converter, let target = conversion.target {
      let count = converter.convert(&picture, from: conversion.source, to: target, into: &output)
      return count == layout.byteCount
        ? .written(byteCount: layout.byteCount, layout) : .lost(.corrupted)
    }
    if let weaver { return weave(picture.bytes, with: weaver, into: &output) }
    let isCompressed = layout.pixelFormat.isCompressed
    let byteCount = isCompressed ? picture.byteCount : layout.byteCount
    // A JPEG is read at once, below.
    output.copyPicture(
      picture.bytes.extracting(first: byteCount), isAwaited: isAwaited || isCompressed)
    guard isCompressed else { return .written(byteCount: byteCount, layout) }
    // The check reads the copy, because a driver's memory may be slow to read.
    switch JPEGIntegrity.check(output.bytes.extracting(first: byteCount)) {
    case .complete(let jpeg):
      return difference(of: jpeg, in: output.bytes.extracting(first: byteCount))
        ?? .written(byteCount: jpeg.byteCount, layout.turned(jpeg.orientation))
    case .truncated: return .lost(.truncated)
    case .notJPEG: return .lost(.corrupted)
    }
  }

  /// - Parameter jpeg: The first one.
  private func difference(of jpeg: JPEGSummary, in bytes: RawSpan) -> Outcome? {
    guard let size = jpeg.size, size.isValid else { return .lost(.corrupted) }
    if size == layout.size { return nil }
    let isField = size.width == source.size.width && 2 * size.height == source.size.height
    return isField && FieldWeaver.secondField(in: bytes, after: jpeg.byteCount) != nil
      ? .differs(.fields) : .differs(.size(size))
  }

  private func weave(
    _ bytes: RawSpan, with weaver: FieldWeaver, into output: inout MutableRawSpan
  ) -> Outcome {
    do throws(ImagingError) {
      let orientation = try weaver.weave(bytes, layout.size, into: &output)
      return .written(byteCount: layout.byteCount, layout.turned(orientation))
    } catch {
      guard case .complete(let jpeg) = JPEGIntegrity.check(bytes) else { return .lost(.truncated) }
      let isTwo = FieldWeaver.secondField(in: bytes, after: jpeg.byteCount) != nil
      guard !isTwo, let size = jpeg.size, size.isValid else {
        return .lost(.corrupted)
      }
      return .differs(.size(size))
    }
  }
}

extension ImageLayout {
  /// The layout of a picture that is to be turned so that it is upright.
  fileprivate func turned(_ orientation: Orientation) -> ImageLayout {
    var layout = self
    layout.orientation = orientation
    return layout
  }
}
