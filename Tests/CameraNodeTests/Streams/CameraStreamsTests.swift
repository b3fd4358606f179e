import CameraProtocol
import EventLoop
import Imaging
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode
@testable import Capture

/// The streams of a camera whose frames the test makes, with subscribers over real sockets.
@Suite(.timeLimit(.minutes(5)))
struct CameraStreamsTests {
  /// The time of a frame stands for its number.
  private static let interval: Int64 = 33_333_333

  private struct Arrival: Hashable {
    var stream: String
    var number: Int64
  }

  private final class Movie: FrameConsumer, Sendable {
    let frames = Recorded<Frame>()
    func receive(_ frame: Frame) { frames.add(frame) }
  }

  /// Everything but the encoders runs on one loop.
  // @unchecked: only the loop touches it.
  private final class Bench: @unchecked Sendable {
    let loop = EventLoop(name: "test-frames")
    let arrivals = Recorded<Arrival>()
    /// The streams with subscribers, each time when these have changed.
    let known = Recorded<[String]>()
    let uses = Recorded<Bool>()
    let refusals = Recorded<Int>()
    let encoders: EncoderPool
    let pipeline: FramePipeline
    private let context: Context
    private var publisher: Publisher?
    private var subscriber: Socket<Sub>?
    private(set) var all: CameraStreams?

    init() throws {
      encoders = try EncoderPool(loop: loop, workers: 2)
      pipeline = FramePipeline(loop: loop, encoders: encoders)
      context = try Context()
    }

    var streams: CameraStreams {
      guard let all else { preconditionFailure("the bench is closed") }
      return all
    }

    func open() throws {
      let publisher = Publisher(context, on: loop, epoch: .random(), queueLength: 100)
      let endpoint = try publisher.open(["tcp://127.0.0.1:*"], by: .open)
      let streams = CameraStreams(
        camera: "cam", pipeline: pipeline, encoders: encoders,
        video: LazyThread(name: "video"), publisher: publisher,
        onUse: { [uses] in uses.add($0) }, onRefusal: { [refusals] in refusals.add(0) })
      publisher.onSubscriptionsChanged = { [weak streams, known] in
        guard let streams else { return }
        streams.update()
        known.add(streams.status.filter { $0.subscribers > 0 }.map(\.name))
      }
      publisher.start()
      let subscriber = try Socket<Sub>(context, on: loop)
      subscriber.onReadable { [unowned self] in read() }
      try subscriber.connect(endpoint)
      (self.publisher, self.subscriber, all) = (publisher, subscriber, streams)
    }

    func close() {
      all?.close()
      publisher?.close()
      subscriber?.close()
      (publisher, subscriber, all) = (nil, nil, nil)
    }

    private func read() {
      while let parts = try? subscriber?.receive(), parts.count == 3 {
        let topic = String(decoding: parts[0].bytes, as: UTF8.self)
        guard case .frame(_, let stream)? = Topic(parsing: topic.utf8),
          let header = try? WireHeader(serializedBytes: parts[1].bytes)
        else { continue }
        arrivals.add(
          Arrival(
            stream: "\(stream)",
            number: header.frame.timestamp.monotonicNs / CameraStreamsTests.interval))
      }
    }

    func subscribe(_ stream: String) { subscriber?.subscribe("frame/cam/\(stream)/") }

    func begin(_ pixelFormat: PixelFormat = .grey) throws {
      let size = ImageSize(width: 64, height: 48)
      let layout =
        pixelFormat.isCompressed
        ? ImageLayout.compressed(pixelFormat, size: size)
        : try ImageLayout(size: size, pixelFormat: pixelFormat, range: .full)
      pipeline.begin(
        StreamFormat(
          layout: layout, maximumByteCount: 1 << 16, frameRate: FrameRate(framesPerSecond: 30),
          devicePixelFormat: pixelFormat)
      ) { _ in }
    }

    /// Delivers a frame of the camera.
    func deliver(_ number: Int64) throws {
      let layout = try ImageLayout(
        size: ImageSize(width: 64, height: 48), pixelFormat: .grey, range: .full)
      let bytes = [UInt8](repeating: 128, count: layout.byteCount)
      pipeline.receive(try .made(of: bytes, layout, at: number * CameraStreamsTests.interval))
    }

    func status(of stream: String) -> StreamOutlet.Status? {
      streams.status.first { $0.name == stream }
    }
  }

  private func run(_ body: (Bench) async throws -> Void) async throws {
    let bench = try Bench()
    try await attempt {
      try await bench.loop.run {
        try bench.open()
        try bench.begin()
      }
      try await body(bench)
    } finally: {
      await bench.loop.run {
        bench.close()
        bench.pipeline.end(nil)
      }
      bench.encoders.stop()
      bench.loop.stop()
    }
  }

  /// Subscribes, and waits until the node knows.
  private func subscribe(_ bench: Bench, to streams: String...) async {
    await bench.loop.run { for stream in streams { bench.subscribe(stream) } }
    await bench.known.wait { $0.last.map { Set(streams).isSubset(of: $0) } == true }
  }

