import EventLoop
import OperatingSystem

/// The threads of a camera.
struct CameraThreads: Sendable {
  /// For blocking calls into the driver.
  let session: EventLoop
  /// For writing movies.
  let recording: EventLoop
  /// For coding videos.
  let video: LazyThread

  /// Starts them; `teardown` stops them.
  static func start(_ name: String, _ teardown: Teardown) throws(LoopShortage) -> CameraThreads {
    let session = try EventLoop.starting(name: name)
    teardown.addThread { session.stop() }
    let recording = try EventLoop.starting(name: "\(name)-movie")
    teardown.addThread { recording.stop() }
    let video = LazyThread(name: "\(name)-video")
    teardown.addThread { video.stop() }
    return CameraThreads(session: session, recording: recording, video: video)
  }
}

/// A thread that starts when it is needed first.
final class LazyThread: Sendable {
  private let name: String
  private let started = Mutex<EventLoop?>(nil)

  init(name: String) {
    self.name = name
  }

  /// - Throws: If the system has no thread left.
  func loop() throws(LoopShortage) -> EventLoop {
    try started.withLock { (started) throws(LoopShortage) in
      if let loop = started { return loop }
      let loop = try EventLoop.starting(name: name)
      started = loop
      return loop
    }
  }

  /// Ends it, as `EventLoop.stop`.
  func stop() {
    let loop = started.withLock { started in
      defer { started = nil }
      return started
    }
    loop?.stop()
  }
}
