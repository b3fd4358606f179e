import CameraClient
import FoundationEssentials
import Glibc
import OperatingSystem

/// The values of controls in a file: a JSON object a line, with the id and the value. People can
/// write one, and `controls --json` makes one too.
struct SavedControls {
  private struct Line: Codable {
    var id: String
    /// Nil for a button, as `controls --json` prints it.
    var value: ControlValue?
    // `controls --json` prints these too, and also the controls that cannot be set.
    var kind: String?
    var isReadOnly: Bool?
    var isWriteOnly: Bool?
    var isVolatile: Bool?
    var isInactive: Bool?
    var sources: [String]?

    var canBeSet: Bool {
      kind != "button" && [[], ["crop"]].contains(sources ?? [])
        && ![isReadOnly, isWriteOnly, isVolatile, isInactive].contains(true)
    }
  }

  typealias Setting = (id: String, value: ControlValue?)

  /// The longest file that is read. The controls of a camera take some KiB.
  private static let longest = 1 << 20

  let settings: [Setting]

  /// Keeps the values that can be set again. It leaves out inactive controls, because an automatic
  /// of the camera sets them.
  init(_ controls: [Control]) {
    settings = controls.filter { $0.isKept && !$0.isInactive }.map { ($0.id, $0.value) }
  }

  /// Reads a file; `-` is the standard input. Empty lines and lines that begin with # do not count.
  init(readingFrom path: String) async throws {
    let text = String(decoding: try await Self.bytes(of: path), as: UTF8.self)
    var settings: [Setting] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let read = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
        throw Self.unreadable(
          "line \(number + 1) of \(path) sets no control: write it as "
            + #"{"id":"brightness","value":128}, or make the file with camctl controls save"#)
      }
      if read.canBeSet { settings.append((read.id, read.value)) }
    }
    guard !settings.isEmpty else {
      throw Self.unreadable("\(path) sets no controls: make the file with camctl controls save")
    }
    self.settings = settings
  }

  /// Finds out whether they could be written, before the camera is asked.
  static func check(_ path: String, overwrites: Bool) throws {
    if OutputPattern.isStandardOutput(path) { return }
    try CameraBusError.writing(path) { () throws(SystemError) in
      try FileWriter.check(path, overwrites: overwrites, byteCount: longest)
    }
  }

  /// Writes them; `-` is the standard output.
  func write(to path: String, overwrites: Bool) async throws {
    let lines = settings.map { JSONLine.text(of: Line(id: $0.id, value: $0.value)) + "\n" }
    let bytes = Array(lines.joined().utf8)
    if OutputPattern.isStandardOutput(path) { return try StandardOutput.write(bytes) }
    try await FileWriter.write(bytes, to: path, overwrites: overwrites)
  }

  private static func bytes(of path: String) async throws -> [UInt8] {
    do throws(SystemError) {
      let interrupter = try Interrupter()
      return try await OwnThread.run(interrupter) { () throws(SystemError) in
        try path == "-"
          ? FileDescriptor.readAll(of: STDIN_FILENO, at: path, upTo: longest, interrupter)
          : FileDescriptor.readAll(path, upTo: longest, interrupter)
      }
    } catch {
      switch error.errno {
      case ECANCELED: throw CancellationError()
      case EFBIG:
        throw unreadable(
          "\(path) has more than 1 MiB: name a file that camctl controls save has made")
      default: throw unreadable("\(path) cannot be read (\(error.reason)): name another file")
      }
    }
  }

  private static func unreadable(_ message: String) -> CommandFailure {
    CommandFailure(code: "unreadableFile", message: message, status: EXIT_FAILURE)
  }
}

extension Control {
  /// Whether it has a value that stays as it was set.
  fileprivate var isKept: Bool {
    // What a control with a meaning says is in the driver's own.
    standsAlone && kind != .button && !isReadOnly && !isWriteOnly && !isVolatile && value != nil
  }
}
