import Testing

/// A mistake of a newcomer, and the program's answer.
struct Mistake: Sendable, CustomTestStringConvertible {
  var arguments: String
  var status: Int32
  /// A part of the line, which says what to do.
  var remedy: String
  var testDescription: String { arguments }

  init(_ arguments: String, _ status: Int32, _ remedy: String) {
    self.arguments = arguments
    self.status = status
    self.remedy = remedy
  }
}

extension Program.Outcome {
  /// Checks that the program printed one line with the remedy and nothing else, and its exit
  /// status.
  func expectOneLine(of program: String, status: Int32, remedy: String) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    // The text ends with a line feed.
    #expect(lines.count == 2 && lines.last == "", "\(errors)")
    #expect(errors.hasPrefix("\(program): "), "\(errors)")
    #expect(errors.contains(remedy), "\(errors)")
    #expect(self.status == status, "\(errors)")
    #expect(output.isEmpty, "\(output)")
  }
}
