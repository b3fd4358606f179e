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

  /// The most sizes that are made at a time, because subscribers choose them and each is encoded.
  static let maximumSizes = 16
  /// The most sizes without a place that the status lists.
  private static let maximumRefusals = 64

  let camera: String
  private let pipeline: FramePipeline
  private let encoders: EncoderPool
  private let publisher: Publisher
  private let onUse: @Sendable (Bool) -> Void
  private let onRefusal: @Sendable () -> Void
  private var isUsed = false
  /// The streams that have subscribers, and the named ones that had some, sorted by name.
  private let outlets = Mutex<[StreamOutlet]>([])
  /// The sizes that have subscribers and no place.
  private let refusals = Mutex<[StreamOutlet.Status]>([])
  private struct PictureKind: Hashable {
    var quality: Int
    var orientation: Orientation
    var isReencoded: Bool
  }

  private var jpegs: [PictureKind: EncodedStream] = [:]
  /// Of how many frames encoded streams have one.
  private var divisor = 1

  /// - Parameters:
  ///   - onUse: called with whether there are subscribers, when that changes.
  ///   - onRefusal: called when somebody subscribes to a stream that cannot be encoded.
  init(
    camera: String, pipeline: FramePipeline, encoders: EncoderPool, publisher: Publisher,
    onUse: @escaping @Sendable (Bool) -> Void, onRefusal: @escaping @Sendable () -> Void
  ) {
    self.camera = camera
    self.pipeline = pipeline
    self.encoders = encoders
    self.publisher = publisher
    self.onUse = onUse
    self.onRefusal = onRefusal
    pipeline.onPictures = { [weak self] in self?.encodeAnew() }
  }

  /// Turns and encodes the streams as they are to be now.
  private func encodeAnew() {
    for outlet in outlets.withLock({ $0 }) {
      if let encoding = encoding(of: outlet.name) { outlet.encode(by: encoding) }
      limitRate(of: outlet)
    }
  }

  private func limitRate(of outlet: StreamOutlet) {
    outlet.limitRate(pipeline.streams[outlet.name.description]?.maximumRate)
  }

  /// Starts the streams that have subscribers, as far as there is a place for them, and ends the
  /// others.
  func update() {
    let wanted = publisher.subscriptions.wantedStreams(of: camera)
    let sizes = wanted.filter(\.isSize)
    let made = Set(wanted.filter { !$0.isSize } + sizes.prefix(Self.maximumSizes))
    for outlet in outlets.withLock({ $0 }) where !made.contains(outlet.name) { end(outlet) }
    let areRefused = made.map { outlet($0).open() }
    for outlet in outlets.withLock({ $0 }) {
      outlet.count(
        subscribers: publisher.subscriptions.subscribers(of: outlet.topic.name, camera: camera))
    }
    let isNews = refuse(sizes.dropFirst(Self.maximumSizes).prefix(Self.maximumRefusals))
    if isUsed == made.isEmpty {
      isUsed.toggle()
      onUse(isUsed)
    }
    if isNews || areRefused.contains(true) { onRefusal() }
  }

  /// A size makes room for others; a named stream keeps its counters.
  private func end(_ outlet: StreamOutlet) {
    outlet.close()
    guard outlet.name.isSize else { return }
    outlets.withLock { outlets in outlets.removeAll { $0 === outlet } }
    publisher.forget(outlet.topic)
  }

  /// Shows in the status that these sizes have no place.
  /// - Returns: Whether one of them had a place, or no subscribers, before.
  private func refuse(_ sizes: some Sequence<StreamName>) -> Bool {
    let refused = sizes.map { name in
      StreamOutlet.Status(
        withoutPlace: name,
        subscribers: publisher.subscriptions.subscribers(
          of: Topic.frame(camera: camera, stream: name).name, camera: camera))
    }
    return refusals.withLock { refusals in
      let before = Set(refusals.map(\.name))
      refusals = refused
      return refused.contains { !before.contains($0.name) }
    }
  }

  /// Gives encoded streams one of so many frames. Movies have them all.
  func thin(to divisor: Int) {
    self.divisor = divisor
    for encoding in outlets.withLock({ $0 }).compactMap(\.encoding) + jpegs.values {
      encoding.thin(to: divisor)
    }
  }

  func close() {
    for outlet in outlets.withLock({ $0 }) { outlet.close() }
  }

  /// The status of every stream that has subscribers, and of the named ones that had some, sorted
  /// by name. Can be read on any thread.
  var status: [StreamOutlet.Status] {
    let all = outlets.withLock { $0 }.map(\.status) + refusals.withLock { $0 }
    return all.sorted { $0.name < $1.name }
  }

  /// The camera's frames as JPEGs of its own size, encoded once for all consumers of this quality
  /// and orientation.
  /// - Parameter isReencoded: whether the camera's own JPEGs get the quality too.
  func jpegs(
    quality: Int, orientation: Orientation, isReencoded: Bool = false
  ) -> EncodedStream {
    let kind = PictureKind(quality: quality, orientation: orientation, isReencoded: isReencoded)
    if let stream = jpegs[kind] { return stream }
    let stream = encode(fitting: nil, orientation, quality: quality, isReencoded: isReencoded)
    jpegs[kind] = stream
    return stream
  }

  private func outlet(_ name: StreamName) -> StreamOutlet {
    let known = outlets.withLock { $0 }
    if let outlet = known.first(where: { $0.name == name }) { return outlet }
    let topic = publisher.topic(Topic.frame(camera: camera, stream: name).name)
    let outlet = StreamOutlet(
      name, topic: topic, pipeline: pipeline, encoding: encoding(of: name), publisher: publisher)
    limitRate(of: outlet)
    let all = (known + [outlet]).sorted { $0.name.description < $1.name.description }
    outlets.withLock { $0 = all }
    return outlet
  }

  /// Makes the pictures of a stream; nil for raw frames.
  private func encoding(of name: StreamName) -> EncodedStream? {
    let orientation = pipeline.orientations.preview
    let chosen = pipeline.streams[name.description]?.quality
    let (quality, isReencoded) = (chosen ?? Self.quality, chosen != nil)
    return switch name {
    case .raw: nil
    case .full: jpegs(quality: quality, orientation: orientation, isReencoded: isReencoded)
    case .preview:
      encode(
        fitting: Self.previewBound, orientation, quality: quality, isReencoded: isReencoded)
    case .size(let width, let height):
      encode(
        fitting: ImageSize(width: width, height: height), orientation, quality: quality,
        isReencoded: isReencoded, rank: .last)
    }
  }

  private func encode(
    fitting bound: ImageSize?, _ orientation: Orientation, quality: Int, isReencoded: Bool,
    rank: EncoderPool.Rank = .first
  ) -> EncodedStream {
    let stream = EncodedStream(
      pipeline: pipeline, encoders: encoders, fitting: bound, orientation: orientation,
      quality: quality, isReencoded: isReencoded, rank: rank)
    stream.thin(to: divisor)
    return stream
  }
}

extension StreamOutlet.Status {
  fileprivate init(withoutPlace name: StreamName, subscribers: Int) {
    self.init(
      name: name.description,
      isEncoded: true,
      subscribers: subscribers,
      encoded: 0,
      published: 0,
      droppedLate: 0,
      droppedSlow: 0,
      encodingFailed: 0,
      refusal: CaptureError(
        .overloaded,
        "the camera sends \(CameraStreams.maximumSizes) sizes already: subscribe to one of them, to "
          + "preview or to full"
      )
    )
  }
}
