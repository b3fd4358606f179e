import CameraProtocol
import Capture
import EventLoop
import Imaging
import OperatingSystem
import Recording

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
  private let video: LazyThread
  private let publisher: Publisher
  private let onUse: @Sendable (Bool) -> Void
  private let onRefusal: @Sendable () -> Void
  private var isUsed = false
  /// The streams that have subscribers and a place or are switched off, and the named ones that had
  /// subscribers, sorted by name.
  private let outlets = Mutex<[StreamOutlet]>([])
  /// The sizes that have subscribers and no place.
  private let refusals = Mutex<[StreamOutlet.Status]>([])
  /// What outlets and movies have, each kind made once for all of them.
  private var encodings: [PictureKind: EncodedStream] = [:]
  /// The videos that outlets and movies have, each kind coded once for all of them.
  private let videos = Mutex<[VideoKind: VideoStream]>([:])
  /// Encoded streams have one of so many frames.
  private var divisor = 1

  /// - Parameters:
  ///   - video: The thread that codes videos.
  ///   - onUse: Called with whether there are subscribers, when that changes.
  ///   - onRefusal: Called when somebody subscribes to a stream that cannot be encoded, and when
  ///     that begins or ends.
  init(
    camera: String, pipeline: FramePipeline, encoders: EncoderPool, video: LazyThread,
    publisher: Publisher, onUse: @escaping @Sendable (Bool) -> Void,
    onRefusal: @escaping @Sendable () -> Void
  ) {
    self.camera = camera
    self.pipeline = pipeline
    self.encoders = encoders
    self.video = video
    self.publisher = publisher
    self.onUse = onUse
    self.onRefusal = onRefusal
    pipeline.onPictures = { [weak self] in self?.adapt() }
  }

  /// Sends the streams as they are to be now. Those that are to be as before go on undisturbed.
  private func adapt() {
    for outlet in outlets.withLock({ $0 }) { adapt(outlet) }
    update()
  }

  private func adapt(_ outlet: StreamOutlet) {
    if outlet.name == .h264, let new = source(of: .h264), !new.isSame(as: outlet.source) {
      outlet.publish(from: new)
      forgetUnused()
    }
    if let old = outlet.encoding, let kind = kind(of: outlet.name), kind != old.kind {
      if encodings[kind] == nil, old.isOnly(for: outlet) {
        encodings[old.kind] = nil
        encodings[kind] = old
        old.kind = kind
      } else {
        outlet.publish(from: .pictures(encoding(kind)))
      }
    }
    outlet.limitRate(pipeline.streams[outlet.name.description]?.maximumRate)
    outlet.isSwitchedOff = isSwitchedOff(outlet.name)
  }

  private func isSwitchedOff(_ name: StreamName) -> Bool {
    pipeline.streams[name.description]?.isEnabled == false
  }

  /// Starts the streams that have subscribers and are not switched off, as far as there is a place
  /// for them, and ends the others.
  func update() {
    let subscribed = publisher.subscriptions.wantedStreams(of: camera)
    let switchedOff = Set(subscribed.filter(isSwitchedOff))
    let wanted = subscribed.filter { !switchedOff.contains($0) }
    let sizes = wanted.filter(\.isSize)
    let made = Set(wanted.filter { !$0.isSize } + sizes.prefix(Self.maximumSizes))
    for outlet in outlets.withLock({ $0 }) where !made.contains(outlet.name) {
      if switchedOff.contains(outlet.name) { outlet.close() } else { end(outlet) }
    }
    for name in switchedOff { _ = outlet(name) }
    for outlet in outlets.withLock({ $0 })
    where publisher.arrivals.contains(Array(outlet.topic.name.utf8)) {
      outlet.beginsAgain()
    }
    var areRefused = made.map { outlet($0).open() }
    forgetUnused()
    for outlet in outlets.withLock({ $0 }) {
      let isFirst = outlet.count(
        subscribers: publisher.subscriptions.subscribers(of: outlet.topic.name, camera: camera))
      if isFirst, outlet.isSwitchedOff { areRefused.append(true) }
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
    for encoding in encodings.values { encoding.thin(to: divisor) }
    for video in videos.withLock({ Array($0.values) }) { video.thin(to: divisor) }
  }

  func close() {
    pipeline.onPictures = nil
    for outlet in outlets.withLock({ $0 }) { outlet.close() }
  }

  /// The status of every stream that has subscribers, and of the named ones that had some, sorted
  /// by name. Can be read on any thread.
  var status: [StreamOutlet.Status] {
    let all = outlets.withLock { $0 }.map(\.status) + refusals.withLock { $0 }
    return all.sorted { $0.name < $1.name }
  }

  /// Gives a movie the camera's frames as JPEGs of their own size, encoded once for all consumers
  /// of such pictures.
  func add(
    _ movie: any FrameConsumer, quality: Int, orientation: Orientation
  ) {
    encoding(PictureKind(orientation: orientation, quality: quality)).add(movie)
  }

  /// Gives a movie the camera's frames as a video, coded once for all consumers of that kind.
  /// - Throws: If the system has no thread for it.
  func add(video movie: any VideoConsumer, _ kind: VideoKind) throws(LoopShortage) {
    try videoStream(kind).add(movie)
  }

  private func videoStream(_ kind: VideoKind) throws(LoopShortage) -> VideoStream {
    if let known = videos.withLock({ $0[kind] }) { return known }
    let new = VideoStream(pipeline: pipeline, loop: try video.loop(), kind: kind)
    new.thin(to: divisor)
    new.onChange = { [weak self] in self?.onRefusal() }
    videos.withLock { $0[kind] = new }
    return new
  }

  /// What codes a video; nil if nothing does now. Can be read on any thread.
  func encoder(of kind: VideoKind) -> String? { videos.withLock { $0[kind] }?.encoder }

  func remove(video movie: any VideoConsumer) {
    for video in videos.withLock({ Array($0.values) }) where video.has(movie) {
      video.remove(movie)
    }
    forgetUnused()
  }

  func remove(_ movie: any FrameConsumer) {
    for encoding in encodings.values where encoding.has(movie) { encoding.remove(movie) }
    forgetUnused()
  }

  private func outlet(_ name: StreamName) -> StreamOutlet {
    let known = outlets.withLock { $0 }
    if let outlet = known.first(where: { $0.name == name }) { return outlet }
    let topic = publisher.topic(Topic.frame(camera: camera, stream: name).name)
    let outlet = StreamOutlet(
      name, topic: topic, pipeline: pipeline, source: source(of: name),
      publisher: publisher)
    adapt(outlet)
    let all = (known + [outlet]).sorted { $0.name.description < $1.name.description }
    outlets.withLock { $0 = all }
    return outlet
  }

  /// What makes the pictures of a stream now; nil for raw frames, and for a video that has no
  /// thread.
  private func source(of name: StreamName) -> StreamSource? {
    guard name == .h264 else { return kind(of: name).map { .pictures(encoding($0)) } }
    let chosen = pipeline.streams[name.description]
    var settings = VideoSettings()
    if let quality = chosen?.quality { settings.quality = quality }
    if let interval = chosen?.keyInterval { settings.keyInterval = interval }
    settings.bitRate = chosen?.bitRate
    let isChosen =
      chosen?.quality != nil || chosen?.keyInterval != nil || chosen?.bitRate != nil
    let kind = VideoKind(
      fitting: chosen?.bound, orientation: pipeline.orientations.preview, settings: settings,
      maximumRate: chosen?.maximumRate,
      isReencoded: isChosen && pipeline.format?.devicePixelFormat.isVideo == true)
    return (try? videoStream(kind)).map { .video($0) }
  }

  /// How JPEGs of a stream are to be made now; nil for other streams.
  private func kind(of name: StreamName) -> PictureKind? {
    let chosen = pipeline.streams[name.description]?.quality
    // Frames that are no JPEGs are encoded anyway, and a movie can have the same pictures.
    let isCompressed = pipeline.format?.layout.pixelFormat.isCompressed == true
    var kind = PictureKind(
      orientation: pipeline.orientations.preview, quality: chosen ?? Self.quality,
      isReencoded: chosen != nil && isCompressed)
    switch name {
    case .raw, .h264: return nil
    case .full: break
    case .preview: kind.bound = Self.previewBound
    case .size(let width, let height):
      kind.bound = ImageSize(width: width, height: height)
      kind.rank = .last
    }
    return kind
  }

  private func encoding(_ kind: PictureKind) -> EncodedStream {
    if let encoding = encodings[kind] { return encoding }
    let encoding = EncodedStream(pipeline: pipeline, encoders: encoders, kind: kind)
    encoding.thin(to: divisor)
    encoding.onSilence = { [weak self] in self?.onRefusal() }
    encodings[kind] = encoding
    return encoding
  }

  /// Leaves only the encodings that have consumers or belong to a stream in the status.
  private func forgetUnused() {
    let own = outlets.withLock { $0 }.compactMap(\.source)
    encodings = encodings.filter { _, encoding in
      encoding.hasConsumers || own.contains { $0.isSame(as: .pictures(encoding)) }
    }
    videos.withLock { videos in
      videos = videos.filter { _, video in
        video.hasConsumers || own.contains { $0.isSame(as: .video(video)) }
      }
    }
  }

  /// How many encodings there are.
  var encodingCount: Int { encodings.count }
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
