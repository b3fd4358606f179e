import CameraClient
import OperatingSystem

/// The place for files: a file, a folder, a name with `%d` for their numbers, a device or a pipe,
/// or `-` for the standard output.
struct OutputPattern {
  private enum Form {
    case file(String)
    case folder(String)
    /// The width is filled with zeros.
    case numbered(prefix: String, width: Int, suffix: String)
    /// A device or a pipe, which takes all files one after the other.
    case stream(String)
    case standardOutput
  }

  /// The room that a disk must have before a photo is taken or a movie recorded. Only its end tells
  /// how large it is.
  private static let leastRoom = 1 << 20

  /// Whether a file that exists is replaced.
  let overwrites: Bool
  private let form: Form
  private let count: Int

  /// - Parameters:
  ///   - text: What `--output` says; nil is the current folder.
  ///   - count: How many files there will be.
  init(_ text: String?, count: Int = 1, overwrites: Bool) throws {
    let text = text ?? "."
    guard !text.isEmpty else {
      throw CommandFailure.usage("--output is empty: name a file, a folder or -")
    }
    form = Self.form(text)
    self.count = count
    self.overwrites = overwrites
    if count > 1, case .file = form {
      throw CommandFailure.usage(
        "--output \(text) names one file for \(count): put %d into the name, or name a folder"
      )
    }
  }

  /// The place for a movie, which was checked: a movie that cannot be written is not recorded.
  init(movie text: String?, overwrites: Bool) throws {
    try self.init(text, overwrites: overwrites)
    if isStandardOutput {
      throw CommandFailure.usage("a movie goes to a file: name one, or a folder")
    }
    try check(.matroska)
  }

  var isStandardOutput: Bool {
    if case .standardOutput = form { true } else { false }
  }

  /// The device or pipe that the files go to.
  var stream: String? {
    if case .stream(let path) = form { path } else { nil }
  }

  /// Whether `--output` names the standard output. What else the command prints would get into the
  /// file there, so it is told apart from other devices and pipes.
  static func isStandardOutput(_ text: String?) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(text)
  }

  /// Finds out whether the files could be written, before the work is done that makes them.
  func check(_ kind: FileKind) throws {
    switch form {
    case .standardOutput: break
    case .folder(let path):
      // The errors are about what is in the folder.
      try Self.check(path + "/") { () throws(SystemError) in
        try FileWriter.check(folder: path, byteCount: Self.leastRoom)
      }
    case .file, .numbered, .stream:
      for number in 1...(stream == nil ? count : 1) {
        let path = self.path(number, name: "")
        try kind.requireExtension(of: path)
        try Self.check(path) { () throws(SystemError) in
          try FileWriter.check(path, overwrites: overwrites, byteCount: Self.leastRoom)
        }
      }
    }
  }

  private static func check(_ path: String, _ body: () throws(SystemError) -> Void) throws {
    do throws(CameraBusError) {
      try CameraBusError.writing(path, body)
    } catch {
      guard error.code == .storageFull else { throw error }
      throw CameraBusError(
        .storageFull,
        "the disk of \(path) has less than \(UInt64(leastRoom).byteWords) free, which a photo may need: "
          + "free some, or choose another place")
    }
  }

  /// Calls `write` with the path for the file of this number, counted from 1, and with whether it
  /// may replace a file.
  /// - Parameters:
  ///   - name: The file's name where the pattern is only a folder. If it exists, the new one gets a
  ///     number: "…-2.jpg".
  /// - Returns: The path.
  func write(
    _ number: Int,
    name: String,
    _ write: (_ path: String, _ overwrites: Bool) async throws -> Void
  ) async throws -> String {
    var attempt = 1
    while true {
      let path = self.path(number, name: attempt == 1 ? name : Self.numbered(name, attempt))
      do {
        try await write(path, overwrites)
        return path
      } catch let error as CameraBusError where error.code == .fileExists {
        guard case .folder = form else { throw error }
        attempt += 1
      }
    }
  }

  private func path(_ number: Int, name: String) -> String {
    switch form {
    case .file(let path), .stream(let path): return path
    case .folder(let path): return path + "/" + name
    case .standardOutput: return "/dev/stdout"
    case .numbered(let prefix, let width, let suffix):
      let digits = String(number)
      let zeros = String(repeating: "0", count: max(0, width - digits.count))
      return prefix + zeros + digits + suffix
    }
  }

  private static func numbered(_ name: String, _ number: Int) -> String {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }

  private static func form(_ text: String) -> Form {
    if isStandardOutput(text) { return .standardOutput }
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
    return (try? FilePlace(text))?.isStream == true ? .stream(text) : .file(text)
  }
}
