import Imaging

/// Tells whether a picture differs from the one before it by more than pictures did before a change
/// of controls. Pure.
///
/// Cells of the picture that were lively before are left out. Of the others, either many must have
/// changed, or all of them a little.
struct PictureChange: Sendable {
  /// How many pictures from before the change are looked at, and how many are needed at least.
  static let (most, least) = (6, 3)
  /// Code values by which a cell may differ without counting.
  private static let tolerance = 3
  /// How many cells must change in a scene without any motion: one of twenty-five.
  private static let leastCells = LumaGrid.fine.width * LumaGrid.fine.height / 25

  /// How much a picture differs from the one before it: how many calm cells do, and by how much
  /// most of them do.
  struct Difference: Sendable {
    var (cells, step) = (0, 0)

    func most(_ other: Difference) -> Difference {
      Difference(cells: max(cells, other.cells), step: max(step, other.step))
    }
  }

  /// The picture before the change.
  let last: LumaGrid
  private let calm: [Int]
  /// What is usual without a change.
  private var usual = Difference()

  /// - Parameter before: The pictures before the change, the latest last.
  /// - Returns: Nil if there are too few.
  init?(since before: [LumaGrid]) {
    guard before.count >= Self.least, let last = before.last,
      before.allSatisfy({ $0.cells.count == last.cells.count })
    else { return nil }
    self.last = last
    let changes = zip(before.dropFirst(), before).map { later, earlier in
      later.differences(from: earlier)
    }
    let liveliness = last.cells.indices.map { cell in
      changes.count { abs($0[cell]) > Self.tolerance }
    }
    let calm = liveliness.indices.filter { liveliness[$0] == 0 }
    self.calm = calm
    for change in changes {
      // A cell that changed once was calm until then.
      let cells = change.indices.count {
        abs(change[$0]) > Self.tolerance && liveliness[$0] == 1
      }
      let step = abs(Self.median(calm.map { change[$0] }))
      usual = usual.most(Difference(cells: cells, step: step))
    }
  }

  func difference(of picture: LumaGrid, from previous: LumaGrid) -> Difference {
    let change = picture.differences(from: previous)
    return Difference(
      cells: calm.count { abs(change[$0]) > Self.tolerance },
      step: abs(Self.median(calm.map { change[$0] })))
  }

  func isUnusual(_ difference: Difference) -> Bool {
    difference.cells > 2 * usual.cells + Self.leastCells || difference.step > usual.step
  }

  private static func median(_ numbers: [Int]) -> Int {
    numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
  }
}
