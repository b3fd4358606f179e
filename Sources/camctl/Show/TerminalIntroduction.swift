import FoundationEssentials
import Glibc
import OperatingSystem

/// Finds out how the standard output shows pictures.
struct TerminalIntroduction {
  let form: PictureForm
  /// What the terminal says of itself; nil if it was not asked, or does not answer.
  let answers: TerminalAnswers?

  /// Asks the terminal, if there is one and its answers matter.
  ///
  /// While pictures are live the terminal stays in the mode for answers. What is typed is not shown
  /// then, and Ctrl-C does not cut an escape sequence in two.
  /// - Parameter chosen: The form that the user chose.
  init(_ chosen: PictureForm?, isLive: Bool) async {
    let hasColours = Style.isWanted(on: STDOUT_FILENO)
    let form = chosen ?? (hasColours ? nil : .text)
    let canAsk = StandardOutput.isTerminal && StandardInput.isTerminal && Style.knowsEscapes
    let matters =
      isLive || form == nil || form == .sixel && StandardOutput.terminalSize?.pixelWidth == 0
    answers = canAsk && matters ? await Self.ask() : nil
    if !isLive { TerminalMode.shared.restore() }
    self.form = form ?? PictureForm(hasColours: hasColours, answers)
  }

  private static func ask() async -> TerminalAnswers? {
    guard (try? TerminalMode.shared.readAtOnce()) != nil else { return nil }
    TerminalMode.shared.willAsk()
    StandardOutput.writeOrEnd(
      Array((TerminalAnswers.sizeQuestion + TerminalAnswers.lastQuestion).utf8))
    return await TerminalMode.shared.answers(within: limit)
  }

  /// How long to wait for the answer. A connection to another machine may be slow.
  private static var limit: Duration {
    ProcessInfo.processInfo.environment["SSH_CONNECTION"] == nil ? .seconds(1) : .seconds(3)
  }
}
