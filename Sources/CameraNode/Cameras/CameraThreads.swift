import EventLoop

/// The threads of a camera.
struct CameraThreads: Sendable {
  /// For blocking calls into the driver.
  let session: EventLoop
  /// For writing movies.
  let recording: EventLoop

  /// Starts them; `teardown` stops them.
  static func start(_ name: String, _ teardown: Teardown) throws(LoopShortage) -> CameraThreads {
    let session = try EventLoop.starting(name: name)
    teardown.addThread { session.stop() }
    let recording = try EventLoop.starting(name: "\(name)-movie")
    teardown.addThread { recording.stop() }
    return CameraThreads(session: session, recording: recording)
  }
}
