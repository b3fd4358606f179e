import CaptureSynthetic
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Photos in another format than the stream's.
@Suite(.timeLimit(.minutes(5)))
struct StillTests {
  private typealias Setting = CaptureSession.Setting

  private static let specification = "320x240@60,format=YUYV,caption=off"
  private static let large = FormatRequest(
    pixelFormat: .yuyv, size: ImageSize(width: 1280, height: 720), framesPerSecond: 60)

  /// The mean of the luma of the part of the picture that does not move.
  private func brightness(_ frame: Frame) -> Double {
    let bytes = frame.bytes
    let luma = stride(from: 0, to: frame.byteCount * 2 / 5, by: 2).map { Int(bytes[$0]) }
    return Double(luma.reduce(0, +)) / Double(luma.count)
  }

  private func states(_ camera: TestCamera) -> [SessionState] {
    camera.events.events.compactMap { event in
      if case .state(let status) = event { status.state } else { nil }
    }
  }

  @Test func `A photo of another format is settled, and the stream goes on as it was`()
    async throws
  {
    let light = try await TestCamera.with(Self.specification) { camera in
      brightness(try await camera.session.still(in: Self.large, until: .now + .seconds(60)).frame)
    }
    try await TestCamera.with(Self.specification + ",warmup=12") { camera in
      _ = try await camera.session.set([Setting("brightness", to: .integer(140))])
      let before = try await (
        camera.session.status.format, camera.session.controls().map(\.value)
      )
      let still = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      #expect(still.frame.layout.size == ImageSize(width: 1280, height: 720))
      #expect(still.frame.metadata.sequence >= 12, "the first frames are too dark")
      #expect(still.gap > 0)
      await camera.firstFrame(ofRun: 2)
      let after = try await (
        camera.session.status.format, camera.session.controls().map(\.value)
      )
      #expect(before.0 == after.0)
      #expect(before.1 == after.1)
      guard case .processed(_, let picture, _)? = await camera.photo().last else {
        throw CaptureError(.deviceFailed, "no photo")
      }
      #expect(picture.size == ImageSize(width: 320, height: 240))
      _ = try await camera.session.set([Setting("brightness", to: .integer(128))])
      let plain = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      #expect(abs(brightness(plain.frame) - light) < 1)
    }
  }

  @Test func `A camera that starts in the dark is awaited until it is as bright as the stream was`()
    async throws
  {
    try await TestCamera.with(Self.specification + ",warmup=14") { camera in
      let stream = Recorded<UInt64>()
      let watch = FrameWatch { stream.add($0.metadata.sequence) }
      camera.frameLoop.performAndWait { camera.pipeline.add(watch) }
      await stream.wait { $0.contains { $0 > UInt64(SettledPictures.most) } }
      let still = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      #expect(still.frame.metadata.sequence > 14, "seven are dark, and the next too dark")
      camera.frameLoop.performAndWait { camera.pipeline.remove(watch) }
    }
  }

  @Test func `The largest format of which pictures can be made is chosen`() async throws {
    try await TestCamera.with("320x240@60,format=MJPG") { camera in
      let format = try #require(try await camera.session.stillFormat())
      #expect(format.size == ImageSize(width: 3840, height: 2160))
      #expect(format.pixelFormat == .mjpeg, "which costs no encoding")
    }
    try await TestCamera.with("3840x2160@30,format=MJPG") { camera in
      let format = try await camera.session.stillFormat()
      #expect(format == nil, "the stream has it")
    }
  }

  @Test func `Photos that wait for a frame wait on`() async throws {
    try await TestCamera.with(Self.specification + ",warmup=4") { camera in
      // A moment may lie in the gap, so it waits for a frame after one.
      let waiting = camera.request(.next, asked: .now + .milliseconds(400))
      await waiting.atLeast(1)
      let still = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      await waiting.wait { $0.contains(where: \.isLast) }
      guard case .processed(let photo, let picture, _)? = waiting.events.last else {
        Issue.record("\(waiting.events.map(\.name))")
        return
      }
      #expect(picture.size == ImageSize(width: 320, height: 240))
      #expect(photo.gap == 0 && still.gap > 0)
    }
  }

