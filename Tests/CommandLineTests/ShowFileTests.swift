import OperatingSystem
import TestSupport
import Testing

/// `camctl show` with files, drawn in every form and read back.
@Suite(.timeLimit(.minutes(5)))
struct ShowFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func show(
    _ jpeg: [UInt8], _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> String {
    let path = try folder.write(jpeg, to: "photo.jpg")
    let outcome = try await Program(name: "camctl").run(
      ["show", path] + arguments, environment: environment)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  // MARK: Sixels

  @Test func `Sixels have the picture's own size, and its colours within a step of the palette`()
    async throws
  {
    let jpeg = try PaintedJPEG.bars(160, 43)
    let picture = try SixelReader.read(try await show(jpeg, "--as", "sixel"))
    #expect((picture.width, picture.height) == (160, 43))
    #expect(!picture.pixels.contains(nil))
    for (index, bar) in PaintedJPEG.bars.enumerated() {
      // Chroma is mixed at the edges of the bars.
      let columns = (20 * index + 4)..<(20 * index + 16)
      for y in 0..<43 {
        for x in columns {
          let pixel = try #require(picture[x, y])
          #expect(pixel.distance(to: bar) <= 51 + 6, "\(x) \(y)")
        }
      }
      // Dithering makes up for the steps: 8 rows and 8 columns have each threshold once.
      let mean = picture.mean((20 * index + 6)..<(20 * index + 14), 8..<40)
      #expect(mean.distance(to: bar) <= 6, "\(index): \(mean)")
    }
  }

  @Test func `Sixels fit the width that was asked for, and keep the picture's shape`() async throws
  {
    let jpeg = try PaintedJPEG.bars(320, 200)
    let picture = try SixelReader.read(
      try await show(jpeg, "--as", "sixel", "--width", "20"))
    // A column is taken for 6 pixels.
    #expect((picture.width, picture.height) == (120, 75))
    for (index, bar) in PaintedJPEG.bars.enumerated() {
      let mean = picture.mean((15 * index + 4)..<(15 * index + 12), 8..<40)
      #expect(mean.distance(to: bar) <= 6, "\(index): \(mean)")
    }
  }

  @Test func `Long runs of a colour are short in sixels`() async throws {
    let grey = try PaintedJPEG.paint(400, 60) { _, _ in .init(red: 0, green: 0, blue: 0) }
    let output = try await show(grey, "--as", "sixel")
    #expect(output.utf8.count < 200, "\(output.utf8.count)")
    #expect(Set(try SixelReader.read(output).pixels.map { $0?.red }) == [0])
  }

  // MARK: Characters

  @Test func `Half blocks have the colours of the picture, two pixels in a character`() async throws
  {
    // The JPEG's own areas of 8x8. Chroma is mixed at their sides.
    let color = { (x: Int, y: Int) in PaintedJPEG.bars[(x / 8 + y / 8 * 3) % 8] }
    let jpeg = try PaintedJPEG.paint(40, 24, color)
    let output = try await show(
      jpeg, "--as", "blocks", environment: ["COLORTERM": "truecolor"])
    let picture = try BlockReader.read(output)
    #expect((picture.width, picture.height) == (40, 24))
    for y in 0..<24 {
      for x in 0..<40 where 2..<6 ~= x % 8 {
        #expect(try #require(picture[x, y]).distance(to: color(x, y)) <= 6, "\(x) \(y)")
      }
    }
  }

  @Test(arguments: ["", "yes"])
  func `Without 24 bits the half blocks have the nearest of 256 colours`(name: String) async throws
  {
    let output = try await show(
      try PaintedJPEG.bars(64, 8), "--as", "blocks", environment: ["COLORTERM": name])
    #expect(!output.contains("38;2;"))
    let picture = try BlockReader.read(output)
    for (index, bar) in PaintedJPEG.bars.enumerated() {
      let mean = picture.mean((8 * index + 2)..<(8 * index + 6), 0..<8)
      // The largest gap of the palette is 95.
      #expect(mean.distance(to: bar) <= 48 + 6, "\(index): \(mean)")
    }
    // The greys are nearer than the cube.
    #expect(picture.mean(2..<6, 0..<8).distance(to: PaintedJPEG.bars[0]) <= 8)
  }

  @Test func `The last half of an odd height keeps the terminal's background`() async throws {
    let jpeg = try PaintedJPEG.bars(16, 9)
    let picture = try BlockReader.read(try await show(jpeg, "--as", "blocks"))
    #expect((picture.width, picture.height) == (16, 9))
    #expect(!picture.pixels.contains(nil))
  }

  @Test func `Plain characters have more ink for brighter pixels, and no escape sequence`()
    async throws
  {
    let ramp = try PaintedJPEG.paint(80, 40) { x, _ in
      .init(red: 255 * x / 79, green: 255 * x / 79, blue: 255 * x / 79)
    }
    let lines = try await show(ramp, "--as", "text", "--width", "40").lines
    // A character is twice as high as wide.
    #expect(lines.count == 10)
    let inks = Array(" .:-=+*#%@")
    for line in lines {
      #expect(line.count == 40)
      let levels = try line.map { try #require(inks.firstIndex(of: $0)) }
      #expect(levels == levels.sorted())
      #expect(Set(levels).count == 10)
    }
  }

  @Test(arguments: [
    ("sixel", 480, 270), ("blocks", 80, 45), ("text", 80, 22),
  ])
  func `A large picture takes 80 columns elsewhere than on a terminal`(
    form: String, width: Int, height: Int
  ) async throws {
    let output = try await show(try PaintedJPEG.bars(1280, 720), "--as", form)
    switch form {
    case "sixel":
      let picture = try SixelReader.read(output)
      #expect((picture.width, picture.height) == (width, height))
    case "blocks":
      let picture = try BlockReader.read(output)
      #expect((picture.width, picture.height) == (width, height))
    default:
      #expect(output.lines.map(\.count) == Array(repeating: width, count: height))
    }
  }

  @Test(arguments: 1...8)
  func `A photo is turned as its EXIF data says`(value: UInt8) async throws {
    let (first, second) = (PaintedJPEG.bars[1], PaintedJPEG.bars[6])
    let (third, rest) = (PaintedJPEG.bars[3], PaintedJPEG.bars[0])
    // The first row and column meet in the first corner. The second colour follows in the first
    // row, the third in the first column.
    let jpeg = try PaintedJPEG.paint(32, 16, exif: value) { x, y in
      switch (x / 8, y / 8) {
      case (0, 0): first
      case (3, 0): second
      case (0, 1): third
      default: rest
      }
    }
    let output = try await show(jpeg, "--as", "blocks", environment: ["COLORTERM": "24bit"])
    let picture = try BlockReader.read(output)
    let swaps = value > 4
    #expect((picture.width, picture.height) == (swaps ? 16 : 32, swaps ? 32 : 16))
    // Where the corner is, by the words of the standard: the sides of the first row and column.
    let isRight = [2, 3, 6, 7].contains(value)
    let isBottom = [3, 4, 7, 8].contains(value)
    let expected = [
      (first, isRight, isBottom),
      // The end of the first row: it is upright where the sides are swapped.
      (second, swaps ? isRight : !isRight, swaps ? !isBottom : isBottom),
      (third, swaps ? !isRight : isRight, swaps ? isBottom : !isBottom),
    ]
    for (color, isRight, isBottom) in expected {
      let columns = isRight ? (picture.width - 6)..<(picture.width - 2) : 2..<6
      let rows = isBottom ? (picture.height - 6)..<(picture.height - 2) : 2..<6
      #expect(picture.mean(columns, rows).distance(to: color) <= 8, "\(isRight) \(isBottom)")
    }
  }

  // MARK: Refusals

  @Test func `A damaged file is an error, and nothing is drawn`() async throws {
    let jpeg = try PaintedJPEG.bars(320, 240)
    let path = try folder.write(jpeg[..<(jpeg.count / 2)], to: "damaged.jpg")
    let outcome = try await Program(name: "camctl").run(["show", path, "--as", "sixel"])
    outcome.expectOneLine(of: "camctl", status: 1, remedy: "damaged.jpg cannot be shown")
  }

  @Test func `A file of another format is told what can be shown`() async throws {
    let path = try folder.write("\u{89}PNG\r\n", to: "picture.png")
    let outcome = try await Program(name: "camctl").run(["show", path, "--as", "text"])
    outcome.expectOneLine(of: "camctl", status: 1, remedy: "only JPEG photos can be shown")
  }

  @Test func `A picture that claims enormous sizes is refused`() async throws {
    var jpeg = try PaintedJPEG.bars(32, 32)
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xff, 0xc0]) })
    jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0x3f, 0xff, 0x3f, 0xff])
    let enough = [UInt8](repeating: 0, count: 1 << 20)
    for (bytes, reason) in [(jpeg, "cannot hold"), (jpeg + enough, "at most 120 million")] {
      let path = try folder.write(bytes, to: "huge.jpg")
      let outcome = try await Program(name: "camctl").run(["show", path, "--as", "text"])
      outcome.expectOneLine(of: "camctl", status: 1, remedy: reason)
    }
  }

  @Test func `A JPEG that ends in its headers is called so`() async throws {
    let jpeg = try PaintedJPEG.bars(32, 32)
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xff, 0xc0]) })
    let path = try folder.write(jpeg[..<frame], to: "cut.jpg")
    let outcome = try await Program(name: "camctl").run(["show", path, "--as", "text"])
    outcome.expectOneLine(of: "camctl", status: 1, remedy: "the JPEG's headers do not end")
  }

  @Test func `Control characters in a file's name do not reach the terminal`() async throws {
    let path = try folder.write("no picture", to: "\u{1B}[31m\u{9B}2J\u{7}.jpg")
    let outcome = try await Program(name: "camctl").run(["show", path, "--as", "text"])
    outcome.expectOneLine(of: "camctl", status: 1, remedy: "is no JPEG")
    #expect(!outcome.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
    let missing = try await Program(name: "camctl").run(["show", "\u{1B}]0;x\u{7}", "--as", "text"])
    missing.expectOneLine(of: "camctl", status: 64, remedy: "is no file and no asset's id")
    #expect(!missing.errors.contains("\u{1B}"))
  }

  @Test func `A picture is no JSON`() async throws {
    let outcome = try await Program(name: "camctl").run(["show", "--as", "text", "--json"])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("leave --json out"))
  }

  @Test(arguments: [
    Mistake("show", 64, "--as sixel, blocks or text"),
    Mistake("show PHOTO", 64, "--as sixel, blocks or text"),
    Mistake("show PHOTO --as braille", 64, "sixel"),
    Mistake("show PHOTO --as text --latest", 64, "--latest"),
    Mistake("show PHOTO --as text --frames 3", 64, "--frames"),
    Mistake("show PHOTO --as text --width 0", 64, "1 to 1000"),
    Mistake("show --as text --frames 0", 64, "above 0"),
    Mistake("show FOLDER --as text", 1, "cannot be read"),
    Mistake("view", 64, "did you mean 'camctl show'?"),
  ])
  func `Mistakes are told`(mistake: Mistake) async throws {
    let photo = try folder.write(try PaintedJPEG.bars(32, 32), to: "photo.jpg")
    let words = mistake.arguments.replacing("PHOTO", with: photo)
      .replacing("FOLDER", with: folder.path)
    let outcome = try await Program(name: "camctl").run(
      words.split(separator: " ").map(String.init))
    outcome.expectOneLine(of: "camctl", status: mistake.status, remedy: mistake.remedy)
  }
}
