import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import OperatingSystem

extension CaptureService {
  /// Begins a bracket, which has the camera's session in its turn until its end.
  /// - Throws: `conflict` for other clients while the camera is leased; `frameUnavailable` for a
  ///   moment; why an idle camera does not start.
  func bracket(
    _ shots: [BracketShot], _ timing: PhotoTiming, _ order: PhotoOrder, _ depth: DepthTaker?,
    of camera: Camera, _ call: Call
  ) async throws -> Bracket {
    guard timing.isOfNoMoment else {
      throw WireError(
        .frameUnavailable,
        "a bracket changes the camera's controls, so it has no frame of a certain moment: ask for now or next",
        field: "capture.when")
    }
    try leases.require(camera, for: call)
    let isIdle = camera.sessionStatus.state == .idle || camera.sessionStatus.isAwaited
    try await idle.wake(camera, for: call)
    let start =
      isIdle ? (MonotonicTime.now - call.asked).wholeNanoseconds : depth?.start ?? 0
    let (steps, step) = AsyncStream<PhotoRequest.Step>.makeStream()
    let request = request(.next, order, camera, call, with: depth) { step.yield($0) }
    let bracket = Bracket(steps: steps, on: camera.pipeline)
    call.run("bracket") { [brackets] in
      do {
        try await camera.inTurn(for: call) {
          let plan = try await call.work(on: camera.session) { try $0.plan(shots) }
          try await brackets.write(plan, of: camera.name)
          call.onCancel = { await bracket.cancel() }
          call.onStop = { bracket.stop(.nodeStops) }
          defer { (call.onCancel, call.onStop) = (nil, nil) }
          // The session's thread may end soon.
          guard !call.nodeStops else {
            brackets.removeSoon(of: camera.name)
            throw CaptureError.nodeStops
          }
          await camera.session.bracket(plan, for: request, start: start) { bracket.began($0) }
          await brackets.settled()
        }
        bracket.finish(nil)
      } catch {
        bracket.finish(error)
        // It was not begun, so no step comes.
        step.finish()
      }
    }
    return bracket
  }
}

/// A bracket under way.
final class Bracket: Sendable {
  private struct State: Sendable {
    var handle: BracketHandle?
    /// Why it is to end before it is done.
    var reason: CaptureError?
    var failure: (any Error)?
  }

  /// Those of its photos, of which files may be made longer than the bracket lasts. They end if it
  /// is not begun.
  let steps: AsyncStream<PhotoRequest.Step>
  private let pipeline: FramePipeline
  private let state = Mutex(State())
  private let ends: AsyncStream<Void>
  private let ended: AsyncStream<Void>.Continuation

  init(steps: AsyncStream<PhotoRequest.Step>, on pipeline: FramePipeline) {
    (self.steps, self.pipeline) = (steps, pipeline)
    (ends, ended) = AsyncStream.makeStream()
  }

  /// On the frame loop.
  func began(_ handle: BracketHandle) {
    let reason = state.withLock { state in
      state.handle = handle
      return state.reason
    }
    if let reason { handle.end(reason) }
  }

  func finish(_ failure: (any Error)?) {
    state.withLock { $0.failure = failure }
    ended.finish()
  }

  /// Cancels it if no picture is taken yet.
  func cancel() async -> Bool {
    await pipeline.loop.run { [self] in
      state.withLock { $0.handle }?.cancel() ?? false
    }
  }

  /// Ends it soon.
  func stop(_ reason: CaptureError) {
    pipeline.loop.perform { [self] in
      let handle = state.withLock { state in
        state.reason = reason
        return state.handle
      }
      handle?.end(reason)
    }
  }

  /// Ends it, because its photos are not needed any more, and waits until the controls are as they
  /// were.
  func abandon() async {
    stop(CaptureError(.cancelled, "nobody needs the rest of the bracket"))
    for await _ in ends {}
  }

  /// Waits for its end.
  /// - Throws: why it was not begun.
  func end() async throws {
    for await _ in ends {}
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
