import CPixels

/// Reads pictures in every format of which a JPEG can be made, and JPEGs, into the plain forms of
/// which files are made. It keeps its memory between pictures. Use one per thread.
///
/// As in the encoder, a picture is scaled and zoomed first, and turned at the end.
package final class PictureReader {
  private let decoder: JPEGDecoder
  private let splitter: PlaneSplitter
  private let scaler = PlaneScaler()
  private let converter = PlaneConverter()
  private let turner = PlaneTurner()
  private let resampler = PlaneResampler()
  private let bitmapScaler = BitmapScaler()
  private let mosaicReader8 = MosaicReader<UInt8>()
  private let mosaicReader16 = MosaicReader<UInt16>()
  private let depthReader = DepthReader()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    decoder = try JPEGDecoder()
    splitter = try PlaneSplitter()
  }

  /// Reads a picture's samples, with as many bits as the camera has:
  ///
  /// - grey as grey, and distances as their exact values, of which a smaller picture has some;
  /// - RGB and BGR exactly, and luma and chroma by the layout's range and matrix;
  /// - Bayer as the sensor's own colours, without white balance and with sRGB's curve;
  /// - JPEG as libturbojpeg decodes it.
  ///
  /// - Parameters:
  ///   - image: At least `layout.byteCount` bytes, or a JPEG.
  ///   - target: A smaller size to scale down to, before the picture is turned. A larger value
  ///     keeps the source's size.
  ///   - zoom: 1 or more: the middle of the picture that is kept is smaller by this.
  /// - Throws: `shortInput`, `invalidSize`, `unsupportedFormat`; for a JPEG `notJPEG`, `truncated`,
  ///   `corrupt`.
  package func bitmap(
    _ image: RawSpan, layout: ImageLayout, scaledTo target: ImageSize? = nil,
    turned orientation: Orientation = .upright, zoom: Zoom = 1
  ) throws(ImagingError) -> Bitmap {
    let upright =
      if layout.pixelFormat.isCompressed {
        try decoded(image, scaledTo: target, zoom: zoom)
      } else {
        try unsafe read(image, layout) { (source) throws(ImagingError) in
          let size = try layout.size.scaled(to: target)
          return try unsafe uncompressed(source, layout, scaledTo: size, zoom: zoom)
        }
      }
    return upright.turned(orientation)
  }

  /// Reads a picture as planes of luma and chroma. Bayer becomes 4:2:0, and the colours of
  /// distances 4:2:2.
  /// - Parameters: Those of `bitmap`.
  ///   - subsampling: The wanted chroma subsampling; nil keeps the source's own, turned with the
  ///     picture. Grey gets grey chroma if chroma is wanted.
  /// - Throws: What `bitmap` throws.
  package func planar(
    _ image: RawSpan, layout: ImageLayout, scaledTo target: ImageSize? = nil,
    turned orientation: Orientation = .upright, zoom: Zoom = 1,
    as subsampling: ChromaSubsampling? = nil
  ) throws(ImagingError) -> PlanarPicture {
    if layout.pixelFormat.isCompressed {
      let header = try decoder.header(image)
      let size = try header.size.scaled(to: target)
      let decoded = unsafe try decoder.decodePlanes(
        image, header, atLeast: size.enlarged(zoom, within: header.size))
      let planes = unsafe scaler.scale(decoded, to: size, zoom: zoom)
      return unsafe resampler.picture(turned(planes, orientation), as: subsampling)
    }
    return try unsafe read(image, layout) { (source) throws(ImagingError) in
      let size = try layout.size.scaled(to: target)
      let coding = layout.planeCoding
      let planes = unsafe try planes(source, layout, scaledTo: size, zoom: zoom)
      var standard = unsafe converter.convert(
        planes, range: coding.range, matrix: coding.matrix)
      unsafe standard.size = size
      // Without the padding of the conversion.
      let whole = unsafe standard.rows(0..<size.height)
      return unsafe resampler.picture(turned(whole, orientation), as: subsampling)
    }
  }

  /// Reads a Bayer picture's samples, unchanged and without padding.
  /// - Parameter image: At least `layout.byteCount` bytes.
  /// - Throws: `shortInput`, `unsupportedFormat` unless the format is Bayer.
  package func mosaic(
    _ image: RawSpan, layout: ImageLayout
  ) throws(ImagingError) -> MosaicPicture {
    guard let coding = layout.pixelFormat.sensorSamples,
      let pattern = layout.pixelFormat.bayerPattern
    else {
      throw ImagingError(
        .unsupportedFormat, "\(layout.pixelFormat) pictures have no Bayer mosaic")
    }
    let size = layout.size
    let bytes = try unsafe read(image, layout) { (source) throws(ImagingError) in
      coding.bits == 8
        ? unsafe Self.samples(source, layout) { row, target in
          unsafe UInt8.read(row, coding, into: target, count: size.width)
        }
        : unsafe Self.samples(source, layout) { row, target in
          unsafe UInt16.readExactly(row, coding, into: target, count: size.width)
        }
    }
    return MosaicPicture(
      size: size, pattern: pattern, bits: coding.bits,
      black: layout.black?.level(ofBits: coding.bits) ?? 0, bytes: bytes)
  }
}

// MARK: Bitmaps

extension PictureReader {
  private func decoded(
    _ image: RawSpan, scaledTo target: ImageSize?, zoom: Zoom
  ) throws(ImagingError) -> Bitmap {
    let header = try decoder.header(image)
    let size = try header.size.scaled(to: target)
    let needed = size.enlarged(zoom, within: header.size)
    if header.subsampling.isGrey {
      let planes = unsafe try decoder.decodePlanes(image, header, atLeast: needed)
      return unsafe Bitmap(grey: scaler.scale(planes, to: size, zoom: zoom).luma)
    }
    let (decodedSize, pixels) = try decoder.decodeRGB(image, atLeast: needed)
    let bitmap = Bitmap(size: decodedSize, samples: .rgb8, significantBits: 8, bytes: pixels)
    return bitmapScaler.scale(bitmap, to: size, zoom: zoom)
  }

