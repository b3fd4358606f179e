/// Reads a picture of half blocks as a terminal does (ECMA-48, SGR), and refuses all else.
enum BlockReader {
  struct Mistake: Error {
    var text: String
  }

  static func read(_ text: String) throws -> ReadPicture {
    let lines = try text.split(separator: "\n").map { try line(String($0)) }
    let width = lines.first?.count ?? 0
    guard lines.allSatisfy({ $0.count == width }) else { throw Mistake(text: "uneven lines") }
    // Only the last line may have no lower pixels.
    let isOdd = lines.last?.allSatisfy { $0.lower == nil } == true
    var picture = ReadPicture(width: width, height: 2 * lines.count - (isOdd ? 1 : 0))
    for (row, line) in lines.enumerated() {
      for (x, cell) in line.enumerated() {
        picture[x, 2 * row] = cell.upper
        if 2 * row + 1 < picture.height { picture[x, 2 * row + 1] = cell.lower }
      }
    }
    return picture
  }

  private typealias Cell = (upper: ReadPicture.Pixel?, lower: ReadPicture.Pixel?)

  private static func line(_ text: String) throws -> [Cell] {
    var cells: [Cell] = []
    var now: Cell = (nil, nil)
    var rest = Substring(text)
    while !rest.isEmpty {
      if let escape = rest.prefixMatch(of: /\u{1B}\[([0-9;]+)m/) {
        try change(&now, escape.1.split(separator: ";").compactMap { Int($0) })
        rest = rest[escape.range.upperBound...]
      } else {
        guard rest.removeFirst() == "▀" else { throw Mistake(text: "another character") }
        cells.append(now)
      }
    }
    guard now.upper == nil, now.lower == nil else { throw Mistake(text: "colours are left on") }
    return cells
  }

  private static func change(_ now: inout Cell, _ numbers: [Int]) throws {
    var rest = numbers[...]
    while let first = rest.popFirst() {
      switch first {
      case 0: now = (nil, nil)
      case 49: now.lower = nil
      case 38: now.upper = try colour(&rest)
      case 48: now.lower = try colour(&rest)
      default: throw Mistake(text: "no colour: \(first)")
      }
    }
  }

  private static func colour(_ numbers: inout ArraySlice<Int>) throws -> ReadPicture.Pixel {
    switch numbers.popFirst() {
    case 2 where numbers.count >= 3:
      let parts = Array(numbers.prefix(3))
      numbers = numbers.dropFirst(3)
      return .init(red: parts[0], green: parts[1], blue: parts[2])
    case 5:
      guard let index = numbers.popFirst(), (16...255).contains(index) else { break }
      if index >= 232 {
        let level = 8 + 10 * (index - 232)
        return .init(red: level, green: level, blue: level)
      }
      let levels = [0, 95, 135, 175, 215, 255]
      let steps = index - 16
      return .init(
        red: levels[steps / 36], green: levels[steps / 6 % 6], blue: levels[steps % 6])
    default: break
    }
    throw Mistake(text: "an incomplete colour")
  }
}
