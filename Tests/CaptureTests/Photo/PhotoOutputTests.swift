import CaptureSynthetic
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

struct PhotoOutputTests {
  private static let steps = ["willBegin", "willCapture", "captured", "processed"]

  @Test(arguments: ["YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "BGR3", "MJPG"])
  func `A photo in any format is a JPEG of the frame that was chosen`(format: String) async throws {
    let steps = try await TestCamera.with("640x360@30,format=\(format)") { camera in
      await camera.photo()
    }
    #expect(steps.map(\.name) == Self.steps)
    guard case .processed(let resolved, let picture, _)? = steps.last else { throw NoPhoto() }
    #expect(resolved.isPassthrough == (format == "MJPG"))
    let size = ImageSize(width: 640, height: 360)
    let decoder = try JPEGDecoder()
    let (decoded, pixels) = try picture.withBytes { (bytes) throws(ImagingError) in
      try decoder.decodeRGB(bytes)
    }
    #expect(decoded == size)
    let layout = try ImageLayout(size: size, pixelFormat: .rgb24)
    let found = unsafe FrameStrip.read(pixels.span.bytes, layout: layout)
    let strip = try #require(found)
    #expect(strip.number == resolved.metadata.sequence)
  }

  @Test
  func
    `A photo of motion JPEG without Huffman tables is the camera's own picture with tables added`()
    async throws
  {
    try await TestCamera.with("320x240@60,format=MJPG") { camera in
      guard case .processed(let chosen, let whole, _)? = await camera.photo().last else {
        throw NoPhoto()
      }
      let original = try #require(whole.pictureBytes)
      let bare = withoutHuffmanTables(original)
      #expect(bare.count < original.count)
      // The camera is stopped, so that no frame comes between the one below and its photo.
      await camera.session.stop()
      let (pipeline, metadata) = (camera.pipeline, chosen.metadata)
      let layout = ImageLayout.compressed(.mjpeg, size: chosen.size)
      let format = StreamFormat(
        layout: layout, maximumByteCount: original.count, frameRate: nil,
        devicePixelFormat: layout.pixelFormat)
      let steps = Recorded<PhotoRequest.Step>()
      await camera.frameLoop.run {
        pipeline.begin(format) { _ in }
        guard var draft = pipeline.draft(byteCount: bare.count) else { return }
        draft.withBytes { memory in
          for (offset, byte) in bare.enumerated() {
            memory.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
          }
        }
        pipeline.receive(draft.seal(layout: layout, metadata: metadata, byteCount: bare.count))
        pipeline.capture(
          PhotoRequest(
            ticket: 2, timing: .noOlderThan(.seconds(Int64.max)), asked: .now,
            deadline: .now + .seconds(20)
          ) { steps.add($0) })
        pipeline.end(CaptureError(.interrupted, "the test is over"))
      }
      await steps.wait { $0.contains(where: \.isLast) }
      guard case .processed(let resolved, let photo, _)? = steps.events.last else {
        throw NoPhoto()
      }
      #expect(resolved.isPassthrough)
      let bytes = try #require(photo.pictureBytes)
      #expect(try unsafe JPEGHeader(bytes.span.bytes).hasHuffmanTables)
      #expect(withoutHuffmanTables(bytes) == bare)
    }
  }

  private struct NoPhoto: Error {}

  /// Collects the timestamps of all frames.
  private final class Times: FrameConsumer, Sendable {
    let frames = Recorded<Int64>()
    func receive(_ frame: Frame) { frames.add(frame.metadata.timestamp.nanoseconds) }
  }

  @Test func `A photo of now shows the frame nearest the request`() async throws {
    try await TestCamera.with { camera in
      let times = Times()
      let pipeline = camera.pipeline
      await camera.frameLoop.run { pipeline.add(times) }
      for number in 0..<20 {
        // Ask at different moments between two frames: right after one, it is also the newest.
        let seen = times.frames.events.count
        await times.frames.wait { $0.count > seen }
        let asked = (times.frames.events.last ?? 0) + Int64(number) * 16_666_667 / 20
        let photo = await camera.photo(.now, asked: MonotonicTime(nanoseconds: asked)).last
        guard case .processed(let resolved, _, _)? = photo else {
          Issue.record("no photo")
          return
        }
        #expect(resolved.metadata.timestamp.nanoseconds - resolved.offset == asked)
        await times.frames.wait { $0.last ?? 0 > asked }
        let nearest = times.frames.events.map { abs($0 - asked) }.min() ?? .max
        // If a frame that is due gets lost, the photo waits for it in vain and shows a later one.
        #expect(abs(resolved.offset) <= max(nearest, 16_666_667 / 2 + 1))
      }
    }
  }

  @Test func `A photo of the past shows the frame of that moment, not the newest`() async throws {
    try await TestCamera.with { camera in
      guard case .processed(let past, _, _)? = await camera.photo(.next).last else {
        throw NoPhoto()
      }
      let moment = past.metadata.timestamp
      for _ in 0..<3 { _ = await camera.photo(.next) }
      guard case .processed(let resolved, _, _)? = await camera.photo(.at(moment)).last else {
        throw NoPhoto()
      }
      #expect(resolved.metadata.sequence == past.metadata.sequence)
      #expect(resolved.offset == 0)
    }
  }

  @Test
  func
    `A moment before the ring's oldest frame is refused with the ring's reach`()
    async throws
  {
    try await TestCamera.with { camera in
      let steps = await camera.photo(.at(.now - .seconds(600)))
      #expect(steps.map(\.name) == ["failed frameUnavailable"])
      guard case .failed(let error)? = steps.last else {
        Issue.record("it does not fail")
        return
      }
      #expect(error.message.contains("reaches back"))
    }
  }

  @Test func `A future moment is waited for`() async throws {
    try await TestCamera.with { camera in
      let moment = MonotonicTime.now + .milliseconds(200)
      guard case .processed(let resolved, _, _)? = await camera.photo(.at(moment)).last else {
        Issue.record("no photo")
        return
      }
      // If a busy machine loses frames, an earlier one may be the nearest there is.
      #expect(resolved.metadata.timestamp > moment - .milliseconds(100))
    }
  }

  @Test func `A moment beyond the deadline is refused at once`() async throws {
    try await TestCamera.with { camera in
      let steps = await camera.photo(.at(.now + .seconds(60)), within: .seconds(1))
      #expect(steps.map(\.name) == ["failed invalidArgument"])
    }
  }

  @Test func `A deadline that has passed takes no photo`() async throws {
    try await TestCamera.with { camera in
      let steps = await camera.photo(.now, within: .seconds(-1))
      #expect(steps.map(\.name) == ["failed deadlineExceeded"])
    }
  }

  @Test func `A waiting request fails when its deadline passes`() async throws {
    try await TestCamera.with { camera in
      _ = try await camera.session.set([
        .init(ControlID(rawValue: "inject_stall"), to: .boolean(true))
      ]
      )
      let steps = await camera.photo(.next, within: .milliseconds(50))
      #expect(steps.map(\.name) == ["willBegin", "failed deadlineExceeded"])
    }
  }

  @Test func `A camera that is not running takes no photo`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      #expect(await camera.photo().map(\.name) == ["failed notRunning"])
    }
  }

