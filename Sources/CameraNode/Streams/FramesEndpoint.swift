import CameraProtocol
import Capture
import EventLoop
import ZeroMQ

/// The frames endpoint: an XPUB socket on the loop on which cameras deliver, so that a frame goes
/// from the driver to the socket without a hop between threads.
actor FramesEndpoint: LoopActor {
  /// The most frames that wait for one subscriber. libzmq drops further ones. The number is small,
  /// because a long queue would delay frames.
  static let queueLength = 3
  /// How long a subscription may wait to be read: see `SubscriptionRest`.
  private static let rest = Duration.milliseconds(50)...Duration.milliseconds(100)

  nonisolated let loop: EventLoop

  private let publisher: Publisher
  private var streams: [CameraStreams] = []
  /// Encoded streams have one of so many frames.
  private var divisor = 1

  private init(_ publisher: Publisher, on loop: EventLoop) {
    self.loop = loop
    self.publisher = publisher
  }

  /// Binds the endpoint and listens to subscribers.
  /// - Returns: The open endpoint, and its address with the real port.
  static func open(
    at place: EndpointPlace, on loop: EventLoop
  ) async throws(ZeroMQError) -> (frames: FramesEndpoint, endpoint: String) {
    try await loop.run { () throws(ZeroMQError) in
      let publisher = Publisher(
        place.context, on: loop, epoch: place.epoch, queueLength: queueLength, rest: rest)
      let bound = try publisher.open(
        [place.endpoint], ipc: place.ipc, by: place.doors, connections: place.connections)
      let frames = FramesEndpoint(publisher, on: loop)
      publisher.onSubscriptionsChanged = frames.handler { endpoint in
        for streams in endpoint.streams { streams.update() }
      }
      publisher.start()
      return (frames, bound)
    }
  }

  /// Opens a socket for subscribers that are limited to some cameras.
  /// - Parameter endpoints: Of which the first one that is free is bound.
  /// - Returns: The endpoint with wildcards resolved.
  func open(
    _ endpoints: [String], for cameras: Set<String>, by doors: Doors, connections: EndpointWatch
  ) throws(ZeroMQError) -> String {
    try publisher.open(endpoints, for: cameras, by: doors, connections: connections)
  }

  /// Closes the socket for subscribers that are limited to these cameras.
  func close(for cameras: Set<String>) { publisher.close(for: cameras) }

  /// Adds the streams of a camera.
  /// - Parameters:
  ///   - video: The thread that codes videos.
  ///   - onUse: Called with whether there are subscribers, when that changes.
  ///   - onRefusal: Called when somebody subscribes to a stream that cannot be encoded.
  func addStreams(
    camera: String, pipeline: FramePipeline, encoders: EncoderPool, video: LazyThread,
    onUse: @escaping @Sendable (Bool) -> Void, onRefusal: @escaping @Sendable () -> Void
  ) -> CameraStreams {
    let new = CameraStreams(
      camera: camera, pipeline: pipeline, encoders: encoders, video: video, publisher: publisher,
      onUse: onUse, onRefusal: onRefusal)
    streams.append(new)
    new.thin(to: divisor)
    // Somebody may have subscribed before the node got the camera.
    new.update()
    return new
  }

  /// Gives encoded streams one of so many frames.
  func thin(to divisor: Int) {
    self.divisor = divisor
    for streams in streams { streams.thin(to: divisor) }
  }

  /// Removes the streams of a camera that the node has no more.
  func remove(_ old: CameraStreams) {
    old.close()
    streams.removeAll { $0 === old }
    publisher.retire(camera: old.camera)
  }

  func close() {
    for streams in streams { streams.close() }
    streams = []
    publisher.close()
  }
}
