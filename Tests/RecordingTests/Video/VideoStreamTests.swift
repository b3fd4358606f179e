import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture
@testable import Recording

/// Videos of a camera that sends H.264 itself.
struct VideoStreamTests {
  private final class Sink: VideoConsumer, @unchecked Sendable {
    let pictures = Recorded<Frame>()
    /// Used on the frame loop.
    var wantsKey = false

    func awaitsKey(at time: MonotonicTime) -> Bool { wantsKey }
    func receive(_ frame: Frame) { pictures.add(frame) }
  }

  // @unchecked: confined to the loop.
  private final class Bench: @unchecked Sendable {
    let loop = EventLoop(name: "frames test")
    let coding = EventLoop(name: "coding test")
    let pipeline: FramePipeline
    let stream: VideoStream
    let sink = Sink()
    let questions = Recorded<Void>()
    let scene: Scene
    /// The scene as the camera codes it, with a key picture every 10.
    let coded: [Frame]
    private var index = 0
    private var sent: [Frame] = []

    init(
      _ kind: VideoKind = VideoKind(), device: PixelFormat = .h264, limit: Double? = nil
    ) throws {
      let scene = try Scene(.yu12)
      let coded = try scene.coded(40, keyEvery: 10)
      let pipeline = FramePipeline(loop: loop, encoders: try EncoderPool(loop: loop, workers: 1))
      let stream = VideoStream(pipeline: pipeline, loop: coding, kind: kind)
      (self.scene, self.coded, self.pipeline, self.stream) = (scene, coded, pipeline, stream)
      loop.performAndWait { [sink, questions] in
        pipeline.begin(
          StreamFormat(
            layout: scene.layout, maximumByteCount: scene.layout.byteCount,
            frameRate: FrameRate(framesPerSecond: 25), devicePixelFormat: device)
        ) { if case .keyPictureWanted = $0 { questions.add() } }
        pipeline.limitRate(limit)
        stream.add(sink)
      }
    }

    deinit {
      let (pipeline, stream, sink) = (pipeline, stream, sink)
      loop.performAndWait {
        stream.remove(sink)
        pipeline.end(nil)
      }
      loop.stop()
      coding.stop()
    }

    /// Delivers the next frames of the camera.
    /// - Parameters:
    ///   - lost: How many of them are lost.
    ///   - crop: The node's zoom.
    func deliver(_ count: Int, lost: Int = 0, crop: Double = 1) throws {
      index += lost
      for index in index..<index + count {
        let whole = try scene.frame(index)
        var metadata = whole.metadata
        metadata.crop = crop
        let frame = try copy(of: whole, metadata)
        metadata.dependence = index % 10 == 0 ? .key : .delta
        let picture = try copy(of: coded[index], metadata)
        sent.append(picture)
        loop.performAndWait { [pipeline] in pipeline.receive(frame, coded: picture) }
        // One after the other, so that none is dropped.
        coding.performAndWait {}
        loop.performAndWait {}
      }
      index += count
    }

    private func copy(of frame: Frame, _ metadata: FrameMetadata) throws -> Frame {
      let pool = FramePool(limit: 1, byteCount: frame.byteCount, layout: frame.layout)
      guard var draft = pool.take() else { throw CaptureError(.overloaded, "a new pool is empty") }
      frame.withBytes { draft.copyBytes(of: $0) }
      return draft.seal(layout: frame.layout, metadata: metadata, byteCount: frame.byteCount)
    }

    var indices: [Int] { sink.pictures.events.map { Int($0.metadata.sequence) - 1 } }
    /// Which pictures are the camera's own.
    var isCameras: [Bool] {
      sink.pictures.events.map { picture in sent.contains { $0 === picture } }
    }
  }

  @Test
  func `The camera's own pictures pass from a key picture on, and the camera is asked for it`()
    throws
  {
    let bench = try Bench()
    try bench.deliver(5, lost: 3)
    #expect(bench.indices == [] && !bench.questions.events.isEmpty)
    try bench.deliver(12)
    #expect(bench.indices == Array(10..<20))
    #expect(!bench.isCameras.contains(false))
    #expect(bench.stream.encoder == "camera")
    #expect(bench.stream.counters.passedThrough == 10 && bench.stream.counters.encoded == 0)
    #expect(bench.stream.counters.droppedLate == 0)
  }

  @Test func `What needs a lost picture is left out and counted`() throws {
    let bench = try Bench()
    try bench.deliver(5)
    try bench.deliver(4, lost: 1)
    try bench.deliver(5)
    #expect(bench.indices == [0, 1, 2, 3, 4] + Array(10..<15))
    #expect(bench.stream.counters.droppedLate == 4)
    #expect(!bench.questions.events.isEmpty)
  }

  @Test func `A consumer that waits for a key picture lets the camera be asked for one`() throws {
    let bench = try Bench()
    try bench.deliver(5)
    #expect(bench.questions.events.isEmpty)
    bench.loop.performAndWait { [sink = bench.sink] in sink.wantsKey = true }
    try bench.deliver(3)
    #expect(!bench.questions.events.isEmpty)
    #expect(bench.indices == Array(0..<8), "the others get theirs meanwhile")
  }

  @Test(
    arguments: [
      VideoKind(orientation: Orientation(.quarter)),
      VideoKind(fitting: ImageSize(width: 80, height: 80)), VideoKind(maximumRate: 100),
      VideoKind(settings: VideoSettings(quality: 40), isReencoded: true),
    ])
  func `Pictures that are to be others are coded by the node`(kind: VideoKind) throws {
    let bench = try Bench(kind)
    try bench.deliver(5, lost: 3)
    #expect(bench.indices == Array(3..<8), "it needs none of the camera's key pictures")
    #expect(!bench.isCameras.contains(true))
    #expect(bench.stream.encoder == "libx264")
  }

  @Test func `A camera of HEVC, and one that is thinned out, have their H.264 from the node`()
    throws
  {
    for bench in [try Bench(device: .hevc), try Bench(limit: 12.5)] {
      try bench.deliver(5)
      #expect(bench.indices == Array(0..<5))
      #expect(bench.stream.encoder == "libx264")
    }
  }

  @Test func `A zoom of the node is coded, and afterwards the camera's pictures pass again`() throws
  {
    let bench = try Bench()
    try bench.deliver(3)
    try bench.deliver(4, crop: 2)
    try bench.deliver(8)
    #expect(bench.indices == Array(0..<15), "none is missing")
    #expect(bench.isCameras == (0..<15).map { $0 < 3 || $0 >= 10 })
    #expect(bench.sink.pictures.events[3].metadata.dependence == .key)
    #expect(bench.stream.encoder == "camera")
  }
}
