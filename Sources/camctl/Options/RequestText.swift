import ArgumentParser
import CameraClient

/// What `--request` takes: the id of a request, as errors and `--json` name it.
enum RequestText {
  static func parse(_ text: String) throws -> Identifier {
    guard let id = Identifier(text) else {
      throw ValidationError("a request's id has 32 hexadecimal digits")
    }
    return id
  }
}
