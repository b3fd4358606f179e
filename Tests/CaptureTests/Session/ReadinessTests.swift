import Testing

@testable import Capture

struct ReadinessTests {
  private func load(waiting: Int = 0, processing: Int = 0) -> PhotoLoad {
    var load = PhotoLoad()
    load.waiting = waiting
    load.processing = processing
    return load
  }

  @Test func `Readiness follows the session's state`() {
    #expect(
      Readiness(state: .stopped, hasFrames: false, load: load()) == .sessionNotRunning)
    #expect(Readiness(state: .starting, hasFrames: false, load: load()) == .notReadyMomentarily)
    #expect(Readiness(state: .running, hasFrames: false, load: load()) == .notReadyMomentarily)
    #expect(Readiness(state: .running, hasFrames: true, load: load()) == .ready)
  }

  @Test func `Readiness says what a request would wait for`() {
    let full = PhotoOutput.maximumWaiting
    #expect(
      Readiness(state: .running, hasFrames: true, load: load(waiting: full - 1)) == .ready)
    #expect(
      Readiness(state: .running, hasFrames: true, load: load(waiting: full))
        == .notReadyWaitingForCapture)
    #expect(
      Readiness(
        state: .running, hasFrames: true, load: load(processing: PhotoOutput.maximumProcessing))
        == .notReadyWaitingForProcessing)
  }
}
