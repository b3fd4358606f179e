import CaptureSynthetic
import EventLoop
import Imaging
import OperatingSystem
import TestSupport

@testable import Capture

/// A camera with a session on real threads. The camera is synthetic unless another is given.
final class TestCamera: Sendable {
  let frameLoop = EventLoop(name: "test-frames")
  let sessionLoop = EventLoop(name: "test-session")
  let encoders: EncoderPool
  let pipeline: FramePipeline
  let session: CaptureSession
  let events = Recorded<SessionEvent>()

  convenience init(
    _ specification: String = "320x240@60,format=YUYV", limits: PipelineLimits = PipelineLimits()
  ) throws {
    let device = SyntheticDevice(try SyntheticSpecification.parse(specification))
    try self.init(device: device, request: device.request, limits: limits)
  }

  init(
    device: any CameraDevice, request: FormatRequest = FormatRequest(),
    limits: PipelineLimits = PipelineLimits(), backoff: Backoff = Backoff(),
    callLimit: Duration = .seconds(60),
    onEvent: @escaping @Sendable (SessionEvent, FramePipeline) -> Void = { _, _ in }
  ) throws {
    encoders = try EncoderPool(loop: frameLoop, workers: 2)
    pipeline = FramePipeline(loop: frameLoop, encoders: encoders, limits: limits)
    let (events, pipeline) = (events, pipeline)
    session = CaptureSession(
      loop: sessionLoop, device: device, request: request, pipeline: pipeline, backoff: backoff,
      callLimit: callLimit
    ) { event in
      onEvent(event, pipeline)
      events.add(event)
    }
  }

  /// Runs `body` with a camera that is started, and ends its threads.
  static func with<R: Sendable>(
    _ specification: String = "320x240@60,format=YUYV", limits: PipelineLimits = PipelineLimits(),
    isStarted: Bool = true, _ body: (TestCamera) async throws -> R
  ) async throws -> R {
    let camera = try TestCamera(specification, limits: limits)
    return try await camera.run {
      if isStarted {
        try await camera.session.start()
        await camera.firstFrame()
      }
      return try await body(camera)
    }
  }

  /// Runs `body` and ends the threads.
  func run<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    try await attempt(body, finally: end)
  }

  /// Waits until the camera has delivered the first frame of its first run, or of a later one.
  func firstFrame(ofRun run: Int = 1) async {
    await events.wait { events in
      events.count { if case .firstFrame = $0 { true } else { false } } >= run
    }
  }

  /// Waits until the session has been in a matching state.
  func state(where matches: @escaping @Sendable (SessionState) -> Bool) async {
    await events.wait { events in
      events.contains { if case .state(let status) = $0 { matches(status.state) } else { false } }
    }
  }

  /// Takes a photo.
  /// - Returns: Its steps.
  func photo(
    _ timing: PhotoTiming = .now, asked: MonotonicTime = .now,
    within wait: Duration = .seconds(20), order: PhotoOrder = PhotoOrder()
  ) async -> [PhotoRequest.Step] {
    let steps = request(timing, asked: asked, within: wait, order: order)
    let count = order.files.count * order.pictures
    await steps.wait { $0.count(where: \.isFile) == count || $0.contains(where: \.isFailed) }
    return steps.events
  }

  /// Asks for a photo. What is asked of the session afterwards comes after it.
  /// - Returns: Its steps, as they come.
  func request(
    _ timing: PhotoTiming = .now, asked: MonotonicTime = .now,
    within wait: Duration = .seconds(20), order: PhotoOrder = PhotoOrder()
  ) -> Recorded<PhotoRequest.Step> {
    let steps = Recorded<PhotoRequest.Step>()
    let pipeline = pipeline
    frameLoop.perform {
      pipeline.capture(
        PhotoRequest(
          ticket: 1, timing: timing, asked: asked, deadline: .now + wait, order: order
        ) { steps.add($0) })
    }
    return steps
  }

  private func end() async {
    await session.stop()
    sessionLoop.stop()
    encoders.stop()
    frameLoop.stop()
  }
}

extension CaptureSession {
  /// Changes the format.
  func configure(
    pixelFormat: PixelFormat? = nil, size: ImageSize? = nil, rate: Double? = nil,
    unlessMovieEnds obstacle: CaptureError? = nil
  ) throws(CaptureError) {
    var change = SessionConfiguration()
    (change.pixelFormat, change.size) = (pixelFormat, size)
    change.rates = rate.map { $0...$0 }
    _ = try configure(change, unlessMovieEnds: obstacle)
  }
}

extension PhotoRequest.Step {
  /// Whether it is the end of a photo of one file.
  var isLast: Bool { isFile || isFailed }

  var isFile: Bool {
    switch self {
    case .processed, .deferred: true
    case .willBegin, .willCapture, .captured, .failed: false
    }
  }

  var isFailed: Bool { if case .failed = self { true } else { false } }

  var name: String {
    switch self {
    case .willBegin: "willBegin"
    case .willCapture: "willCapture"
    case .captured: "captured"
    case .processed: "processed"
    case .deferred: "deferred"
    case .failed(let error): "failed \(error.code)"
    }
  }
}
