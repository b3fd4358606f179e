import Imaging
import Testing

struct OrientationTests {
  /// Three numbers wide and two high, turned as the words of an orientation say.
  private func turned(_ rows: [[Int]], _ orientation: Orientation) -> [[Int]] {
    var rows = rows
    for _ in 0..<orientation.rotation.rawValue / 90 {
      rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } }
    }
    return orientation.isMirrored ? rows.map { $0.reversed() } : rows
  }

  @Test(arguments: Orientation.allCases)
  func `A turn that follows another one turns its result`(first: Orientation) {
    let rows = [[1, 2, 3], [4, 5, 6]]
    for next in Orientation.allCases {
      #expect(turned(rows, first.followed(by: next)) == turned(turned(rows, first), next))
    }
  }
}