  private func uncompressed(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, scaledTo size: ImageSize, zoom: Zoom
  ) throws(ImagingError) -> Bitmap {
    if let coding = layout.pixelFormat.sensorSamples {
      if case .distance = coding.meaning {
        return unsafe distances(source, layout, scaledTo: size, zoom: zoom)
      }
      let whole = unsafe samples(source, layout, coding)
      return bitmapScaler.scale(whole, to: size, zoom: zoom)
    }
    if [.rgb24, .bgr24].contains(layout.pixelFormat) {
      return bitmapScaler.scale(unsafe rgb(source, layout), to: size, zoom: zoom)
    }
    let planes = unsafe try planes(source, layout, scaledTo: size, zoom: zoom)
    // Grey keeps its values, whatever range they are said to have: the numbers are what counts.
    guard unsafe planes.chroma != nil else { return unsafe Bitmap(grey: planes.luma) }
    return unsafe Bitmap(colors: planes, range: layout.range, matrix: layout.matrix)
  }

  /// Bayer as colours, or grey of more than 8 bits.
  private func samples(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ coding: SensorSamples
  ) -> Bitmap {
    let size = layout.size
    guard let mosaic = Mosaic(layout.pixelFormat) else {
      let bytes = unsafe Self.samples(source, layout) { row, target in
        unsafe UInt16.read(row, coding, into: target, count: size.width)
      }
      return Bitmap(size: size, samples: .grey16, significantBits: coding.bits, bytes: bytes)
    }
    let samples: Bitmap.Samples = coding.bits == 8 ? .rgb8 : .rgb16
    // Codes on a curve are none of the camera's own numbers, so they fill all bits.
    let bits = 8 * samples.bytesPerChannel
    return unsafe Bitmap(size, samples, significantBits: bits) { bytes in
      let rows = 0..<size.height
      if coding.bits == 8 {
        let pixels = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        unsafe mosaicReader8.read(source, layout, mosaic, rows: rows, into: pixels)
      } else {
        let pixels = unsafe bytes.bindMemory(
          to: UInt16.self, capacity: 3 * size.width * size.height)
        unsafe mosaicReader16.read(source, layout, mosaic, rows: rows, into: pixels)
      }
    }
  }

  private func distances(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, scaledTo size: ImageSize, zoom: Zoom
  ) -> Bitmap {
    unsafe Bitmap(size, .grey16, significantBits: 16) { bytes in
      unsafe depthReader.read(
        source, layout, scaledTo: size, zoom: zoom, rows: 0..<size.height
      ) { y, distances in
        let target = unsafe bytes + 2 * size.width * y
        unsafe target.copyMemory(from: distances, byteCount: 2 * size.width)
      }
    }
  }

  private func rgb(_ source: UnsafePointer<UInt8>, _ layout: ImageLayout) -> Bitmap {
    let size = layout.size
    return unsafe Bitmap(size, .rgb8, significantBits: 8) { bytes in
      let pixels = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      for y in 0..<size.height {
        let row = unsafe source + y * layout.bytesPerLine
        let target = unsafe pixels + 3 * size.width * y
        if layout.pixelFormat == .rgb24 {
          unsafe target.update(from: row, count: 3 * size.width)
        } else {
          unsafe CPixels_reverse(row, target, size.width)
        }
      }
    }
  }
}

// MARK: Reading

extension PictureReader {
  /// Calls `body` with a raw picture's address.
  private func read<Result>(
    _ image: RawSpan, _ layout: ImageLayout,
    _ body: (UnsafePointer<UInt8>) throws(ImagingError) -> Result
  ) throws(ImagingError) -> Result {
    try layout.check(image)
    return try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      guard let source = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else {
        throw ImagingError(.shortInput, "the picture has no bytes")
      }
      return try unsafe body(source)
    }
  }

  private func planes(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, scaledTo size: ImageSize, zoom: Zoom
  ) throws(ImagingError) -> Planes {
    let (planes, isScaled) = unsafe try splitter.whole(source, layout, for: size, zoom: zoom)
    return isScaled ? unsafe planes : unsafe scaler.scale(planes, to: size, zoom: zoom)
  }

  private func turned(_ planes: Planes, _ orientation: Orientation) -> Planes {
    orientation == .upright ? unsafe planes : unsafe turner.turn(planes, orientation)
  }

  /// A picture's samples, row after row.
  /// - Parameter read: Reads a row into memory for its samples.
  private static func samples<Sample: SensorSample>(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout,
    _ read: (_ row: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<Sample>) -> Void
  ) -> [UInt8] {
    let size = layout.size
    let rowCount = size.width * MemoryLayout<Sample>.size
    return unsafe [UInt8](unsafeUninitializedCapacity: rowCount * size.height) { bytes, count in
      count = rowCount * size.height
      guard let start = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
      let samples = unsafe start.bindMemory(to: Sample.self, capacity: size.width * size.height)
      for y in 0..<size.height {
        unsafe read(source + y * layout.bytesPerLine, samples + y * size.width)
      }
    }
  }
}

extension ImageSize {
  /// - Throws: `invalidSize`.
  fileprivate func scaled(to target: ImageSize?) throws(ImagingError) -> ImageSize {
    let size = (target ?? self).clamped(to: self)
    try size.check()
    return size
  }
}
