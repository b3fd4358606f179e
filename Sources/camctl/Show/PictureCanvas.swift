import Imaging
import OperatingSystem

/// The place on the standard output where pictures are drawn, each over the one before.
///
/// On a terminal the cursor stands in the line below the picture whenever nothing is being drawn,
/// and is hidden only meanwhile. Elsewhere, and on terminals without escape sequences, the pictures
/// follow each other.
struct PictureCanvas {
  /// What a terminal is taken for that does not know its size, and the width in files.
  private static let usualColumns = 80
  private static let usualRows = 24
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"

  private struct Place: Equatable {
    /// The rows that the picture takes.
    var rows: Int
    var size: ImageSize
    var terminal: TerminalSize?
  }

  let form: PictureForm
  /// Whether a picture takes the place of the one before.
  let redraws = StandardOutput.isTerminal && Style.knowsEscapes
  private let depth = ColourDepth.ofTerminal
  /// The most columns that the user wants.
  private let width: Int?
  /// The size of a character in pixels, as the terminal answered.
  private let answeredCell: PictureRoom.Cell?
  private var place: Place?

  /// - Parameter answers: What the terminal says of itself; nil if it says nothing.
  init(_ form: PictureForm, width: Int?, _ answers: TerminalAnswers?) {
    self.form = form
    self.width = width
    let size = StandardOutput.terminalSize
    if let pixels = answers?.pixels, let size, size.rows > 0 {
      answeredCell = PictureRoom.Cell(
        width: Double(pixels.width) / Double(size.columns),
        height: Double(pixels.height) / Double(size.rows))
    } else {
      answeredCell = nil
    }
  }

  /// The room for a picture at present.
  var room: PictureRoom {
    guard StandardOutput.isTerminal else {
      return PictureRoom(columns: width ?? Self.usualColumns, rows: nil, cell: cell(nil))
    }
    let size = StandardOutput.terminalSize
    // The last column stays free, because some terminals wrap when it is filled, and the last rows
    // are for the line below the picture and for the prompt that follows.
    let columns = max(1, (size?.columns ?? Self.usualColumns) - 1)
    let rows = size.flatMap { $0.rows > 0 ? $0.rows : nil } ?? Self.usualRows
    return PictureRoom(
      columns: min(columns, width ?? columns), rows: max(1, rows - 2), cell: cell(size))
  }

  /// The size of a character in pixels, as the kernel or the terminal knows it.
  private func cell(_ size: TerminalSize?) -> PictureRoom.Cell {
    if let size, size.rows > 0, size.pixelWidth >= size.columns, size.pixelHeight >= size.rows {
      return PictureRoom.Cell(
        width: Double(size.pixelWidth) / Double(size.columns),
        height: Double(size.pixelHeight) / Double(size.rows))
    }
    return answeredCell ?? .assumed
  }

  /// Draws a picture.
  /// - Parameter question: Written behind it.
  mutating func draw(_ picture: RGBPicture, asking question: String = "") throws(CommandFailure) {
    let characters = characters(picture)
    guard redraws else { return try StandardOutput.write(characters) }
    let next = Place(
      rows: room.rows(of: picture.size, as: form), size: picture.size,
      terminal: StandardOutput.terminalSize)
    var bytes = Array((Self.hideCursor + beginning(of: next)).utf8)
    if form == .sixel {
      // Terminals differ in where a picture leaves the cursor.
      bytes += Array("\u{1B}7".utf8) + characters + Array("\u{1B}8\u{1B}[\(next.rows)B\r".utf8)
    } else {
      bytes += characters
    }
    bytes += Array((Self.showCursor + question).utf8)
    place = next
    try TerminalMode.shared.drawing { () throws(CommandFailure) in
      try StandardOutput.write(bytes)
    }
  }

  /// Moves the cursor to the place of the next picture, and makes room for it.
  private func beginning(of next: Place) -> String {
    let back = "\r\u{1B}[\(next.rows)A"
    if next == place { return back }
    let room = String(repeating: "\n", count: next.rows) + back
    guard let place else { return room }
    // A terminal whose size changes may have broken the lines anew.
    guard next.terminal == place.terminal else { return "\u{1B}[2J\u{1B}[H" + room }
    return "\r\u{1B}[\(place.rows)A\u{1B}[J" + room
  }

  private func characters(_ picture: RGBPicture) -> [UInt8] {
    switch form {
    case .sixel: SixelEncoder.encode(picture) + (redraws ? [] : [UInt8(ascii: "\n")])
    case .blocks: Self.text(BlockPicture.lines(picture, depth))
    case .text: Self.text(TextPicture.lines(picture))
    }
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}
