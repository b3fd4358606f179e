import CameraClient
import OperatingSystem

/// The place for files: a file, a folder, a name with `%d` for their numbers, or `-` for the
/// standard output.
struct OutputPattern {
  enum Target: Equatable {
    case file(String)
    case standardOutput
  }

  private enum Form {
    case file(String)
    case folder(String)
    /// The width is filled with zeros.
    case numbered(prefix: String, width: Int, suffix: String)
    case standardOutput
  }

  private let form: Form

  /// - Parameters:
  ///   - text: What `--output` says; nil is the current folder.
  ///   - count: How many files there will be.
  init(_ text: String?, count: Int = 1) throws {
    let text = text ?? "."
    guard !text.isEmpty else {
      throw CommandFailure.usage("--output is empty: name a file, a folder or -")
    }
    form = Self.form(text)
    if count > 1, case .file = form {
      throw CommandFailure.usage(
        "--output \(text) names one file for \(count): put %d into the name, or name a folder"
      )
    }
  }

  var isStandardOutput: Bool {
    if case .standardOutput = form { true } else { false }
  }

  /// Where the file of this number goes, counted from 1.
  /// - Parameter name: The file's name where the pattern is only a folder.
  func target(_ number: Int, name: String) -> Target {
    switch form {
    case .file(let path): return .file(path)
    case .folder(let path): return .file(path + "/" + name)
    case .standardOutput: return .standardOutput
    case .numbered(let prefix, let width, let suffix):
      let digits = String(number)
      let zeros = String(repeating: "0", count: max(0, width - digits.count))
      return .file(prefix + zeros + digits + suffix)
    }
  }

  private static func form(_ text: String) -> Form {
    if text == "-" { return .standardOutput }
    if let match = text.firstMatch(of: /%(\d{0,2})d/) {
      return .numbered(
        prefix: String(text[..<match.range.lowerBound]),
        width: Int(match.1) ?? 0,
        suffix: String(text[match.range.upperBound...])
      )
    }
    if text.hasSuffix("/") || Folder.exists(text) {
      return .folder(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
    }
    return .file(text)
  }
}
