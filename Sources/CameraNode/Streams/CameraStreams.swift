import CameraProtocol
import Capture
import EventLoop
import Imaging

/// The named frame streams of one camera on the frames socket, each made only while somebody listens.
// @unchecked: confined to the frame loop.
final class CameraStreams: @unchecked Sendable {
  /// The quality of encoded streams.
  static let quality = 80
  /// What `preview` fits into.
  static let previewBound = ImageSize(width: 640, height: 640)

  struct Status: Sendable {
    var name: String
    var subscribers: Int
    var encoded: UInt64
    var published: UInt64
    var droppedLate: UInt64
    var droppedSlow: UInt64
  }

  private let camera: String
  private let pipeline: FramePipeline
  private let encoders: EncoderPool
  private let publisher: Publisher
  private var outlets: [StreamName: StreamOutlet] = [:]
  private var jpegs: [Int: EncodedStream] = [:]

  init(camera: String, pipeline: FramePipeline, encoders: EncoderPool, publisher: Publisher) {
    self.camera = camera
    self.pipeline = pipeline
    self.encoders = encoders
    self.publisher = publisher
  }

  /// Starts the streams that are wanted and ends the others.
  func update() {
    let wanted = publisher.subscriptions.wantedStreams(of: camera)
    for (name, outlet) in outlets where outlet.isOpen && !wanted.contains(name) { outlet.close() }
    for name in wanted { outlet(name)?.open() }
  }

  func close() {
    for outlet in outlets.values where outlet.isOpen { outlet.close() }
  }

  /// Every stream that anybody has ever asked for, by name.
  var status: [Status] {
    outlets.sorted { $0.key.description < $1.key.description }.map { name, outlet in
      let counters = outlet.encoding?.counters ?? EncodedStream.Counters()
      return Status(
        name: name.description,
        subscribers: publisher.subscriptions.subscribers(of: outlet.topic.name),
        encoded: counters.encoded,
        published: outlet.published,
        droppedLate: counters.droppedLate,
        droppedSlow: outlet.topic.overflows
      )
    }
  }

  /// The camera's frames as JPEGs of its own size: one encoding for all who want this quality.
  func jpegs(quality: Int) -> EncodedStream {
    if let stream = jpegs[quality] { return stream }
    let stream = encode(fitting: nil, quality: quality)
    jpegs[quality] = stream
    return stream
  }

  private func outlet(_ name: StreamName) -> StreamOutlet? {
    if let outlet = outlets[name] { return outlet }
    // Sizes on demand are bounded: subscribers cannot make the node hold encoders without end.
    guard outlets.count < 16 else { return nil }
    let topic = publisher.topic(Topic.frame(camera: camera, stream: name).name)
    let encoding: EncodedStream? =
      switch name {
      case .raw: nil
      case .full: jpegs(quality: Self.quality)
      case .preview: encode(fitting: Self.previewBound)
      case .size(let width, let height): encode(fitting: ImageSize(width: width, height: height))
      }
    let outlet = StreamOutlet(
      topic: topic, pipeline: pipeline, encoding: encoding, publisher: publisher)
    outlets[name] = outlet
    return outlet
  }

  private func encode(
    fitting bound: ImageSize?, quality: Int = CameraStreams.quality
  ) -> EncodedStream {
    EncodedStream(pipeline: pipeline, encoders: encoders, fitting: bound, quality: quality)
  }
}
