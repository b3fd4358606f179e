import Capture
import EventLoop
import Imaging
import OperatingSystem
import V4L2Conversion

@testable import CaptureV4L2

/// A camera that streams into a test, which waits for events.
final class RunningCamera {
  /// The device's calls to its receiver, in order.
  enum Happening {
    case frame(Frame)
    case lost(Int, FrameLoss)
    case changed(ControlID)
    case failed(CaptureError)
  }

  let device: V4L2Device
  let format: StreamFormat
  private let loop = EventLoop(name: "frames")
  private let receiver: Receiver
  private var happenings: AsyncStream<Happening>.Iterator
  private var isAttached = false

  /// Opens, configures and starts the camera, and attaches to it unless `isAttached` is false.
  init(
    _ specification: String,
    _ request: FormatRequest = FormatRequest(),
    isAttached: Bool = true
  ) throws {
    device = V4L2Device(specification, converting: .linked)
    try device.open()
    format = try device.configure(request)
    // Unbounded, because a test that waits for frames is only a few behind.
    let (stream, continuation) = AsyncStream.makeStream(of: Happening.self)
    receiver = Receiver(format, continuation)
    happenings = stream.makeAsyncIterator()
    try device.startStreaming()
    if isAttached { attach() }
  }

  deinit {
    stop()
    device.close()
    loop.stop()
  }

  func attach() {
    isAttached = true
    loop.performAndWait { [device, loop, receiver] in device.attach(to: loop, receiver: receiver) }
  }

  func stop() {
    if isAttached { loop.performAndWait { [device] in device.detach() } }
    isAttached = false
    device.stopStreaming()
  }

  /// Restarts a stream that was stopped or has failed.
  func restart() throws {
    stop()
    try device.startStreaming()
    attach()
  }

  /// The next event for which `choose` returns a value. Throws if the stream fails first.
  func next<R>(_ choose: (Happening) -> R?) async throws -> R {
    while let happening = await happenings.next(isolation: #isolation) {
      if let result = choose(happening) { return result }
      if case .failed(let error) = happening { throw error }
    }
    throw CancellationError()
  }

  func nextFrame() async throws -> Frame {
    try await next { if case .frame(let frame) = $0 { frame } else { nil } }
  }

  /// Waits for the loss of frames for this reason and returns their number.
  func nextLoss(_ reason: FrameLoss) async throws -> Int {
    try await next { if case .lost(let count, reason) = $0 { count } else { nil } }
  }

  func nextChange(of names: Set<String>) async throws -> String {
    try await next {
      guard case .changed(let control) = $0, names.contains(control.rawValue) else { return nil }
      return control.rawValue
    }
  }

  func nextFailure() async throws -> CaptureError {
    try await next { if case .failed(let error) = $0 { error } else { nil } }
  }
}

/// Takes frames from a small pool and passes all events on.
// Sendable: only the frame loop uses it.
private final class Receiver: FrameReceiver, @unchecked Sendable {
  private let pool: FramePool
  private let continuation: AsyncStream<RunningCamera.Happening>.Continuation

  init(_ format: StreamFormat, _ continuation: AsyncStream<RunningCamera.Happening>.Continuation) {
    pool = FramePool(limit: 16, byteCount: format.maximumByteCount, layout: format.layout)
    self.continuation = continuation
  }

  func wants(frameOf time: MonotonicTime) -> Bool { true }

  func draft(byteCount: Int) -> FrameDraft? {
    if let draft = pool.take() { return draft }
    continuation.yield(.lost(1, .poolExhausted))
    return nil
  }

  func receive(_ frame: Frame) { continuation.yield(.frame(frame)) }
  func lost(_ count: Int, _ reason: FrameLoss) { continuation.yield(.lost(count, reason)) }
  func controlChanged(_ control: ControlID) { continuation.yield(.changed(control)) }
  func failed(_ error: CaptureError) { continuation.yield(.failed(error)) }
}

extension FormatRequest {
  /// A short form for tests: `FormatRequest("YUYV", 640, 360, 10)`.
  init(_ format: String?, _ width: Int, _ height: Int, _ rate: Double? = nil) {
    self.init(
      pixelFormat: format.flatMap(PixelFormat.init(name:)),
      size: ImageSize(width: width, height: height),
      framesPerSecond: rate
    )
  }
}
