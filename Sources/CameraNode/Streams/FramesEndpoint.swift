import CameraProtocol
import Capture
import EventLoop
import ZeroMQ

/// The frames endpoint: an XPUB socket on the loop on which cameras deliver, so that a frame goes
/// from the driver to the socket without a hop between threads.
actor FramesEndpoint: LoopActor {
  /// How many frames wait for one subscriber before libzmq drops the next for it. Few, because new
  /// frames matter more than old ones.
  static let queueLength = 3
  /// How long a subscription may wait after others were read: see `SubscriptionRest`.
  private static let rest = Duration.milliseconds(50)...Duration.milliseconds(100)

  nonisolated let loop: EventLoop

  private var publisher: Publisher?
  private var streams: [CameraStreams] = []

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// - Parameter ipc: the ipc endpoint, if the node has one.
  /// - Returns: the endpoint with its real port.
  func open(
    _ context: Context, endpoint: String, ipc: String?, epoch: Epoch
  ) throws(ZeroMQError) -> String {
    let publisher = try Publisher(
      context, on: loop, epoch: epoch, queueLength: Self.queueLength, rest: Self.rest)
    let bound = try publisher.bind(endpoint)
    if let ipc { _ = try publisher.bind(ipc) }
    publisher.onSubscriptionsChanged = { [weak self] in
      self?.assumeIsolated { endpoint in
        for streams in endpoint.streams { streams.update() }
      }
    }
    publisher.start()
    self.publisher = publisher
    return bound
  }

  /// Adds the streams of a camera; nil before `open`.
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
