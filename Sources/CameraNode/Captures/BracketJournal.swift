import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Logging
import MediaLibrary
import SwiftProtobuf

/// Keeps in the library what brackets and photos with the flash have to put back, so that a node
/// that was killed does it at its next start.
struct BracketJournal: Sendable {
  /// What the file says.
  private struct Note: Codable {
    /// The identity of the device.
    var device: String
    /// Settings of `controls_set`, each in the JSON of Protobuf.
    var settings: [String]
  }

  private let library: MediaLibrary
  private let log: Logger

  init(_ library: MediaLibrary, log: Logger) {
    (self.library, self.log) = (library, log)
  }

  /// Returns when the note is on the disk.
  func write(_ plan: ShotPlan, of camera: String) async throws {
    let settings = try plan.before.map {
      try WireControlsSetRequest.Setting($0).jsonString()
    }
    let bytes = try JSONEncoder().encode(Note(device: plan.device, settings: settings))
    try await library.keepBracket([UInt8](bytes), ofCamera: camera)
  }

  /// Removes a note. What is asked of the library afterwards comes after it.
  func removeSoon(of camera: String) {
    let log = log
    library.enter { library in
      do {
        try library.removeBracket(ofCamera: camera)
      } catch {
        log.warning(
          "camera \(camera): the controls are as before, but its note stays: \(error)")
      }
    }
  }

  /// Waits for what was asked of the library before.
  func settled() async { await library.loop.run {} }

  /// What is to be put back, and to which device; nil if nothing is.
  func owed(of camera: String) async -> (settings: [CaptureSession.Setting], device: String)? {
    do {
      guard let bytes = try await library.bracket(ofCamera: camera) else { return nil }
      let note = try JSONDecoder().decode(Note.self, from: Data(bytes))
      let settings = try note.settings.map {
        CaptureSession.Setting(try WireControlsSetRequest.Setting(jsonString: $0))
      }
      return (settings, note.device)
    } catch {
      log.warning(
        "camera \(camera): what its last bracket or flash changed cannot be read and is not put back: \(error)"
      )
      return nil
    }
  }
}
