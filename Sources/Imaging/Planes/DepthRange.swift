/// Distances from one to another, which a matte shows.
package struct DepthRange: Codable, Hashable, Sendable {
  /// The largest distance that Z16 can say, metres.
  package static let farthest = 65.535

  /// Both ends, which belong to it, metres.
  package let near: Double
  package let far: Double

  /// - Parameters:
  ///   - near: 0 or more.
  ///   - far: More than `near`, at most ``farthest``.
  package init(near: Double, far: Double) {
    precondition(near >= 0 && near < far && far <= Self.farthest, "a range has an order")
    self.near = near
    self.far = far
  }

  /// A picture that is 255 where the distance is known and within the range, and 0 elsewhere.
  /// - Parameter distances: In millimetres; 0 where they are not known.
  package func matte(of distances: Bitmap) -> Bitmap {
    precondition(distances.samples == .grey16, "a distance is a number of 16 bits")
    let (nearest, farthest) = (max(1, Self.millimetres(near, .up)), Self.millimetres(far, .down))
    let size = distances.size
    return unsafe distances.bytes.withUnsafeBytes { samples in
      unsafe Bitmap(size, .grey8, significantBits: 8) { matte in
        for index in 0..<(size.width * size.height) {
          let sample = unsafe samples.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
          let distance = Int(UInt16(littleEndian: sample))
          let isWithin = distance >= nearest && distance <= farthest
          unsafe matte.storeBytes(of: isWithin ? 255 : 0, toByteOffset: index, as: UInt8.self)
        }
      }
    }
  }

  /// Few fractions of a metre are exact in binary, so they are rounded to a micrometre first.
  private static func millimetres(_ metres: Double, _ rule: FloatingPointRoundingRule) -> Int {
    Int(((metres * 1_000_000).rounded() / 1000).rounded(rule))
  }
}
