/// Paints the part of the picture that stays the same until a control changes.
struct Background {
  private let settings: PictureSettings
  private let raster: BlockRaster

  init(_ settings: PictureSettings, raster: BlockRaster) {
    self.settings = settings
    self.raster = raster
  }

  func paint(into memory: inout MutableRawSpan) {
    let upper = line(lower: false)
    let lower = line(lower: true)
    let shares = lowerShares()
    for row in 0..<raster.rows {
      if row > 0, shares[row] == shares[row - 1] {
        raster.repeatRow(row - 1, in: &memory)
      } else {
        let colors = zip(upper, lower).map {
          settings.expose($0.mixed(with: $1, share: shares[row]))
        }
        raster.paintRow(row, colors, in: &memory)
      }
    }
  }

  /// The radius of the blur in blocks.
  private var radius: Int { Int((settings.blur * Double(raster.columns)).rounded()) }

  /// The blurred colours along an upper or lower line of the pattern.
  private func line(lower: Bool) -> [RGB] {
    let sharp = (0..<raster.columns).map { column in
      let x = (Double(column) + 0.5) / Double(raster.columns)
      return settings.pattern.color(at: settings.sceneX(x), lower: lower)
    }
    let red = averaged(sharp.map { Double($0.red) })
    let green = averaged(sharp.map { Double($0.green) })
    let blue = averaged(sharp.map { Double($0.blue) })
    return sharp.indices.map {
      RGB(red: UInt8(red[$0]), green: UInt8(green[$0]), blue: UInt8(blue[$0]))
    }
  }

  /// For each row, the share of the pattern's lower line in it, blurred.
  private func lowerShares() -> [Double] {
    averaged(
      (0..<raster.rows).map { row in
        let y = (Double(row) + 0.5) / Double(raster.rows)
        return settings.pattern.isLower(settings.sceneY(y)) ? 1 : 0
      }
    )
  }

  /// The mean of each value and its neighbours within the blur's radius.
  private func averaged(_ values: [Double]) -> [Double] {
    guard radius > 0 else { return values }
    var sums = [0.0]
    for value in values { sums.append(sums[sums.count - 1] + value) }
    return values.indices.map { index in
      let (first, last) = (max(index - radius, 0), min(index + radius + 1, values.count))
      return (sums[last] - sums[first]) / Double(last - first)
    }
  }
}
