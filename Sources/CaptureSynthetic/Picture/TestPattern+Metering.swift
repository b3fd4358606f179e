import Capture
import Imaging

extension TestPattern {
  /// The places in each direction at which brightness is measured.
  private static let places = 32

  /// By how much an automatic exposure that goes by a region is brighter than one that goes by the
  /// whole scene: it makes the region as bright as the scene was, within two stops.
  func metered(in region: ControlRegion) -> Double {
    let whole = SensorRegion.bounds.largest
    let ratio = (brightness(in: whole) + 1) / (brightness(in: region) + 1)
    return min(max(ratio, 0.25), 4)
  }

  /// The mean luma of a region of the scene.
  private func brightness(in region: ControlRegion) -> Double {
    let whole = SensorRegion.bounds.largest
    func share(_ place: Int, _ start: Int64, _ length: Int64, of all: Int64) -> Double {
      (Double(start) + (Double(place) + 0.5) / Double(Self.places) * Double(length)) / Double(all)
    }
    var sum = 0.0
    for row in 0..<Self.places {
      let isLower = isLower(share(row, region.top, region.height, of: whole.height))
      for column in 0..<Self.places {
        let x = share(column, region.left, region.width, of: whole.width)
        sum += Double(color(at: x, lower: isLower).yCbCr(.full).y)
      }
    }
    return sum / Double(Self.places * Self.places)
  }
}
