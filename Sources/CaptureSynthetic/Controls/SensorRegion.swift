import Capture

/// A region of the synthetic sensor, which has the shape of the scene. The control bank keeps it as
/// one number of four times 16 bits.
enum SensorRegion {
  static let bounds = ControlRegion.Bounds(
    smallest: ControlRegion(left: 0, top: 0, width: 160, height: 90),
    largest: ControlRegion(left: 0, top: 0, width: 3840, height: 2160))

  static func code(of region: ControlRegion) -> Int64 {
    region.elements.reduce(0) { $0 << 16 | $1 }
  }

  /// The code of the nearest region that the sensor has.
  static func code(of elements: [Int64]) -> Int64 {
    let region = ControlRegion(
      left: elements[0], top: elements[1], width: elements[2], height: elements[3])
    return code(of: region.clamped(to: bounds))
  }

  static func region(_ code: Int64) -> ControlRegion {
    func part(_ index: Int64) -> Int64 { code >> (16 * (3 - index)) & 0xffff }
    return ControlRegion(left: part(0), top: part(1), width: part(2), height: part(3))
  }
}
