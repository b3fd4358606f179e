import CameraClient
import FoundationEssentials
import Glibc
import OperatingSystem

/// The values of controls in a file: a JSON object a line, of which only the id and the value are
/// read. So `controls --json` makes such a file too, and people can write one.
struct SavedControls {
  private struct Line: Codable {
    var id: String
    /// Nil for a button, as `controls --json` prints it.
    var value: ControlValue?
  }

  typealias Setting = (id: String, value: ControlValue?)

  let settings: [Setting]

  /// Keeps the values that can be set again. It leaves out inactive controls, because an automatic
  /// of the camera sets them.
  init(_ controls: [Control]) {
    settings = controls.filter { $0.isKept && !$0.isInactive }.map { ($0.id, $0.value) }
  }

  /// Reads a file; `-` is the standard input. Empty lines and lines that begin with # do not count.
  init(readingFrom path: String) throws {
    let text = String(decoding: try Self.bytes(of: path), as: UTF8.self)
    var settings: [Setting] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let read = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
        throw CommandFailure(
          code: "unreadableFile",
          message: "line \(number + 1) of \(path) sets no control: write it as "
            + #"{"id":"brightness","value":128}, or make the file with camctl controls save"#,
          status: EXIT_FAILURE)
      }
      settings.append((read.id, read.value))
    }
    guard !settings.isEmpty else {
      throw CommandFailure(
        code: "unreadableFile",
        message: "\(path) sets no controls: make the file with camctl controls save",
        status: EXIT_FAILURE)
    }
    self.settings = settings
  }

  /// Writes them; `-` is the standard output.
  func write(to path: String, overwrites: Bool) throws {
    let lines = settings.map { JSONLine.text(of: Line(id: $0.id, value: $0.value)) + "\n" }
    let bytes = Array(lines.joined().utf8)
    if path == "-" { return try StandardOutput.write(bytes) }
    if !overwrites, (try? FileStatus(at: path))?.isRegularFile == true {
      throw CommandFailure(
        code: "fileExists", message: "\(path) exists: choose another name, or say --overwrite",
        status: EXIT_FAILURE)
    }
    try Self.checked(path, "written") { () throws(SystemError) in
      let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC, followsLinks: true)
      try unsafe file.write(bytes.span.bytes)
    }
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    try checked(path, "read") { () throws(SystemError) in
      let file = try FileDescriptor(path == "-" ? "/dev/stdin" : path, O_RDONLY, followsLinks: true)
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let descriptor = file.rawValue
        let count = try systemCall("read \(path)") { unsafe read(descriptor, &piece, piece.count) }
        guard count > 0 else { return bytes }
        bytes += piece.prefix(count)
      }
    }
  }

  private static func checked<R>(
    _ path: String, _ verb: String, _ call: () throws(SystemError) -> R
  ) throws -> R {
    do throws(SystemError) {
      return try call()
    } catch {
      throw CommandFailure(
        code: "fileFailed",
        message: "\(path) cannot be \(verb) (\(error.reason)): name another file",
        status: EXIT_FAILURE)
    }
  }
}

extension Control {
  /// Whether it has a value that stays as it was set.
  fileprivate var isKept: Bool {
    kind != .button && !isReadOnly && !isWriteOnly && !isVolatile && value != nil
  }
}
