extension FrameStrip {
  func paint(with raster: BlockRaster, into memory: inout MutableRawSpan) {
    let geometry = StripGeometry(width: raster.columns * 2)
    let bytes = bytes
    for cell in 0..<(Self.byteCount * 8) {
      let isWhite = bytes[cell / 8] >> UInt8(7 - cell % 8) & 1 == 1
      let rect = geometry.rect(of: cell, columns: raster.columns, rows: raster.rows)
      raster.fill(rect, with: isWhite ? .white : .black, in: &memory)
    }
  }
}
