import CPixels

extension ImageLayout {
  /// Prefetches rows of a picture into this core's caches, because another core has just written
  /// them.
  func prefetch(_ source: UnsafePointer<UInt8>, rows: Swift.Range<Int>) {
    unsafe Self.prefetch(source, bytesPerLine, rows)
    guard let shape = pixelFormat.shape else { return }
    let start = unsafe source + bytesPerLine * size.height
    let stride = shape.chromaBytesPerLine(bytesPerLine)
    switch shape {
    case .packed, .packed422, .grouped: break
    case .semiPlanar(let chroma):
      unsafe Self.prefetch(start, stride, chroma.rows(rows))
    case .planar(let chroma):
      unsafe Self.prefetch(start, stride, chroma.rows(rows))
      let second = unsafe start + stride * chroma.chromaSize(size).height
      unsafe Self.prefetch(second, stride, chroma.rows(rows))
    }
  }

  private static func prefetch(
    _ plane: UnsafePointer<UInt8>, _ stride: Int, _ rows: Swift.Range<Int>
  ) {
    unsafe CPixels_prefetch(plane + rows.lowerBound * stride, rows.count * stride)
  }
}

extension ChromaSubsampling {
  /// The chroma rows that belong to these luma rows.
  fileprivate func rows(_ luma: Range<Int>) -> Range<Int> {
    luma.lowerBound / vertical..<(luma.upperBound + vertical - 1) / vertical
  }
}
