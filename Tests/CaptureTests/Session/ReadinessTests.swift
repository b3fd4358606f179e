import Imaging
import Testing

@testable import Capture

struct ReadinessTests {
  private func load(waiting: Int = 0, processing: Int = 0) -> PhotoLoad {
    var load = PhotoLoad()
    load.waiting = waiting
    load.processing = processing
    return load
  }

  private func readiness(
    _ state: SessionState = .running, format: StreamFormat = .scripted(640, 480),
    hasFrames: Bool = true, load: PhotoLoad = PhotoLoad(), storage: Readiness.Storage = .hasRoom
  ) -> Readiness {
    Readiness(state: state, format: format, hasFrames: hasFrames, load: load, storage: storage)
  }

  @Test func `Readiness follows the session's state`() {
    #expect(readiness(.stopped, hasFrames: false) == .sessionNotRunning)
    #expect(readiness(.starting, hasFrames: false) == .notReadyMomentarily)
    #expect(readiness(.running, hasFrames: false) == .notReadyMomentarily)
    #expect(readiness() == .ready)
    #expect(readiness(.idle, hasFrames: false) == .ready, "a photo starts it")
    #expect(readiness(.idle, hasFrames: false, storage: .isFull) == .notReadyStorageFull)
  }

  @Test func `Readiness says what a request would wait for`() {
    let full = PhotoOutput.maximumWaiting
    #expect(readiness(load: load(waiting: full - 1)) == .ready)
    #expect(readiness(load: load(waiting: full)) == .notReadyWaitingForCapture)
    #expect(
      readiness(load: load(processing: PhotoOutput.maximumProcessing))
        == .notReadyWaitingForProcessing)
    #expect(readiness(storage: .isBusy) == .notReadyWaitingForProcessing)
  }

  @Test func `What only a person can change comes before what passes by itself`() throws {
    let full = load(waiting: PhotoOutput.maximumWaiting)
    #expect(readiness(load: full, storage: .isFull) == .notReadyStorageFull)
    #expect(readiness(load: full, storage: .hasFailed) == .notReadyStorageFailed)
    #expect(readiness(.stopped, storage: .isFull) == .sessionNotRunning)
    let layout = try ImageLayout(size: ImageSize(width: 64, height: 32), pixelFormat: .rgb565)
    let unreadable = StreamFormat(
      layout: layout, maximumByteCount: layout.byteCount, frameRate: nil, devicePixelFormat: .rgb565
    )
    #expect(readiness(format: unreadable, storage: .isFull) == .notReadyUnsupportedFormat)
  }
}
