import CPixels

extension Bitmap {
  /// - Parameter fill: Writes all the bytes.
  init(
    _ size: ImageSize, _ samples: Samples, significantBits: Int,
    fill: (_ bytes: UnsafeMutableRawPointer) -> Void
  ) {
    let count = size.width * size.height * samples.bytesPerPixel
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
      if let start = bytes.baseAddress { unsafe fill(UnsafeMutableRawPointer(start)) }
      written = count
    }
    self.init(size: size, samples: samples, significantBits: significantBits, bytes: bytes)
  }

  /// - Parameter plane: Grey in full range.
  init(grey plane: Plane) {
    let size = unsafe plane.size
    unsafe self.init(size, .grey8, significantBits: 8) { bytes in
      for y in 0..<size.height {
        let target = unsafe bytes + size.width * y
        unsafe target.copyMemory(from: plane.row(y), byteCount: size.width)
      }
    }
  }

  /// Makes red, green and blue of luma and chroma. The pixels that share a chroma sample have it
  /// alike.
  /// - Parameter planes: Have chroma, with one sample for one, two or four pixels across.
  init(colors planes: Planes, range: ImageLayout.Range, matrix: ImageLayout.Matrix) {
    let size = unsafe planes.size
    unsafe self.init(size, .rgb8, significantBits: 8) { bytes in
      guard let chroma = unsafe planes.chroma else { return }
      let shift = unsafe Int32(planes.subsampling.horizontal.trailingZeroBitCount)
      var weights = CPixels_Matrix(range, matrix)
      let pixels = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      for y in 0..<size.height {
        let chromaY = unsafe y / planes.subsampling.vertical
        unsafe CPixels_colors(
          planes.luma.row(y), chroma.blue.row(chromaY), chroma.red.row(chromaY), shift, &weights,
          pixels + 3 * size.width * y, size.width)
      }
    }
  }

  func turned(_ orientation: Orientation) -> Bitmap {
    guard orientation != .upright else { return self }
    return switch samples {
    case .grey8: turned(orientation, as: UInt8.self)
    case .grey16: turned(orientation, as: UInt16.self)
    case .rgb8: turned(orientation, as: InlineArray<3, UInt8>.self)
    case .rgb16: turned(orientation, as: InlineArray<3, UInt16>.self)
    }
  }

  private func turned<Pixel: BitwiseCopyable>(
    _ orientation: Orientation, as pixel: Pixel.Type
  ) -> Bitmap {
    let turned = orientation.turned(size)
    let length = MemoryLayout<Pixel>.size
    let toNextColumn = orientation.reversesColumns ? -length : length
    let toNextRow = orientation.reversesRows ? -bytesPerLine : bytesPerLine
    let (across, down) =
      orientation.rotation.swapsSides ? (toNextRow, toNextColumn) : (toNextColumn, toNextRow)
    let first =
      (orientation.reversesColumns ? bytesPerLine - length : 0)
      + (orientation.reversesRows ? (size.height - 1) * bytesPerLine : 0)
    return unsafe Bitmap(turned, samples, significantBits: significantBits) { target in
      unsafe bytes.withUnsafeBytes { source in
        var place = 0
        for y in 0..<turned.height {
          for x in 0..<turned.width {
            let value = unsafe source.loadUnaligned(
              fromByteOffset: first + x * across + y * down, as: Pixel.self)
            unsafe target.storeBytes(of: value, toByteOffset: place, as: Pixel.self)
            place += length
          }
        }
      }
    }
  }
}

extension CPixels_Matrix {
  /// The inverse of the recommendations' formulas for luma and chroma.
  fileprivate init(_ range: ImageLayout.Range, _ matrix: ImageLayout.Matrix) {
    let (red, blue) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let green = 1 - red - blue
    let (luma, chroma) = range == .full ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
    func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
    self.init(
      luma: fixed(luma),
      redOfRed: fixed(chroma * 2 * (1 - red)),
      greenOfBlue: fixed(-chroma * 2 * (1 - blue) * blue / green),
      greenOfRed: fixed(-chroma * 2 * (1 - red) * red / green),
      blueOfBlue: fixed(chroma * 2 * (1 - blue)),
      black: range == .full ? 0 : 16)
  }
}
