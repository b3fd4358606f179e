import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import OperatingSystem

extension CaptureService {
  /// The kind of the tasks in which such photos are taken.
  nonisolated static let shotsTask = "shots"

  /// Begins photos that change the camera's controls and put them back: a bracket, or one with the
  /// flash. They have the camera's session in their turn until their end.
  /// - Parameters:
  ///   - kind: "a bracket", as errors name it.
  ///   - plan: Finds out what they change.
  /// - Throws: `conflict` for other clients while the camera is leased; `frameUnavailable` for a
  ///   moment; why an idle camera does not start.
  func shots(
    _ kind: String, _ job: CaptureJob, _ depth: DepthTaker?,
    _ plan: @escaping @Sendable (isolated CaptureSession) throws -> ShotPlan
  ) async throws -> ShotSeries {
    try job.requireNoMoment(
      because: "\(kind) changes the camera's controls", else: "now or next")
    let (camera, call, pictures) = (job.camera, job.call, job.order.photos.pictures)
    try leases.require(camera, for: call)
    var job = job
    job.start = max(job.start, try await idle.wake(camera, for: call))
    job.order.timing = .next
    let (steps, step) = AsyncStream<PhotoRequest.Step>.makeStream()
    let request = request(job, depth) { step.yield($0) }
    let series = ShotSeries(steps: steps, on: camera.pipeline)
    call.run(Self.shotsTask) { [brackets] in
      do {
        try await camera.inTurn(for: call, pictures: pictures) {
          let plan = try await call.work(on: camera) { try plan($0) }
          try await brackets.write(plan, of: camera.name)
          let interruption = Interruption(
            onCancel: { await series.cancel() }, onStop: { series.stop(.nodeStops) })
          try await call.interruptible(by: interruption) {
            // The session's thread may end soon.
            guard !call.nodeStops else {
              brackets.removeSoon(of: camera.name)
              throw CaptureError.nodeStops
            }
            try await camera.run { session in
              await session.take(plan, for: request) { series.began($0) }
            }
            await brackets.settled()
          }
        }
        series.finish(nil)
      } catch {
        series.finish(error)
        // No step comes any more: it was not begun, or its driver does not come back.
        step.finish()
      }
    }
    return series
  }
}

/// Photos under way that change the camera's controls.
final class ShotSeries: Sendable {
  private struct State: Sendable {
    var handle: ShotHandle?
    /// Why it is to end before it is done.
    var reason: CaptureError?
    var failure: (any Error)?
  }

  /// The steps of its photos, whose files may be made longer than it lasts. They end if it is not
  /// begun.
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
  func began(_ handle: ShotHandle) {
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
    stop(CaptureError(.cancelled, "nobody needs the rest of the photos"))
    for await _ in ends {}
  }

  /// Waits for its end.
  /// - Throws: Why it was not begun.
  func end() async throws {
    for await _ in ends {}
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
