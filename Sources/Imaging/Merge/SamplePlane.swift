import CPixels

/// The place of samples of one kind in a raw picture: luma, chroma, grey, colours or a mosaic.
/// Chroma and colours may be interleaved.
struct SamplePlane {
  /// How a row's samples lie in the picture.
  enum Packing: Hashable {
    case contiguous
    /// Every other byte, from the first or the second one.
    case alternate(first: Int)
    /// Red, green and blue in 5, 6 and 5 bits.
    case rgb565
  }

  /// In samples of each kind.
  var size: ImageSize
  /// How many kinds of samples alternate in a row.
  var channels = 1
  /// Whether a sample has 16 bits in two bytes, low byte first, instead of 8.
  var isDeep = false
  var packing = Packing.contiguous
  /// Bytes before the first row.
  var offset = 0
  /// Bytes from one row to the next.
  var stride: Int
  /// The luma samples that share one sample, across and down.
  var lumaPerSample = ImageSize(width: 1, height: 1)
  /// The colours of a mosaic repeat after this many samples in each direction.
  var period = 1

  var samplesPerRow: Int { size.width * channels }
  var bytesPerSample: Int { isDeep ? 2 : 1 }
  var bytesPerRow: Int { samplesPerRow * bytesPerSample }

  /// Copies samples of one row into contiguous memory.
  /// - Parameters:
  ///   - picture: The whole picture.
  ///   - samples: Which samples of the row. Of RGB565 whole pixels.
  ///   - spare: Room for as many samples, which receive the skipped bytes.
  func take(
    _ picture: UnsafePointer<UInt8>, row y: Int, _ samples: Range<Int>,
    into target: UnsafeMutableRawPointer, spare: UnsafeMutablePointer<UInt8>
  ) {
    let row = unsafe picture + offset + y * stride
    let bytes = unsafe target.assumingMemoryBound(to: UInt8.self)
    switch packing {
    case .contiguous:
      unsafe target.copyMemory(
        from: row + samples.lowerBound * bytesPerSample, byteCount: samples.count * bytesPerSample)
    case .alternate(let first):
      let pairs = unsafe row + 2 * samples.lowerBound
      if first == 0 {
        unsafe CPixels_split(pairs, bytes, spare, samples.count)
      } else {
        unsafe CPixels_split(pairs, spare, bytes, samples.count)
      }
    case .rgb565:
      unsafe CPixels_unpack565(row + 2 * samples.lowerBound / 3, bytes, samples.count / 3)
    }
  }

  /// Copies a whole row into a picture. The picture's bytes of other planes stay as they are.
  func put(
    _ samples: UnsafeMutableRawPointer, into picture: UnsafeMutablePointer<UInt8>, row y: Int
  ) {
    let row = unsafe picture + offset + y * stride
    let bytes = unsafe samples.assumingMemoryBound(to: UInt8.self)
    switch packing {
    case .contiguous:
      unsafe UnsafeMutableRawPointer(row).copyMemory(from: samples, byteCount: bytesPerRow)
    case .alternate(let first):
      unsafe CPixels_replace(bytes, row, first, samplesPerRow)
    case .rgb565:
      unsafe CPixels_pack565(bytes, row, size.width)
    }
  }
}

extension SamplePlane {
  /// The planes of a raw picture, luma or what resembles it first.
  /// - Throws: `unsupportedFormat`.
  static func planes(of layout: ImageLayout) throws(ImagingError) -> [SamplePlane] {
    let (format, size, stride) = (layout.pixelFormat, layout.size, layout.bytesPerLine)
    // The mean of two distances is none, and zero stands for an unknown one.
    guard let shape = format.shape, !format.isDepth, format != .y16BigEndian else {
      throw .unmergeable(format)
    }
    switch shape {
    case .grouped: throw .unmergeable(format)
    case .packed422:
      let chroma = ChromaSubsampling.yuv422.chromaSize(size)
      let lumaFirst = [.yuyv, .yvyu].contains(format) ? 0 : 1
      return [
        SamplePlane(
          size: ImageSize(width: 2 * chroma.width, height: size.height),
          packing: .alternate(first: lumaFirst), stride: stride),
        SamplePlane(
          size: chroma, channels: 2, packing: .alternate(first: 1 - lumaFirst), stride: stride,
          lumaPerSample: ImageSize(width: 2, height: 1)),
      ]
    case .planar(let subsampling):
      let chroma = SamplePlane(chromaOf: layout, shape, subsampling, channels: 1)
      var second = chroma
      second.offset += chroma.stride * chroma.size.height
      return [SamplePlane(size: size, stride: stride), chroma, second]
    case .semiPlanar(let subsampling):
      return [
        SamplePlane(size: size, stride: stride),
        SamplePlane(chromaOf: layout, shape, subsampling, channels: 2),
      ]
    case .packed where format == .rgb565:
      return [SamplePlane(size: size, channels: 3, packing: .rgb565, stride: stride)]
    case .packed(let bytesPerPixel) where bytesPerPixel > 2:
      return [SamplePlane(size: size, channels: bytesPerPixel, stride: stride)]
    case .packed(let bytesPerPixel):
      let isGrey = [.grey, .y10, .y12, .y16].contains(format)
      return [
        SamplePlane(
          size: size, isDeep: bytesPerPixel == 2, stride: stride, period: isGrey ? 1 : 2)
      ]
    }
  }

  private init(
    chromaOf layout: ImageLayout, _ shape: PixelShape, _ subsampling: ChromaSubsampling,
    channels: Int
  ) {
    self.init(
      size: subsampling.chromaSize(layout.size), channels: channels,
      offset: layout.bytesPerLine * layout.size.height,
      stride: shape.chromaBytesPerLine(layout.bytesPerLine),
      lumaPerSample: ImageSize(width: subsampling.horizontal, height: subsampling.vertical))
  }
}

extension ImagingError {
  fileprivate static func unmergeable(_ format: PixelFormat) -> ImagingError {
    ImagingError(
      .unsupportedFormat,
      "frames in \(format) cannot be merged or compared; decode them to a raw format first"
    )
  }
}

/// Memory for samples, sums or cells. It is kept between pictures and grows only when a picture
/// needs more.
@safe final class SampleMemory {
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    unsafe memory.deallocate()
  }

  /// Returns room for `count` values, valid until the next call. Their values are undefined.
  func values<Value: BitwiseCopyable>(
    _ count: Int, of type: Value.Type = Value.self
  ) -> UnsafeMutablePointer<Value> {
    unsafe bytes(count * MemoryLayout<Value>.stride)
      .bindMemory(to: type, capacity: count)
  }

  /// Returns room for bytes, valid until the next call, at an address for any type.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer {
    if unsafe memory.count < count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: count, alignment: 64)
    }
    guard let start = unsafe memory.baseAddress else {
      preconditionFailure("samples of \(count) bytes have no address")
    }
    return unsafe start
  }
}
