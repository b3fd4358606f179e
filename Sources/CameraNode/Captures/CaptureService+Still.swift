import CameraProtocol
import Capture

extension CaptureService {
  /// How many wait for the camera at a time. Each takes the stream away for a while.
  private static let mostStills = 4

  /// Takes the frame of a photo of the largest size in a format of its own.
  /// - Parameter onBegin: called when it is certain that the format is to change.
  /// - Returns: nil if the photo is one of the stream.
  /// - Throws: `conflict` while the camera records, or for other clients while it is leased.
  func still(
    _ timing: PhotoTiming, of camera: Camera, _ call: Call, onBegin: () -> Void
  ) async throws -> StillFrame? {
    guard camera.options.switchesForStills else { return nil }
    try await idle.wake(camera, for: call)
    let format = try await camera.work(for: call) { session in try session.stillFormat() }
    guard let format else { return nil }
    try leases.require(camera, for: call)
    guard timing.isOfNoMoment else {
      throw WireError(
        .frameUnavailable,
        "the camera changes its format for a photo of the largest size, so it has no frame of a certain moment: "
          + "ask for now or next",
        field: "capture.when")
    }
    guard !camera.recording.isActive else {
      throw WireError(
        .conflict,
        "\(camera.name) records, and a photo of the largest size would end its movie: stop the recording first, or "
          + "take the photo in the stream's size",
        field: "capture.size")
    }
    guard camera.stills < Self.mostStills else {
      throw WireError(
        .busy,
        "\(camera.stills) photos of the largest size wait already: ask for one after the other")
    }
    // A recording must not begin between the check above and the photo.
    camera.formatChanges += 1
    camera.stills += 1
    defer {
      camera.formatChanges -= 1
      camera.stills -= 1
    }
    onBegin()
    return try await camera.work(for: call) { session in
      try session.still(in: format, until: call.deadline)
    }
  }
}