  @Test func `Everybody is told, and the state is that of a start`() async throws {
    try await TestCamera.with(Self.specification) { camera in
      let mark = camera.events.events.count
      _ = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      let told = camera.events.events.dropFirst(mark).compactMap { event -> SessionStatus? in
        if case .state(let status) = event { status } else { nil }
      }
      #expect(told.first?.isTakingStill == true && told.first?.state == .starting)
      #expect(told.last?.isTakingStill == false && told.last?.state == .running)
      #expect(told.allSatisfy { $0.state == .starting || $0.state == .running })
    }
  }

  @Test func `A format that cannot be started costs the photo alone`() async throws {
    try await TestCamera.with(Self.specification) { camera in
      _ = try await camera.session.set([
        Setting(ControlID(rawValue: "inject_streamon_error"), to: .press)
      ])
      await #expect(throws: CaptureError.self) {
        _ = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      }
      await camera.firstFrame(ofRun: 2)
      #expect(await camera.session.status.state == .running)
    }
  }

  @Test func `A format that the camera does not have is refused before the stream is touched`()
    async throws
  {
    try await TestCamera.with(Self.specification) { camera in
      let mark = states(camera).count
      await #expect(throws: CaptureError.self) {
        _ = try await camera.session.still(
          in: FormatRequest(size: ImageSize(width: 1, height: 1)), until: .now + .seconds(60))
      }
      #expect(states(camera).count == mark)
    }
  }

  @Test func `A camera that is unplugged meanwhile ends the photo, and comes back as it was`()
    async throws
  {
    let device = SyntheticDevice(
      try SyntheticSpecification.parse(Self.specification + ",warmup=1000"))
    let camera = try TestCamera(device: device, request: device.request)
    try await camera.run {
      try await camera.session.start()
      await camera.firstFrame()
      let still = Task {
        try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      }
      await camera.events.wait { events in
        events.contains { if case .state(let status) = $0 { status.isTakingStill } else { false } }
      }
      // The camera's own thread loses it.
      let control = ControlID(rawValue: "disconnect_for")
      _ = try device.setValue(.integer(60_000), of: control)
      await #expect(throws: CaptureError.self) { _ = try await still.value }
      _ = try device.setValue(.integer(0), of: control)
      await camera.firstFrame(ofRun: 2)
      #expect(await camera.session.status.format?.layout.size.width == 320)
    }
  }

  @Test(arguments: [
    (Duration.milliseconds(50), CaptureError.Code.deadlineExceeded), (.seconds(600), .deviceFailed),
  ])
  func `A camera that sends nothing in that format does not keep the stream for long`(
    time: Duration, code: CaptureError.Code
  ) async throws {
    let device = ScriptedDevice(identity: "silent")
    let camera = try TestCamera(device: device)
    try await camera.run {
      try await camera.session.start()
      let mark = states(camera).count
      let error = await #expect(throws: CaptureError.self) {
        _ = try await camera.session.still(
          in: FormatRequest(), until: .now + time)
      }
      #expect(error?.code == code)
      #expect(states(camera).dropFirst(mark).contains(.running))
    }
  }

  @Test
  func `A photo that was taken says for how long there were no frames, even if the stream is lost`()
    async throws
  {
    let device = ScriptedDevice(identity: "lost")
    let camera = try TestCamera(device: device)
    try await camera.run {
      try await camera.session.start()
      let starts = Recorded<Int>()
      device.script.start = { () throws(CaptureError) in
        starts.add(0)
        // The first is the photo's.
        if starts.events.count > 1 { throw CaptureError(.deviceFailed, "it does not start again") }
      }
      device.script.attach = { $0.deliver() }
      let still = try await camera.session.still(in: FormatRequest(), until: .now + .seconds(600))
      #expect(still.gap > 0)
      #expect(await camera.session.status.state.isTrouble)
    }
  }

  @Test func `Only a running camera takes one`() async throws {
    try await TestCamera.with(Self.specification, isStarted: false) { camera in
      let error = await #expect(throws: CaptureError.self) {
        _ = try await camera.session.still(in: Self.large, until: .now + .seconds(60))
      }
      #expect(error?.code == .notRunning)
    }
  }
}

/// Gets every frame.
// @unchecked: confined to the frame loop.
private final class FrameWatch: FrameConsumer, @unchecked Sendable {
  private let onFrame: (Frame) -> Void

  init(_ onFrame: @escaping (Frame) -> Void) {
    self.onFrame = onFrame
  }

  func receive(_ frame: Frame) { onFrame(frame) }
}