  @Test func `A stream whose quality changes disturbs no other one, and misses no frame itself`()
    async throws
  {
    try await run { bench in
      await subscribe(bench, to: "full", "32x24", "preview")
      let numbers = Int64(1)...30
      for number in numbers {
        try await bench.loop.run {
          try bench.deliver(number)
          // The pictures of this frame are under way.
          bench.pipeline.set([
            "full": StreamSettings(maximumRate: 10),
            "preview": StreamSettings(quality: Int(number)),
          ])
        }
        await bench.arrivals.wait { arrivals in
          ["32x24", "preview"].allSatisfy {
            arrivals.contains(Arrival(stream: $0, number: number))
          }
        }
      }
      let arrivals = bench.arrivals.events
      for stream in ["32x24", "preview"] {
        #expect(arrivals.filter { $0.stream == stream }.map(\.number) == Array(numbers))
      }
      let full = arrivals.filter { $0.stream == "full" }.map(\.number).dropFirst()
      #expect(full.count >= 9)
      #expect(zip(full, full.dropFirst()).allSatisfy { $1 - $0 == 3 }, "\(full)")
      await bench.loop.run {
        #expect(bench.streams.status.allSatisfy { $0.droppedLate == 0 })
        #expect(bench.status(of: "preview")?.encoded == 30)
      }
    }
  }

  @Test func `A stream that parts from a movie counts the pictures that it loses`() async throws {
    try await run { bench in
      await subscribe(bench, to: "full")
      let movie = Movie()
      try await bench.loop.run {
        bench.streams.add(movie, quality: CameraStreams.quality, orientation: .upright)
        #expect(bench.streams.encodingCount == 1)
        try bench.deliver(1)
        bench.pipeline.set(["full": StreamSettings(quality: 40)])
        #expect(bench.streams.encodingCount == 2)
        #expect(bench.status(of: "full")?.droppedLate == 1)
        try bench.deliver(2)
      }
      await bench.arrivals.wait { $0.contains(Arrival(stream: "full", number: 2)) }
      await movie.frames.wait { $0.last?.metadata.timestamp.nanoseconds == 2 * Self.interval }
      await bench.loop.run {
        #expect(bench.status(of: "full")?.encoded == 1)
        bench.streams.remove(movie)
        #expect(bench.streams.encodingCount == 1)
      }
      #expect(bench.arrivals.events.map(\.number) == [2])
    }
  }

  @Test func `A movie and a stream of the same quality are encoded once`() async throws {
    try await run { bench in
      await subscribe(bench, to: "full")
      let movie = Movie()
      try await bench.loop.run {
        bench.pipeline.set(["full": StreamSettings(quality: 60)])
        bench.streams.add(movie, quality: 60, orientation: .upright)
        #expect(bench.streams.encodingCount == 1)
        try bench.deliver(1)
      }
      await movie.frames.wait { !$0.isEmpty }
      await bench.arrivals.wait { !$0.isEmpty }
      try await bench.loop.run {
        #expect(bench.status(of: "full")?.encoded == 1)
        // A camera's own JPEGs go into the movie as they are, and get the stream's quality.
        try bench.begin(.mjpeg)
        #expect(bench.streams.encodingCount == 2)
        try bench.begin()
        #expect(bench.streams.encodingCount == 1)
        bench.streams.remove(movie)
      }
    }
  }

  @Test func `A size that is switched off leaves its place to another one`() async throws {
    try await run { bench in
      let sizes = (1...CameraStreams.maximumSizes + 1).map { "\(16 + $0)x16" }
      await bench.loop.run { for size in sizes { bench.subscribe(size) } }
      await bench.known.wait { $0.last?.count == sizes.count }
      try await bench.loop.run {
        let refused = bench.streams.status.filter { $0.refusal?.code == .overloaded }
        #expect(refused.count == 1)
        let off = try #require(sizes.first { $0 != refused.first?.name })
        bench.pipeline.set([off: StreamSettings(isEnabled: false)])
        let now = bench.streams.status.filter { $0.refusal != nil }
        #expect(now.map(\.name) == [off] && now.first?.refusal?.code == .conflict)
        #expect(now.first?.subscribers == 1)
        bench.pipeline.set([:])
        let again = bench.streams.status.filter { $0.refusal != nil }
        #expect(again.map(\.refusal?.code) == [.overloaded])
      }
    }
  }

  @Test func `Streams that are all switched off do not use the camera`() async throws {
    try await run { bench in
      await subscribe(bench, to: "full", "raw")
      await bench.loop.run {
        #expect(bench.uses.events == [true])
        let off = StreamSettings(isEnabled: false)
        bench.pipeline.set(["full": off])
        #expect(bench.uses.events == [true])
        bench.pipeline.set(["full": off, "raw": off])
        #expect(bench.uses.events == [true, false])
        bench.pipeline.set(["full": off])
        #expect(bench.uses.events == [true, false, true])
      }
      try await bench.loop.run {
        try bench.deliver(1)
        bench.pipeline.set([:])
        try bench.deliver(2)
      }
      await bench.arrivals.wait { $0.count == 3 }
      #expect(
        bench.arrivals.events.sorted { $0.number < $1.number }.map(\.number) == [1, 2, 2])
    }
  }

  @Test func `No encoding is left of kinds that nobody has any more`() async throws {
    try await run { bench in
      await subscribe(bench, to: "full", "preview", "32x24")
      await bench.loop.run {
        for rotation in Orientation.Rotation.allCases {
          let orientation = Orientation(rotation, isMirrored: false)
          var orientations = Orientations()
          orientations.preview = orientation
          bench.pipeline.turn(orientations)
          for quality in 1...100 {
            let movie = Movie()
            bench.streams.add(movie, quality: quality, orientation: orientation)
            for stream in ["full", "preview", "32x24"] {
              bench.pipeline.set([stream: StreamSettings(quality: quality)])
            }
            bench.streams.remove(movie)
          }
        }
        #expect(bench.streams.encodingCount == 3)
      }
    }
  }
}
