/// Paints the parts that change with every frame: the marker, the caption and the machine-readable
/// strip.
struct Foreground {
  private let raster: BlockRaster
  private let caption: Caption?

  init(raster: BlockRaster, showsCaption: Bool) {
    self.raster = raster
    caption = showsCaption ? Caption(raster: raster) : nil
  }

  func paint(
    _ strip: FrameStrip,
    _ settings: PictureSettings,
    into memory: inout MutableRawSpan
  ) {
    let squares = Marker.squares(
      frame: strip.number,
      columns: raster.columns,
      rows: raster.rows,
      settings: settings
    )
    for index in squares.indices {
      raster.fill(squares[index].rect, with: squares[index].color, in: &memory)
    }
    caption?.paint(number: strip.number, time: strip.timestamp, into: &memory)
    strip.paint(with: raster, into: &memory)
  }
}