  @Test func `Requests beyond the limit are refused, and the others can be cancelled`()
    async throws
  {
    try await TestCamera.with { camera in
      let steps = Recorded<(UInt64, PhotoRequest.Step)>()
      let pipeline = camera.pipeline
      let limit = UInt64(PhotoOutput.maximumWaiting)
      let loads = await camera.frameLoop.run {
        for ticket in 0...limit {
          pipeline.capture(
            PhotoRequest(
              ticket: ticket, timing: .at(.now + .seconds(300)), asked: .now,
              deadline: .now + .seconds(600)
            ) { steps.add((ticket, $0)) })
        }
        let load = pipeline.photos.load
        let wasCancelled = (0..<limit).map { pipeline.photos.cancel($0) }
        return (load, wasCancelled.allSatisfy { $0 }, pipeline.photos.cancel(0))
      }
      #expect(loads.0.waiting == PhotoOutput.maximumWaiting)
      #expect(loads.1 && !loads.2)
      let ends = steps.events.filter { $0.1.isLast }
      #expect(ends.count == Int(limit) + 1)
      #expect(ends.first?.1.name == "failed overloaded")
      #expect(ends.dropFirst().allSatisfy { $0.1.name == "failed cancelled" })
    }
  }

  @Test func `Photos beyond those that are made at a time wait for their turn`() async throws {
    try await TestCamera.with { camera in
      let steps = Recorded<(UInt64, PhotoRequest.Step)>()
      let pipeline = camera.pipeline
      let count = UInt64(PhotoOutput.maximumProcessing) + 4
      _ = await camera.photo(.next)
      let load = await camera.frameLoop.run {
        // The newest frame is there, so nothing but an encoder is missing.
        for ticket in 1...count {
          pipeline.capture(
            PhotoRequest(
              ticket: ticket, timing: .noOlderThan(.seconds(Int64.max)), asked: .now,
              deadline: .now + .seconds(20)
            ) { steps.add((ticket, $0)) })
        }
        return pipeline.photos.load
      }
      #expect(load.processing == PhotoOutput.maximumProcessing && load.waiting == 4)
      await steps.wait { $0.count { $0.1.isLast } == Int(count) }
      #expect(steps.events.allSatisfy { !$0.1.name.hasPrefix("failed") })
    }
  }

