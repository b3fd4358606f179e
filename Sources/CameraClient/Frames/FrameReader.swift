import EventLoop

/// One reader's end of a feed. The feed is closed when this is released.
final class FrameReader: Sendable {
  let losses: FrameLosses
  private let mailbox: FrameMailbox
  private let feed: FrameFeed
  private let connection: ControlConnection

  init(_ stream: FrameStream, _ policy: FramePolicy, of camera: Camera) {
    connection = camera.bus.connection
    let isVideo = stream == .h264
    // Each picture needs those before it, so a few seconds of them wait at least.
    mailbox = FrameMailbox(
      limit: isVideo ? max(policy.limit, FramePolicy.leastOfVideo) : policy.limit, isVideo: isVideo)
    feed = FrameFeed(stream, of: camera, mailbox)
    losses = feed.losses
    if !connection.enter({ [feed] _ in feed.open() }) {
      mailbox.end(.closed)
    }
  }

  deinit {
    close()
  }

  /// The next frame; nil when the caller's task was cancelled.
  func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(CameraBusError) -> CameraFrame? {
    let frame = try await mailbox.next()
    if frame == nil { close() }
    return frame
  }

  private func close() {
    connection.enter { [feed] _ in feed.close() }
  }
}
