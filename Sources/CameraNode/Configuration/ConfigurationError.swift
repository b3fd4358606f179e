/// A mistake in a configuration, as one sentence that says how to correct it.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line.
  package let message: String
  /// Whether the mistake is in a configuration file, and not on the command line.
  package let isInFile: Bool

  package init(_ message: String, isInFile: Bool = false) {
    // A value of the configuration may have line breaks.
    self.message = String(message.map { $0.isNewline ? " " : $0 })
    self.isInFile = isInFile
  }

  package static let noCamera = ConfigurationError(
    "no camera is named: add --camera cam=auto, or cam=synthetic for a demo")

  package var description: String { message }
}
