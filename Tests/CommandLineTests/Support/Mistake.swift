import Testing

/// Something that a newcomer gets wrong.
struct Mistake: Sendable, CustomTestStringConvertible {
  var arguments: String
  var status: Int32
  /// What the line must say.
  var remedy: String
  var testDescription: String { arguments }

  init(_ arguments: String, _ status: Int32, _ remedy: String) {
    self.arguments = arguments
    self.status = status
    self.remedy = remedy
  }
}

extension Program.Outcome {
  /// One line of the program's own, which says what to do; nothing else; and the status that
  /// scripts read.
  func expectOneLine(of program: String, status: Int32, remedy: String) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    // The text ends in a line feed, behind which there is nothing.
    #expect(lines.count == 2 && lines.last == "", "\(errors)")
    #expect(errors.hasPrefix("\(program): "), "\(errors)")
    #expect(errors.contains(remedy), "\(errors)")
    #expect(self.status == status, "\(errors)")
    #expect(output.isEmpty, "\(output)")
  }
}
