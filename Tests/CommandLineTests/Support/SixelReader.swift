/// A picture that a test reads from a program's output.
struct ReadPicture: Equatable {
  struct Pixel: Equatable {
    var red: Int
    var green: Int
    var blue: Int

    func distance(to other: Pixel) -> Int {
      max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }
  }

  var width: Int
  var height: Int
  /// Nil where nothing was drawn.
  var pixels: [Pixel?]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = Array(repeating: nil, count: width * height)
  }

  subscript(x: Int, y: Int) -> Pixel? {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }

  /// The mean colour of an area.
  func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> Pixel {
    let found = rows.flatMap { y in columns.compactMap { x in self[x, y] } }
    let sum = { (part: (Pixel) -> Int) in found.reduce(0) { $0 + part($1) } / max(1, found.count) }
    return Pixel(red: sum(\.red), green: sum(\.green), blue: sum(\.blue))
  }
}

/// Reads sixel graphics as a terminal does (DEC STD 070, section 9), and is strict: it refuses
/// whatever is not needed for a picture.
struct SixelReader {
  struct Mistake: Error {
    var text: String
    var rest: String
  }

  private var rest: Substring.UnicodeScalarView
  private var palette: [Int: ReadPicture.Pixel] = [:]

  /// The picture of a text that is one escape sequence, and perhaps a line feed.
  static func read(_ text: String) throws -> ReadPicture {
    var reader = SixelReader(rest: Substring(text).unicodeScalars)
    let picture = try reader.picture()
    guard [[], ["\n"]].contains(Array(reader.rest)) else { throw reader.mistake("more text") }
    return picture
  }

  /// The pictures of a text with several.
  static func readAll(_ text: String) throws -> [ReadPicture] {
    try text.split(separator: "\n").map { try read(String($0)) }
  }

  private mutating func picture() throws -> ReadPicture {
    try take("\u{1B}P")
    _ = try numbers()
    try take("q\"")
    let attributes = try numbers()
    guard attributes.count == 4, attributes[0] == attributes[1] else {
      throw mistake("no size of square pixels")
    }
    var picture = ReadPicture(width: attributes[2], height: attributes[3])
    var (x, band, colour) = (0, 0, 0)
    while let character = rest.popFirst() {
      switch character {
      case "#":
        let values = try numbers()
        colour = values[0]
        if values.count == 5, values[1] == 2 {
          let parts = values[2...].map { ($0 * 255 + 50) / 100 }
          palette[colour] = .init(red: parts[0], green: parts[1], blue: parts[2])
        }
      case "!":
        let count = try numbers()[0]
        guard let sixel = rest.popFirst() else { throw mistake("no sixel") }
        for _ in 0..<count { try draw(sixel, &x, band, colour, &picture) }
      case "$": x = 0
      case "-": (x, band) = (0, band + 1)
      case "\u{1B}":
        try take("\\")
        return picture
      default: try draw(character, &x, band, colour, &picture)
      }
    }
    throw mistake("no end")
  }

  private func draw(
    _ sixel: Unicode.Scalar, _ x: inout Int, _ band: Int, _ colour: Int,
    _ picture: inout ReadPicture
  ) throws {
    guard (63...126).contains(sixel.value), let pixel = palette[colour] else {
      throw mistake("no sixel: \(sixel)")
    }
    for row in 0..<6 where (sixel.value - 63) >> row & 1 == 1 {
      let y = 6 * band + row
      guard x < picture.width, y < picture.height, picture[x, y] == nil else {
        throw mistake("a pixel beyond the size, or twice")
      }
      picture[x, y] = pixel
    }
    x += 1
  }

  private mutating func numbers() throws -> [Int] {
    let digits = rest.prefix { $0 == ";" || ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return try String(digits).split(separator: ";").map { part in
      guard let number = Int(part), number <= 100_000 else { throw mistake("no number") }
      return number
    }
  }

  private mutating func take(_ text: String) throws {
    for scalar in text.unicodeScalars {
      guard rest.popFirst() == scalar else { throw mistake("no \(text.debugDescription)") }
    }
  }

  private func mistake(_ text: String) -> Mistake {
    Mistake(text: text, rest: String(rest.prefix(20)))
  }
}
