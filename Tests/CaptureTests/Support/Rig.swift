import CaptureSynthetic
import EventLoop
import Imaging
import OperatingSystem
import TestSupport

@testable import Capture

/// A camera, synthetic where nothing else is said, with a session on real threads.
final class Rig: Sendable {
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

  /// Runs `body` with a rig whose camera is started, and ends its threads.
  static func with<R: Sendable>(
    _ specification: String = "320x240@60,format=YUYV", limits: PipelineLimits = PipelineLimits(),
    isStarted: Bool = true, _ body: (Rig) async throws -> R
  ) async throws -> R {
    let rig = try Rig(specification, limits: limits)
    return try await rig.run {
      if isStarted {
        try await rig.session.start()
        await rig.firstFrame()
      }
      return try await body(rig)
    }
  }

  /// Runs `body` and ends the threads.
  func run<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    try await attempt(body, finally: end)
  }

  func firstFrame() async {
    await events.wait { events in
      events.contains { if case .firstFrame = $0 { true } else { false } }
    }
  }

  /// Waits until the session has been in such a state since `count` state events ago.
  func state(where matches: @escaping @Sendable (SessionState) -> Bool) async {
    await events.wait { events in
      events.contains { if case .state(let status) = $0 { matches(status.state) } else { false } }
    }
  }

  /// The steps of one photo, until its end.
  func photo(
    _ timing: PhotoTiming = .now, within wait: Duration = .seconds(20), quality: Int = 90
  ) async -> [PhotoRequest.Step] {
    let steps = Recorded<PhotoRequest.Step>()
    let pipeline = pipeline
    frameLoop.perform {
      pipeline.capture(
        PhotoRequest(
          ticket: 1, timing: timing, asked: .now, deadline: .now + wait, quality: quality
        ) { steps.add($0) })
    }
    await steps.wait { $0.contains(where: \.isLast) }
    return steps.events
  }

  private func end() async {
    await session.stop()
    sessionLoop.stop()
    encoders.stop()
    frameLoop.stop()
  }
}

extension PhotoRequest.Step {
  var isLast: Bool {
    switch self {
    case .processed, .failed: true
    default: false
    }
  }

  var name: String {
    switch self {
    case .willBegin: "willBegin"
    case .willCapture: "willCapture"
    case .captured: "captured"
    case .processed: "processed"
    case .failed(let error): "failed \(error.code)"
    }
  }
}
