import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Photos of several frames: the sharpest of them, and what is merged of them.
struct PhotoPrioritizationTests {
  private static let size = ImageSize(width: 320, height: 240)
  private static let interval: Int64 = 33_333_333

  /// A scene with edges, and noise that is different in each frame.
  private static func scene(blur: Int = 0, noise: Double = 0, seed: UInt64 = 0) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var samples = [Double](repeating: 0, count: size.width * size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var sum = 0.0
        for shift in -blur...blur {
          sum += ((x + shift + 320) / 16 + y / 16).isMultiple(of: 2) ? 160 : 60
        }
        samples[y * size.width + x] = sum / Double(2 * blur + 1)
      }
    }
    return samples.map { sample in
      // The sum of 12 uniform numbers has a deviation of 1.
      let normal = (0..<12).reduce(-6.0) { sum, _ in
        sum + Double.random(in: 0..<1, using: &random)
      }
      return UInt8(max(0, min(255, sample + noise * normal)))
    }
  }

  fileprivate struct Taken {
    var resolved: ResolvedPhoto
    var file: PhotoFile
  }

  /// Gives the camera's pipeline these frames, and asks for a photo of one of them.
  private static func take(
    _ pictures: [[UInt8]], ofMoment number: Int, _ order: PhotoOrder, changed: Int = 0
  ) async throws -> Taken {
    let camera = try TestPipeline(size, .grey)
    defer { camera.stop() }
    return try await camera.take(
      pictures, every: interval, ofMoment: number, order, changed: changed)
  }

  private static func order(_ prioritization: PhotoPrioritization) -> PhotoOrder {
    var order = PhotoOrder([PhotoFileOrder(.jpeg, quality: 100)])
    order.prioritization = prioritization
    return order
  }

  /// The deviation of a JPEG from the scene.
  private static func error(_ file: PhotoFile, from scene: [UInt8]) throws -> Double {
    let jpeg = file.bytes
    let (_, pixels) = try unsafe JPEGDecoder().decodeRGB(jpeg.span.bytes)
    var sum = 0.0
    for (index, sample) in scene.enumerated() {
      let difference = Double(pixels[3 * index]) - Double(sample)
      sum += difference * difference
    }
    return (sum / Double(scene.count)).squareRoot()
  }

  @Test func `Speed takes the frame of the moment, however blurred`() async throws {
    let pictures = [0, 6, 0].map { Self.scene(blur: $0, noise: 2, seed: UInt64($0)) }
    let taken = try await Self.take(pictures, ofMoment: 2, Self.order(.speed))
    #expect(taken.resolved.metadata.sequence == 2 && taken.resolved.offset == 0)
    #expect(taken.resolved.prioritization == .speed && taken.resolved.mergedCount == 1)
  }

  @Test(arguments: [1, 3]) func `Balanced takes a neighbour that is sharper`(sharp: Int)
    async throws
  {
    let pictures = (1...3).map { Self.scene(blur: $0 == sharp ? 0 : 6, noise: 2, seed: UInt64($0)) }
    let taken = try await Self.take(pictures, ofMoment: 2, Self.order(.balanced))
    #expect(taken.resolved.metadata.sequence == UInt64(sharp))
    #expect(taken.resolved.offset == Int64(sharp - 2) * Self.interval)
    #expect(taken.resolved.prioritization == .balanced && taken.resolved.mergedCount == 1)
  }

  @Test func `Balanced keeps the frame of the moment if none is clearly sharper`() async throws {
    let pictures = (1...3).map { Self.scene(noise: 2, seed: UInt64($0)) }
    let taken = try await Self.take(pictures, ofMoment: 2, Self.order(.balanced))
    #expect(taken.resolved.metadata.sequence == 2)
  }

  @Test(arguments: [3.0, 6, 10]) func `Quality has much less noise, and says of how many frames`(
    noise: Double
  ) async throws {
    let scene = Self.scene()
    let pictures = (1...4).map { Self.scene(noise: noise, seed: UInt64($0)) }
    let single = try await Self.take(pictures, ofMoment: 2, Self.order(.speed))
    let merged = try await Self.take(pictures, ofMoment: 2, Self.order(.quality))
    #expect(merged.resolved.mergedCount == 4 && merged.resolved.prioritization == .quality)
    #expect(merged.resolved.metadata.sequence == 2)
    let (before, after) = try (
      Self.error(single.file, from: scene), Self.error(merged.file, from: scene)
    )
    #expect(abs(before - noise) < 0.1 * noise)
    #expect(after < 0.6 * before, "\(before) \(after)")
    let text = String(decoding: merged.file.bytes, as: Unicode.ASCII.self)
    #expect(text.contains(">4</camerabus:mergedFrameCount>"))
  }

  @Test func `Quality shows no moment that is further away than a neighbour`() async throws {
    let pictures = (1...4).map { Self.scene(blur: $0 == 4 ? 0 : 6, noise: 3, seed: UInt64($0)) }
    let taken = try await Self.take(pictures, ofMoment: 2, Self.order(.quality))
    #expect(taken.resolved.prioritization == .quality && taken.resolved.metadata.sequence == 2)
  }

  @Test(arguments: [(2, 1, 4), (3, 3, 2)])
  func `Frames with other controls are neither taken nor merged`(
    changed: Int, sharp: Int, merged: Int
  ) async throws {
    let pictures = (1...5).map { Self.scene(blur: $0 == sharp ? 0 : 6, noise: 2, seed: UInt64($0)) }
    for prioritization in [PhotoPrioritization.balanced, .quality] {
      let taken = try await Self.take(
        pictures, ofMoment: 2, Self.order(prioritization), changed: changed)
      #expect(taken.resolved.metadata.sequence == 2)
      #expect(taken.resolved.mergedCount == (prioritization == .quality ? merged : 1))
    }
  }

  @Test func `Raw bytes are those of the frame, also where others are merged`() async throws {
    let pictures = (1...4).map { Self.scene(noise: 6, seed: UInt64($0)) }
    var order = PhotoOrder([PhotoFileOrder(.raw)])
    order.prioritization = .quality
    let taken = try await Self.take(pictures, ofMoment: 2, order)
    #expect(taken.file.bytes == pictures[1])
  }

  @Test func `Photos that come fast get less, and keep their moments`() {
    let levels = [0, 4, 8].map { count in
      [PhotoPrioritization.speed, .balanced, .quality].map { $0.lowered(whileMaking: count) }
    }
    #expect(
      levels == [
        [.speed, .balanced, .quality], [.speed, .balanced, .balanced], [.speed, .speed, .speed],
      ])
  }

  @Test func `A photo of the next frame shows none from before`() async throws {
    try await TestCamera.with { camera in
      for prioritization in [PhotoPrioritization.balanced, .quality] {
        var order = PhotoOrder()
        order.prioritization = prioritization
        let asked = MonotonicTime.now
        let steps = await camera.photo(.next, asked: asked, order: order)
        guard case .processed(let resolved, _, _)? = steps.last else {
          Issue.record("\(steps.map(\.name))")
          return
        }
        #expect(resolved.metadata.exposure.earliestStart >= asked)
        #expect(resolved.prioritization == prioritization)
      }
    }
  }
}

