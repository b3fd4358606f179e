import CameraNode
import Foundation
import Imaging
import TestSupport
import Testing

/// The contact sheet of a rig's shot, read back from its JPEG.
@Suite(.timeLimit(.minutes(5)))
struct ContactSheetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func camctl(_ arguments: String...) async throws -> Program.Outcome {
    try await Program(name: "camctl").run(arguments, in: folder.path)
  }

  /// Writes `shot.json` with these parts.
  private func describe(_ parts: [String], in shot: String = "shot") throws {
    let id = String(repeating: "0", count: 32)
    try folder.write(
      """
      {"shot": "\(id)", "rig": "studio", "monotonicNanoseconds": 5, "wallNanoseconds": 0,
      "outcome": "incomplete", "parts": [\(parts.joined(separator: ","))]}
      """, to: "\(shot)/shot.json")
  }

  private func part(
    _ camera: String, file: String? = nil, type: String = "image/jpeg",
    offset: (least: Int, most: Int)? = nil
  ) -> String {
    let name = file.map { #""name": "\#($0)", "# } ?? ""
    let bounds = offset.map {
      #", "offset": {"leastNanoseconds": \#($0.least), "mostNanoseconds": \#($0.most)}"#
    }
    return #"{"camera": "\#(camera)", "node": "n", "picture": {"requestID": "\#(camera.id)", "#
      + #""files": [{\#(name)"mediaType": "\#(type)", "byteCount": 1, "sha256": ""}]"#
      + "\(bounds ?? "")}}"
  }

  @Test func `Each camera has a tile with its picture, its name and its offset, or the reason`()
    async throws
  {
    let bars = try PaintedJPEG.bars(640, 480)
    try folder.write(bars, to: "shot/a.jpg")
    // 16:9.
    try folder.write(try PaintedJPEG.bars(1280, 720), to: "shot/b.jpg")
    try folder.write(bars.prefix(bars.count / 2), to: "shot/cut.jpg")
    let (size, pixels) = try unsafe JPEGDecoder().decodeRGB(bars.span.bytes)
    let png = try PNGEncoder.encode(
      Bitmap(size: size, samples: .rgb8, significantBits: 8, bytes: pixels))
    try folder.write(png, to: "shot/lossless.png")
    try folder.write(bars, to: "outside.jpg")
    try describe([
      part("a", file: "a.jpg", offset: (8_200_000, 16_400_000)),
      part("b", file: "b.jpg", offset: (-3_000_000, -1_000_000)),
      #"{"camera": "gone", "node": "n", "failedStep": "connect", "#
        + #""problem": {"code": "unreachable", "message": "m"}}"#,
      part("raw", file: "x.dng", type: "image/x-adobe-dng"), part("cut", file: "cut.jpg"),
      part("hostile", file: "../outside.jpg"), part("kept"),
      part("lossless", file: "lossless.png", type: "image/png"),
    ])
    let outcome = try await camctl("rig", "sheet", "shot")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output == "shot/contact-sheet.jpg\n")
    let sheet = try Sheet(folder, columns: 3)
    #expect(sheet.size == ImageSize(width: 3 * 648 + 8, height: 32 + 3 * 560 + 8))
    #expect(sheet.title(first: 6) == "studio")
    #expect(sheet.text(0, line: 0) == "a" && sheet.text(0, line: 1) == "+12.3 ± 4.1 ms")
    #expect(sheet.text(1, line: 0) == "b" && sheet.text(1, line: 1) == "-2.0 ± 1.0 ms")
    for tile in [0, 1, 7] {
      for (index, bar) in PaintedJPEG.bars.enumerated() {
        let mean = sheet.mean(tile, x: 80 * index + 20..<80 * index + 60, y: 100..<380)
        #expect(mean.distance(to: bar) <= 8, "\(tile) \(index): \(mean)")
      }
    }
    // A wide picture has empty room above and below.
    let empty = ReadPicture.Pixel(red: 24, green: 24, blue: 24)
    #expect(sheet.mean(1, x: 20..<620, y: 5..<50).distance(to: empty) <= 4)
    #expect(sheet.mean(0, x: 20..<60, y: 5..<50).distance(to: PaintedJPEG.bars[0]) <= 8)
    let notes = (2..<7).map { sheet.note($0) }
    #expect(
      notes == [
        "unreachable", "dng not shown", "cannot be decoded", "not in this folder",
        "not in this folder",
      ])
    #expect(sheet.text(2, line: 0) == "gone" && sheet.text(2, line: 1) == "at connect")
    #expect(sheet.text(4, line: 1) == "clock not known")
  }

  @Test func `Nothing is overwritten, and a shot without a picture has no sheet`() async throws {
    try folder.write(try PaintedJPEG.bars(64, 48), to: "shot/a.jpg")
    try describe([part("a", file: "a.jpg")])
    try folder.write("mine", to: "shot/contact-sheet.jpg")
    let there = try await camctl("rig", "sheet", "shot")
    there.expectOneLine(
      of: "camctl", status: 1, remedy: "contact-sheet.jpg is there already: remove it")
    #expect(try folder.text(of: "shot/contact-sheet.jpg") == "mine")
    try describe([#"{"camera": "a", "node": "n"}"#], in: "none")
    let none = try await camctl("rig", "sheet", "none")
    none.expectOneLine(of: "camctl", status: 1, remedy: "no camera has a picture")
    try folder.write("{}", to: "other/shot.json")
    for (name, remedy) in [
      ("other", "describes no shot"), ("missing", "name the folder of a shot"),
    ] {
      let outcome = try await camctl("rig", "sheet", name)
      outcome.expectOneLine(of: "camctl", status: 1, remedy: remedy)
    }
  }

  @Test func `A sheet follows no link and waits for no pipe`() async throws {
    try folder.write(try PaintedJPEG.bars(64, 48), to: "secret.jpg")
    try describe([part("linked", file: "linked.jpg"), part("pipe", file: "pipe.jpg")])
    let shot = "\(folder.path)/shot"
    try FileManager.default.createSymbolicLink(
      atPath: "\(shot)/linked.jpg", withDestinationPath: "\(folder.path)/secret.jpg")
    let pipe = unsafe mkfifo("\(shot)/pipe.jpg", 0o600)
    #expect(pipe == 0)
    let sheet = "\(shot)/contact-sheet.jpg"
    try FileManager.default.createSymbolicLink(
      atPath: sheet, withDestinationPath: "\(folder.path)/elsewhere.jpg")
    let refused = try await camctl("rig", "sheet", "shot")
    refused.expectOneLine(of: "camctl", status: 1, remedy: "is there already")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/elsewhere.jpg"))
    try FileManager.default.removeItem(atPath: sheet)
    #expect(try await camctl("rig", "sheet", "shot").status == 0)
    let drawn = try Sheet(folder, columns: 2)
    #expect(drawn.note(0) == "no file" && drawn.note(1) == "no file")
  }

  @Test(arguments: [(100, 10), (576, 24), (1000, 24)])
  func `A sheet of many cameras is no larger than a screen can show`(count: Int, columns: Int)
    async throws
  {
    try folder.write(try PaintedJPEG.bars(640, 480), to: "shot/a.jpg")
    try describe((0..<count).map { part("a-camera-with-a-rather-long-name-\($0)", file: "a.jpg") })
    #expect(try await camctl("rig", "sheet", "shot").status == 0)
    let sheet = try Sheet(folder, columns: columns)
    #expect(sheet.size.width <= 4096 && sheet.size.height <= 4096, "\(sheet.size)")
    let width = sheet.tileWidth
    for tile in [0, count == 100 ? 99 : 574] {
      for (index, bar) in PaintedJPEG.bars.enumerated() {
        let columns = width * index / 8 + 5..<width * (index + 1) / 8 - 5
        let mean = sheet.mean(tile, x: columns, y: 20..<100)
        #expect(mean.distance(to: bar) <= 10, "\(tile) \(index): \(mean)")
      }
    }
    if count == 100 { #expect(sheet.text(99, line: 0, dot: 1).hasSuffix("long-name-99")) }
    if count == 1000 { #expect(sheet.note(575, dot: 1) == "and 425 more") }
  }

  @Test func `Shots of a rig have a contact sheet`() async throws {
    try await withNode { node, _ in
      for camera in ["left", "right"] {
        let taken = try await Program(name: "camctl").run([
          "capture", "--node", node.control, "--camera", camera, "--output", "/dev/null",
        ])
        #expect(taken.status == 0)
      }
      let shot = try await self.camctl(
        "rig", "capture", "--node", node.control, "--node", "tcp://127.0.0.1:1", "--need", "any",
        "--timeout", "2s", "--output", "shot")
      #expect(shot.status == 75 && shot.errors.isEmpty, "\(shot.errors)")
      let sheet = try Sheet(folder, columns: 2)
      #expect(sheet.text(0, line: 0) == "left" && sheet.text(1, line: 0) == "right")
      // The node has this machine's clock, so only the rounding is unknown, if anything is.
      let words = sheet.text(0, line: 1)
      #expect(words.hasSuffix("± 0.1 ms") || words == "+0.0 ± 0.0 ms", "\(words)")
      #expect(sheet.note(2) == "unreachable")
      let series = try await self.camctl(
        "rig", "series", "--node", node.control, "--count", "2", "--every", "100ms", "--output",
        "series")
      #expect(series.status == 0 && series.errors.isEmpty, "\(series.errors)")
      for name in ["0001", "0002"] {
        #expect(
          try folder.names(in: "series/\(name)") == [
            "contact-sheet.jpg", "left.jpg", "right.jpg", "shot.json",
          ])
      }
    }
  }
}

extension String {
  /// 32 hexadecimal digits that differ as the texts do.
  fileprivate var id: String {
    let digits = utf8.map { String($0 & 15, radix: 16) }.joined()
    return String((digits + String(repeating: "0", count: 32)).prefix(32))
  }
}

extension TemporaryFolder {
  fileprivate func text(of name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  fileprivate func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
  }
}

/// A contact sheet that was decoded.
private struct Sheet {
  private static let margin = 8
  private static let top = 32

  let size: ImageSize
  private let pixels: [UInt8]
  private let columns: Int

  init(_ folder: TemporaryFolder, columns: Int) throws {
    let bytes = Array(
      try Data(contentsOf: URL(filePath: "\(folder.path)/shot/contact-sheet.jpg")))
    (size, pixels) = try unsafe JPEGDecoder().decodeRGB(bytes.span.bytes)
    self.columns = columns
  }

  var tileWidth: Int { (size.width - Self.margin) / columns - Self.margin }
  private var dot: Int { tileWidth / 160 }

  private func origin(_ tile: Int) -> (x: Int, y: Int) {
    let height = tileWidth * 3 / 4 + 18 * dot + Self.margin
    return (
      Self.margin + tile % columns * (tileWidth + Self.margin),
      Self.top + tile / columns * height
    )
  }

  func mean(_ tile: Int, x: Range<Int>, y: Range<Int>) -> ReadPicture.Pixel {
    let origin = origin(tile)
    var sums = [0, 0, 0]
    for row in y {
      for column in x {
        let index = 3 * ((origin.y + row) * size.width + origin.x + column)
        for channel in 0..<3 { sums[channel] += Int(pixels[index + channel]) }
      }
    }
    let count = x.count * y.count
    return .init(red: sums[0] / count, green: sums[1] / count, blue: sums[2] / count)
  }

  func title(first count: Int) -> String {
    read(Self.margin, (Self.top - 21) / 2, dot: 3, count: count)
  }

  func text(_ tile: Int, line: Int, dot own: Int? = nil) -> String {
    let (origin, height) = (origin(tile), 9 * dot)
    let dot = own ?? dot
    return read(
      origin.x, origin.y + tileWidth * 3 / 4 + line * height + (height - 7 * dot) / 2, dot: dot,
      count: tileWidth / (6 * dot))
  }

  /// The words in place of a picture.
  func note(_ tile: Int, dot own: Int? = nil) -> String {
    let origin = origin(tile)
    let dot = own ?? dot
    return read(
      origin.x + tileWidth / 16, origin.y + (tileWidth * 3 / 4 - 7 * dot) / 2, dot: dot,
      count: tileWidth * 7 / 8 / (6 * dot))
  }

  /// Reads characters by the font's dots.
  private func read(_ x: Int, _ y: Int, dot: Int, count: Int) -> String {
    let characters = ((0x20..<0x7f).compactMap { Unicode.Scalar($0) } + ["±"])
    let text = (0..<count).map { place -> Character in
      let rows = (0..<7).map { row in
        (0..<5).reduce(UInt8(0)) { bits, column in
          let index =
            3
            * ((y + row * dot + dot / 2) * size.width + x + (place * 6 + column) * dot + dot / 2)
          return bits << 1 | (pixels[index + 1] > 125 ? 1 : 0)
        }
      }
      let found = characters.first { character in
        let glyph = DotFont.glyph(character)
        return rows.indices.allSatisfy { glyph[$0] == rows[$0] }
      }
      return found.map(Character.init) ?? "?"
    }
    return String(String(text).reversed().drop { $0 == " " }.reversed())
  }
}
