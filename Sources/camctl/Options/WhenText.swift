import ArgumentParser
import CameraClient

/// What `--when` takes.
enum WhenText {
  static func parse(_ text: String) throws -> CaptureTime {
    do throws(CameraBusError) {
      return try CaptureTime(words: text)
    } catch {
      throw ValidationError(error.message)
    }
  }
}
