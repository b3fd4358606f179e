import CaptureSynthetic
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// The zoom that the node makes of a camera that has none.
@Suite(.timeLimit(.minutes(5)))
struct CropTests {
  private final class Observer: FrameConsumer, Sendable {
    let frames = Recorded<FrameMetadata>()
    func receive(_ frame: Frame) { frames.add(frame.metadata) }
  }

  private static let camera = "320x240@60,format=MJPG,zoom=off"

  private func zoom(_ camera: TestCamera, _ factor: Double) async throws -> ControlEffect? {
    let (ends, end) = AsyncStream.makeStream(of: ControlEffect?.self)
    let request = EffectRequest(deadline: .now + .seconds(60)) { effect in
      end.yield(effect)
      end.finish()
    }
    _ = try await camera.session.set([.zoom(factor)], effect: request)
    for await effect in ends { return effect }
    return nil
  }

  private func value(_ camera: TestCamera) async throws -> ControlValue? {
    try await camera.session.controls([.zoom]).first?.value
  }

  @Test func `It is a control as a zoom of the device is`() async throws {
    try await TestCamera.with(Self.camera) { camera in
      let state = try #require(try await camera.session.controls().first { $0.control.id == .zoom })
      #expect(state.value == .number(1))
      #expect(state.control.sources == [.crop])
      #expect(
        state.control.scale == ControlDescription.Scale(range: 1...16, step: 0, defaultValue: 1))
      for wrong in [0.99, 16.01, .infinity, .nan] {
        let error = await #expect(throws: CaptureError.self) {
          try await camera.session.set([.zoom(wrong)])
        }
        #expect(error?.code == .invalidControlValue && error?.part == .control("zoom"))
      }
      let states = try await camera.session.set([.zoom(2.5)])
      #expect(states.map(\.value) == [.number(2.5)])
      await camera.events.wait { events in
        events.contains {
          if case .control(let state) = $0 {
            state.control.id == .zoom && state.value == .number(2.5)
          } else {
            false
          }
        }
      }
    }
  }

  @Test func `A device's own zoom stays the device's`() async throws {
    try await TestCamera.with("320x240@60,format=MJPG") { camera in
      _ = try await camera.session.set([.zoom(2)])
      #expect(camera.pipeline.crop == nil)
      let photo = try #require(await camera.photo(.next).resolved)
      #expect(photo.isPassthrough && photo.metadata.crop == 1)
    }
  }

  @Test func `Each frame says its zoom, from the first one on that has it`() async throws {
    var random = SeededGenerator(for: "zooms by cropping")
    try await TestCamera.with(Self.camera) { camera in
      let observer = Observer()
      let frames = observer.frames
      await camera.frameLoop.run { camera.pipeline.add(observer) }
      var present = 1.0
      for number in 0..<100 {
        let factor = Double.random(in: 1...16, using: &random)
        guard case .frame(let first, .metadata)? = try await zoom(camera, factor) else {
          Issue.record("\(number): no effect, \(random)")
          continue
        }
        let photo = try #require(await camera.photo(.now).resolved)
        #expect(photo.metadata.facts.zoom == factor && photo.size.description == "320x240")
        #expect(photo.metadata.sequence >= first.sequence, "\(number), \(random)")
        let around = frames.events.drop { $0.sequence + 1 < first.sequence }
        #expect(around.contains { $0.sequence == first.sequence })
        for frame in around {
          let expected = frame.sequence < first.sequence ? present : factor
          #expect(frame.crop == expected, "\(number): frame \(frame.sequence), \(random)")
          // The camera's own picture is whole.
          #expect(frame.facts.zoom == 1)
        }
        present = factor
      }
    }
  }

  @Test func `A photo of now is not older than the zoom, though nobody looks for its effect`()
    async throws
  {
    try await TestCamera.with(Self.camera) { camera in
      for factor in [2, 3, 1, 4.0] {
        _ = try await camera.session.set([.zoom(factor)])
        #expect(await camera.photo(.now).resolved?.metadata.facts.zoom == factor)
      }
    }
  }

  @Test func `A photo of the past has the zoom of its frame`() async throws {
    try await TestCamera.with(Self.camera) { camera in
      let before = try #require(await camera.photo(.next).resolved).metadata
      _ = try await zoom(camera, 4)
      let photo = try #require(await camera.photo(.at(before.timestamp)).resolved)
      #expect(photo.metadata.sequence == before.sequence)
      #expect(photo.isPassthrough && photo.metadata.facts.zoom == 1)
    }
  }

  @Test func `Without a zoom the camera's own pictures pass through`() async throws {
    try await TestCamera.with(Self.camera) { camera in
      for factor in [1, 1.5, 1] {
        _ = try await zoom(camera, factor)
        for prioritization in [PhotoPrioritization.speed, .balanced, .quality] {
          var order = PhotoOrder()
          order.prioritization = prioritization
          let steps = await camera.photo(.next, order: order)
          guard case .willBegin(let plan)? = steps.first else {
            Issue.record("\(steps.map(\.name))")
            continue
          }
          let isCertain = factor == 1 && prioritization != .quality
          #expect(plan.files.map(\.isPassthrough) == [isCertain])
          let isPassthrough = try #require(steps.resolved).isPassthrough
          #expect(prioritization == .quality || isPassthrough == isCertain)
        }
      }
    }
  }

  @Test func `It returns with a camera that was unplugged or stopped`() async throws {
    try await TestCamera.with(Self.camera) { camera in
      _ = try await zoom(camera, 2)
      let disconnect = ControlID(rawValue: "disconnect")
      _ = try await camera.session.set([.init(disconnect, to: .boolean(true))])
      await camera.events.wait { events in
        events.contains {
          if case .state(let status) = $0 { status.state.isTrouble } else { false }
        }
      }
      #expect(try await value(camera) == .number(2), "as it will be")
      _ = try await camera.session.set([.init(disconnect, to: .boolean(false))])
      await camera.firstFrame(ofRun: 2)
      #expect(await camera.photo(.next).resolved?.metadata.facts.zoom == 2)
      await camera.session.stop()
      #expect(try await value(camera) == .number(2))
      _ = try await camera.session.set([.zoom(3)])
      try await camera.session.configure(size: ImageSize(width: 640, height: 480))
      try await camera.session.start()
      await camera.firstFrame(ofRun: 3)
      let photo = try #require(await camera.photo(.next).resolved)
      #expect(photo.metadata.facts.zoom == 3 && photo.size.description == "640x480")
    }
  }

  @Test func `A change that fails leaves it as it was`() async throws {
    try await TestCamera.with(Self.camera) { camera in
      _ = try await zoom(camera, 2)
      var change = SessionConfiguration()
      change.settings = [.zoom(4), .init(ControlID(rawValue: "brightness"), to: .integer(100_000))]
      let refused = change
      let error = await #expect(throws: CaptureError.self) {
        try await camera.session.configure(refused)
      }
      #expect(error?.code == .invalidControlValue)
      #expect(try await value(camera) == .number(2))
      // A start that fails ends the change too.
      change.settings = [.zoom(4), .init(ControlID(rawValue: "inject_streamon_error"), to: .press)]
      change.size = ImageSize(width: 640, height: 480)
      let failing = change
      await #expect(throws: CaptureError.self) { try await camera.session.configure(failing) }
      #expect(try await value(camera) == .number(2))
      await camera.firstFrame(ofRun: 2)
      #expect(await camera.photo(.next).resolved?.metadata.facts.zoom == 2)
    }
  }

  @Test func `Each input of a camera has its own`() async throws {
    let specification = try SyntheticSpecification.parse(Self.camera)
    let own = SyntheticDevice(specification)
    let others = try [Self.camera + ",phase=1ms", "320x240@60,format=MJPG"].map {
      SyntheticDevice(try SyntheticSpecification.parse($0))
    }
    let camera = try TestCamera(device: own, request: own.request)
    try await camera.run {
      func use(_ device: SyntheticDevice) async throws {
        var change = SessionConfiguration()
        change.input = SessionInput(device)
        _ = try await camera.session.configure(change)
      }
      try await camera.session.start()
      await camera.firstFrame()
      _ = try await zoom(camera, 2)
      try await use(others[0])
      #expect(try await value(camera) == .number(1))
      await camera.firstFrame(ofRun: 2)
      _ = try await zoom(camera, 3)
      try await use(others[1])
      #expect(camera.pipeline.crop == nil)
      _ = try await camera.session.set([.zoom(4)])
      for (device, factor) in zip([own, others[0]], [2.0, 3]) {
        try await use(device)
        #expect(try await value(camera) == .number(factor))
        #expect(await camera.photo(.next).resolved?.metadata.facts.zoom == factor)
      }
      // The one that has its own keeps it.
      try await use(others[1])
      #expect(camera.pipeline.crop == nil)
      #expect(try await value(camera) == .number(4))
    }
  }
}

extension [PhotoRequest.Step] {
  fileprivate var resolved: ResolvedPhoto? {
    for case .captured(let photo) in self { return photo }
    return nil
  }
}

extension CaptureSession.Setting {
  fileprivate static func zoom(_ factor: Double) -> Self { Self(.zoom, to: .number(factor)) }
}
