import Glibc
import OperatingSystem

/// Reads the text of a configuration. The file may also be a pipe or the standard input.
enum ConfigurationText {
  /// More than any configuration needs. The limit ends the reading of an endless device.
  private static let maximumByteCount = 1 << 20

  /// - Parameter name: How the person names the file in the command.
  /// - Throws: What is wrong with the file, and what to do about it.
  static func read(_ path: String, as name: String) throws(ConfigurationError) -> String {
    let status: FileStatus
    do {
      status = try FileStatus(at: path)
    } catch {
      throw mistake(name, "cannot be read: \(remedy(error))")
    }
    if status.isFolder { throw mistake(name, "is a folder: name the file in it") }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileDescriptor.readAll(path, upTo: maximumByteCount, Interrupter())
    } catch {
      switch error.errno {
      case EFBIG: throw mistake(name, "has more than a mebibyte: name a text file in YAML")
      case EACCES:
        throw mistake(name, "cannot be read: you may not read it; ask for permission (chmod a+r)")
      default: throw mistake(name, "cannot be read: \(remedy(error))")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw mistake(name, "is no text in UTF-8: save it as UTF-8")
    }
    return text
  }

  private static func remedy(_ error: SystemError) -> String {
    switch error.errno {
    case ENOENT, ENOTDIR: "there is no such file: name one that is there"
    case ELOOP: "its links lead in a circle: name the file itself"
    case EACCES: "you may not enter its folder: ask for permission, or name another file"
    default: "\(error.reason): name another file"
    }
  }

  private static func mistake(_ name: String, _ sentence: String) -> ConfigurationError {
    ConfigurationError("\(name) \(sentence)")
  }
}