  @Test func `A photo fails if the ring loses its frame before its turn`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      let steps = Recorded<(UInt64, PhotoRequest.Step)>()
      let pipeline = camera.pipeline
      let frame = try Frame.sample(at: 1)
      let format = StreamFormat(
        layout: frame.layout, maximumByteCount: frame.byteCount, frameRate: nil,
        devicePixelFormat: frame.layout.pixelFormat)
      let count = UInt64(PhotoOutput.maximumProcessing) + 1
      // Results of encoders arrive on the frame loop, so none does before this is over.
      try await camera.frameLoop.run {
        pipeline.begin(format) { _ in }
        pipeline.receive(frame)
        for ticket in 1...count {
          pipeline.capture(
            PhotoRequest(
              ticket: ticket, timing: .at(MonotonicTime(nanoseconds: 1)), asked: .now,
              deadline: .now + .seconds(20)
            ) { steps.add((ticket, $0)) })
        }
        for number in 1...Int64(pipeline.ring.capacity) {
          pipeline.receive(try .sample(at: number * 1_000_000_000))
        }
        let last = steps.events.filter { $0.0 == count }.map(\.1.name)
        #expect(last == ["willBegin", "failed overloaded"])
        pipeline.end(CaptureError(.interrupted, "the test is over"))
      }
      await steps.wait { $0.count { $0.1.isLast } == Int(count) }
    }
  }

  @Test func `A request in flight ends when its camera is unplugged`() async throws {
    try await TestCamera.with { camera in
      let steps = Recorded<PhotoRequest.Step>()
      let pipeline = camera.pipeline
      _ = await camera.frameLoop.run {
        pipeline.capture(
          PhotoRequest(
            ticket: 1, timing: .at(.now + .seconds(300)), asked: .now,
            deadline: .now + .seconds(600)
          ) { steps.add($0) })
      }
      _ = try await camera.session.set([
        .init(ControlID(rawValue: "disconnect"), to: .boolean(true))
      ])
      await steps.wait { $0.contains(where: \.isLast) }
      #expect(steps.events.map(\.name) == ["willBegin", "failed interrupted"])
    }
  }
}