/// A pipeline that gets frames from a test.
private final class TestPipeline: Sendable {
  private let loop: EventLoop
  private let encoders: EncoderPool
  private let pipeline: FramePipeline
  private let layout: ImageLayout

  init(_ size: ImageSize, _ format: PixelFormat) throws {
    loop = try .starting(name: "frames")
    encoders = try EncoderPool(loop: loop, workers: 2)
    pipeline = FramePipeline(loop: loop, encoders: encoders)
    layout = try ImageLayout(size: size, pixelFormat: format, range: .full)
  }

  func stop() {
    encoders.stop()
    loop.stop()
  }

  /// - Parameter changed: The first frame that was taken with other controls.
  func take(
    _ pictures: [[UInt8]], every interval: Int64, ofMoment number: Int, _ order: PhotoOrder,
    changed: Int
  ) async throws -> PhotoPrioritizationTests.Taken {
    let steps = Recorded<PhotoRequest.Step>()
    let (pipeline, layout) = (pipeline, layout)
    let format = StreamFormat(
      layout: layout, maximumByteCount: layout.byteCount, frameRate: FrameRate(framesPerSecond: 30),
      devicePixelFormat: layout.pixelFormat)
    let start = MonotonicTime.now.nanoseconds
    await loop.run {
      pipeline.begin(format) { _ in }
      for (index, picture) in pictures.enumerated() {
        if index + 1 == changed { pipeline.effects.changedByNode() }
        guard var draft = pipeline.draft(byteCount: picture.count) else { return }
        unsafe draft.copyBytes(of: picture.span.bytes)
        let time = MonotonicTime(nanoseconds: start + Int64(index) * interval)
        pipeline.receive(
          draft.seal(
            layout: layout,
            metadata: FrameMetadata(
              sequence: UInt64(index + 1), timestamp: time, marks: .exposureStart,
              exposure: ExposureBounds(earliestStart: time, latestEnd: time), dequeued: time,
              copied: time, wallClock: WallClockSample(offset: 0, error: 0)),
            byteCount: picture.count))
      }
      pipeline.capture(
        PhotoRequest(
          ticket: 1, timing: .at(MonotonicTime(nanoseconds: start + Int64(number - 1) * interval)),
          asked: .now, deadline: .now + .seconds(3600), order: order
        ) { steps.add($0) })
    }
    await steps.wait { $0.contains(where: \.isLast) }
    await loop.run { pipeline.end(CaptureError(.interrupted, "the test is over")) }
    guard case .processed(let resolved, let file, _)? = steps.events.last else {
      throw CaptureError(.deviceFailed, "\(steps.events.map(\.name))")
    }
    return .init(resolved: resolved, file: file)
  }
}
