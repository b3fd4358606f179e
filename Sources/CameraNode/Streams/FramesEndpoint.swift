import CameraProtocol
import Capture
import EventLoop
import ZeroMQ

/// The frames endpoint: an XPUB socket on the very loop that the cameras deliver on, so that a frame goes from
/// the driver to the socket without a hop.
actor FramesEndpoint: LoopActor {
  /// Frames that wait for one subscriber before libzmq drops the next for it: newest wins, and old ones are few.
  static let queueLength = 3
  /// How long a subscription may wait behind another. With every second frame that a subscriber takes, libzmq signals
  /// that there is room again: to be woken by that, or by the end of a rest, would disturb the very sending of it.
  private static let rest = Duration.milliseconds(50)...Duration.milliseconds(100)

  nonisolated let loop: EventLoop

  private var publisher: Publisher?
  private var streams: [CameraStreams] = []

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// - Parameter ipc: where the node listens over ipc too.
  /// - Returns: the endpoint as bound.
  func open(
    _ context: Context, endpoint: String, ipc: String?, epoch: Epoch
  ) throws(ZeroMQError) -> String {
    let publisher = try Publisher(
      context, on: loop, epoch: epoch, queueLength: Self.queueLength)
    let bound = try publisher.bind(endpoint)
    if let ipc { _ = try publisher.bind(ipc) }
    publisher.onSubscriptionsChanged = { [weak self] in
      self?.assumeIsolated { endpoint in
        for streams in endpoint.streams { streams.update() }
      }
    }
    publisher.start(rest: Self.rest)
    self.publisher = publisher
    return bound
  }

  /// The streams of one more camera; nil before `open`.
  func addStreams(
    camera: String, pipeline: FramePipeline, encoders: EncoderPool
  ) -> CameraStreams? {
    guard let publisher else { return nil }
    let new = CameraStreams(
      camera: camera, pipeline: pipeline, encoders: encoders, publisher: publisher)
    streams.append(new)
    return new
  }

  func close() {
    for streams in streams { streams.close() }
    streams = []
    publisher?.close()
    publisher = nil
  }
}
