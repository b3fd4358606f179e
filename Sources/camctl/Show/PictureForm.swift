import ArgumentParser
import FoundationEssentials

/// How a picture is drawn with characters.
enum PictureForm: String, CaseIterable, ExpressibleByArgument {
  /// Real pixels, by DEC's sixel graphics.
  case sixel
  /// Two coloured pixels in a character.
  case blocks
  /// Plain characters by brightness.
  case text

  /// The best form for a terminal.
  /// - Parameters:
  ///   - hasColours: Whether the terminal has colours and the user wants them.
  ///   - answers: What the terminal says of itself; nil if it says nothing.
  init(hasColours: Bool, _ answers: TerminalAnswers?) {
    if !hasColours {
      self = .text
    } else if answers?.showsSixels == true {
      self = .sixel
    } else {
      self = BlockPicture.isPrintable ? .blocks : .text
    }
  }
}

/// The colours that characters can have.
enum ColourDepth {
  /// 24 bits a pixel.
  case full
  /// The palette of 256 colours that xterm began.
  case palette

  /// As far as the terminal tells programs.
  static var ofTerminal: ColourDepth {
    let name = ProcessInfo.processInfo.environment["COLORTERM"]?.lowercased() ?? ""
    return name == "truecolor" || name == "24bit" ? .full : .palette
  }
}
