import CameraProtocol
import Capture
import EventLoop
import Imaging
import OperatingSystem

extension CaptureService {
  /// The depth camera that goes with a request; nil if it asks for no depth.
  /// - Throws: `invalidArgument` for a camera that has none; `forbidden` to a client that may not
  ///   use it; `deviceNotFound` while it is not there; as `Camera.requireDistances`.
  func depthCamera(
    _ order: CaptureOrder, of camera: Camera, _ call: Call
  ) throws -> Camera? {
    guard order.depth != nil else { return nil }
    guard let name = camera.options.depthCamera else {
      throw WireError(
        .invalidArgument,
        "\(camera.name) has no depth camera: name one in the node's configuration, as depth=NAME behind the "
          + "camera, or leave the depth out",
        field: RequestField.Capture.Depth.path)
    }
    guard call.access.isFor(camera: name) else {
      var error = WireError.forbidden(camera: name, call.access)
      error.field = RequestField.Capture.Depth.path
      throw error
    }
    guard let depth = cameras[name] else {
      throw WireError(
        .deviceNotFound,
        "the depth camera \(name) is not there: plug it in, or leave the depth out",
        field: RequestField.Capture.Depth.path)
    }
    try depth.requireDistances()
    return depth
  }

  /// Starts the depth camera if it is idle, waits until it streams distances, and prepares to take
  /// its frames.
  /// - Returns: Nil if the request asks for no depth.
  /// - Throws: `frameUnavailable` for a moment of which it has no frame; why it does not start.
  func depthTaker(_ job: CaptureJob) async throws -> DepthTaker? {
    guard let camera = job.depth, let order = job.order.depth else { return nil }
    let (call, pictures) = (job.call, job.order.photos.pictures)
    let isPast = job.order.timing.isPast(at: call.asked)
    guard !camera.isIdle || !isPast else {
      throw WireError(
        .frameUnavailable,
        "the depth camera \(camera.name) did not stream at that moment: ask for a later one",
        field: RequestField.Capture.when)
    }
    let start = try await idle.wake(camera, for: call, needsPictures: false)
    try camera.requireDistances()
    var request = request(.now, order, of: camera, call, tickets: pictures) { _ in }
    request.facts.add(job.order.labels)
    // The picture's frame may come before the first one of a depth camera that begins to stream.
    request.mayFollow = !isPast
    return DepthTaker(
      pipeline: camera.pipeline, name: camera.name, start: start, pictures: pictures,
      request: request)
  }
}

extension Camera {
  /// Throws unless it streams distances, or is idle and will.
  /// - Throws: As `requireStream`; `unsupportedFormat`.
  func requireDistances() throws {
    try requireStream()
    guard let format = sessionStatus.format?.layout.pixelFormat, !format.isDepth else { return }
    throw CaptureError.hasNoDistances(format).of(depthCamera: name)
  }
}

/// Takes the frame of a depth camera that is nearest to each picture of a request. Used on the
/// frame loop.
struct DepthTaker: Sendable {
  let pipeline: FramePipeline
  /// The camera's name.
  let name: String
  /// How long the request waited until it streamed, nanoseconds; 0 if it did.
  let start: Int64
  /// How many pictures the request has.
  let pictures: Int
  /// That of the first picture, but for its moment.
  let request: PhotoRequest

  /// Reports the steps of the pictures, and as further ones of them the files of depth.
  func following(
    _ onStep: @escaping @Sendable (PhotoRequest.Step) -> Void
  ) -> @Sendable (PhotoRequest.Step) -> Void {
    { step in
      onStep(step)
      if case .captured(let picture) = step { take(for: picture, onStep) }
    }
  }

  private func take(
    for picture: ResolvedPhoto, _ onStep: @escaping @Sendable (PhotoRequest.Step) -> Void
  ) {
    let (name, number) = (name, picture.picture)
    var request = request
    request.ticket += UInt64(number - 1)
    request.timing = .at(picture.metadata.timestamp)
    request.asked = .now
    if pictures > 1 { request.facts.burst = PhotoFacts.Burst(index: number, count: pictures) }
    request.onStep = { step in
      switch step {
      // None is made later.
      case .willBegin, .willCapture, .captured, .deferred: break
      case .processed(var resolved, let file, let index):
        resolved.picture = number
        onStep(.processed(resolved, file, index))
      case .failed(let error): onStep(.failed(error.of(depthCamera: name)))
      }
    }
    pipeline.capture(request)
  }

  /// Ends the requests that wait for frames, because nobody needs them.
  func abandon() async {
    await pipeline.loop.run { [self] in
      for index in 0..<UInt64(pictures) { _ = pipeline.photos.cancel(request.ticket + index) }
    }
  }
}

extension CaptureError {
  /// The error of a request whose depth camera has it.
  fileprivate func of(depthCamera name: String) -> CaptureError {
    var error = self
    error.message = "the depth camera \(name): \(message)"
    return error
  }
}
