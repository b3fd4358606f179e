import CameraProtocol
import Capture
import Imaging
import OperatingSystem

/// The named frame streams of one camera on the frames socket, each made only while it has
/// subscribers.
// @unchecked: confined to the frame loop, except `outlets`, which has a lock.
final class CameraStreams: @unchecked Sendable {
  /// The quality of encoded streams.
  static let quality = 80
  /// `preview` is scaled down to fit into this.
  static let previewBound = ImageSize(width: 640, height: 640)

  private let camera: String
  private let pipeline: FramePipeline
  private let encoders: EncoderPool
  private let publisher: Publisher
  private let onRefusal: @Sendable () -> Void
  /// Every stream that ever had a subscriber, sorted by name.
  private let outlets = Mutex<[StreamOutlet]>([])
  private var jpegs: [Int: EncodedStream] = [:]

  /// - Parameter onRefusal: called when somebody subscribes to a stream that cannot be encoded.
  init(
    camera: String, pipeline: FramePipeline, encoders: EncoderPool, publisher: Publisher,
    onRefusal: @escaping @Sendable () -> Void
  ) {
    self.camera = camera
    self.pipeline = pipeline
    self.encoders = encoders
    self.publisher = publisher
    self.onRefusal = onRefusal
  }

  /// Starts the streams that have subscribers and ends the others.
  func update() {
    let wanted = publisher.subscriptions.wantedStreams(of: camera)
    for outlet in outlets.withLock({ $0 }) where !wanted.contains(outlet.name) { outlet.close() }
    let refused = wanted.filter { name in outlet(name)?.open() == true }
    for outlet in outlets.withLock({ $0 }) { outlet.countSubscribers() }
    if !refused.isEmpty { onRefusal() }
  }

  func close() {
    for outlet in outlets.withLock({ $0 }) { outlet.close() }
  }

  /// The status of every stream that ever had a subscriber, sorted by name. Can be read on any
  /// thread.
  var status: [StreamOutlet.Status] { outlets.withLock { $0 }.map(\.status) }

  /// The camera's frames as JPEGs of its own size, encoded once for all consumers of this quality.
  func jpegs(quality: Int) -> EncodedStream {
    if let stream = jpegs[quality] { return stream }
    let stream = encode(fitting: nil, quality: quality)
    jpegs[quality] = stream
    return stream
  }

  private func outlet(_ name: StreamName) -> StreamOutlet? {
    let known = outlets.withLock { $0 }
    if let outlet = known.first(where: { $0.name == name }) { return outlet }
    // The number of streams is bounded, because subscribers choose sizes and each size is encoded.
    guard known.count < 16 else { return nil }
    let topic = publisher.topic(Topic.frame(camera: camera, stream: name).name)
    let encoding: EncodedStream? =
      switch name {
      case .raw: nil
      case .full: jpegs(quality: Self.quality)
      case .preview: encode(fitting: Self.previewBound)
      case .size(let width, let height): encode(fitting: ImageSize(width: width, height: height))
      }
    let outlet = StreamOutlet(
      name, topic: topic, pipeline: pipeline, encoding: encoding, publisher: publisher)
    let all = (known + [outlet]).sorted { $0.name.description < $1.name.description }
    outlets.withLock { $0 = all }
    return outlet
  }

  private func encode(
    fitting bound: ImageSize?, quality: Int = CameraStreams.quality
  ) -> EncodedStream {
    EncodedStream(pipeline: pipeline, encoders: encoders, fitting: bound, quality: quality)
  }
}
