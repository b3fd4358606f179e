import CameraProtocol
import Capture
import Imaging
import OperatingSystem

extension CaptureService {
  /// How many clients may wait for the camera at a time, each with one photo. Each takes the stream
  /// away for a while.
  private static let mostStills = 8

  /// Takes the frame of a photo of the largest size in a format of its own.
  /// - Parameter onBegin: Called when it is certain that the format is to change, with what will be
  ///   made.
  /// - Returns: Nil if the photo is one of the stream.
  /// - Throws: `conflict` while the camera records, or for other clients while it is leased; `busy`
  ///   if the client or too many others wait for such a photo.
  func still(_ job: CaptureJob, onBegin: (PhotoPlan) -> Void) async throws -> StillFrame? {
    let (camera, call) = (job.camera, job.call)
    guard job.order.isLargest, camera.options.switchesForStills else { return nil }
    // An idle camera has no frame of the past, so starting it is of no use.
    if job.order.timing.isPast(at: call.asked), camera.sessionStatus.state != .running {
      return nil
    }
    let start = try await idle.wake(camera, for: call, needsPictures: false)
    let format = try await camera.work(for: call) { session in try session.stillFormat() }
    guard let format else { return nil }
    var order = job.order.photos
    let orientation = camera.orientations.capture.merged(with: order.orientation)
    order.prioritization = .speed
    var source = PhotoSource(format)
    source?.orientation = camera.ownOrientation
    if let source {
      do throws(CaptureError) {
        try order.check(source, orientation)
      } catch {
        throw CaptureError(
          error.code, "\(error.message), or leave the largest size out", part: error.part)
      }
    }
    try leases.require(camera, for: call)
    try job.requireNoMoment(
      because: "the camera changes its format for a photo of the largest size",
      else: "now or next, or for a frame that is not too old")
    try requireNoMovie(of: camera)
    let changes = camera.formatChanges
    return try await changes.still(of: call.holder, most: Self.mostStills) {
      onBegin(PhotoPlan(order, of: source, turned: orientation, reachesBack: false))
      return try await camera.inTurn(for: call, pictures: 1) {
        // One may have begun in the turn before.
        try requireNoMovie(of: camera)
        // Nor must one begin before the photo is taken.
        var still = try await changes.during {
          try await call.work(on: camera) { session in
            try session.still(in: format, until: call.deadline)
          }
        }
        still.start = start
        return still
      }
    }
  }

  private func requireNoMovie(of camera: Camera) throws {
    guard camera.isRecording else { return }
    throw WireError(
      .conflict,
      "\(camera.name) records, and a photo of the largest size would end its movie: stop the recording first, or "
        + "take the photo in the stream's size",
      field: RequestField.Capture.size)
  }
}
