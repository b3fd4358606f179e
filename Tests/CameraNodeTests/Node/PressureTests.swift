import CameraProtocol
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct PressureTests {
    private func run(
      _ sensors: SimulatedSensors, _ cameras: [String] = [TestNode.camera],
      _ body: (TestNode) async throws -> Void
    ) async throws {
      try await TestNode.run(
        cameras,
        configure: {
          $0.pressure = .folder(sensors.root)
          $0.limits.pressure = PressureWatch.Pace(
            interval: .milliseconds(20), hold: .milliseconds(60))
        }, body)
    }

    private func level(
      _ level: WirePressureLevel, _ client: TestClient, from mark: Int = 0
    ) async throws -> WirePressure {
      try await client.event(from: mark) { event in
        guard case .pressure(let pressure)? = event.body, event.camera.isEmpty == false,
          pressure.level == level
        else { return nil }
        return pressure
      }
    }

    private func levels(_ client: TestClient) async -> [WirePressureLevel] {
      await client.events.filter { $0.topic == "event/_node/pressure/" }.compactMap(\.event)
        .map(\.pressure.level)
    }

    @Test func `Each level is told, has its cause, and falls step by step`() async throws {
      let sensors = try SimulatedSensors()
      try await run(sensors) { test in
        let client = test.client
        try await client.follow()
        let before = try await client.status().pressure
        #expect(before.level == .nominal && before.cause.isEmpty && before.thinning == 1)
        try sensors.set(celsius: 86)
        let serious = try await level(.serious, client)
        #expect(serious.cause == "cpu-thermal is at 86.0 °C" && serious.thinning == 4)
        #expect(try await client.status().pressure.level == .serious)
        try sensors.set(celsius: 40)
        let after = try await level(.nominal, client)
        #expect(after.cause.isEmpty && after.since.monotonicNs > serious.since.monotonicNs)
        #expect(await levels(client) == [.serious, .fair, .nominal])
        #expect(try await client.camera().state == .running)
      }
    }

    @Test func `A thermometer that is lost while it is hot does not cool the machine`() async throws
    {
      let sensors = try SimulatedSensors()
      try await run(sensors) { test in
        let client = test.client
        try await client.follow()
        try sensors.set(celsius: 86)
        _ = try await level(.serious, client)
        try sensors.loseThermometer()
        // Longer than a level lasts after less was measured.
        try await client.letPass(frames: 30)
        #expect(try await client.status().pressure.level == .serious)
        try sensors.set(celsius: 40)
        let fair = try await level(.fair, client)
        #expect(fair.cause == "it is falling; its cause was: cpu-thermal is at 86.0 °C")
      }
    }

    @Test func `Encoded streams are thinned, and have all frames again afterwards`() async throws {
      let sensors = try SimulatedSensors()
      try await run(sensors) { test in
        let client = test.client
        try await client.follow()
        let topic = "frame/cam/preview/"
        await client.subscribe(frames: topic)
        // The last five frames are so many numbers apart.
        let arrives = { @Sendable (client: isolated TestClient, distance: UInt64) -> Bool? in
          let numbers = client.frames.filter { $0.topic == topic }
            .map(\.header.frame.frameSequence).suffix(5)
          guard numbers.count == 5 else { return nil }
          let isSo = zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 == distance }
          return isSo ? true : nil
        }
        _ = try await client.arrival { arrives($0, 1) }
        try sensors.set(celsius: 80)
        _ = try await client.arrival { arrives($0, 2) }
        try sensors.set(celsius: 85)
        _ = try await client.arrival { arrives($0, 4) }
        let movie = try await client.movie(frames: 12)
        // A movie of one frame in four would lack three for each. A busy machine may drop some.
        #expect(movie.isWhole(at: 60) && movie.dropped < 2 * movie.frames, "it is not thinned")
        try sensors.set(celsius: 40)
        _ = try await client.arrival { arrives($0, 1) }
      }
    }

    @Test func `Cameras are interrupted, those that record last, and come back`() async throws {
      let sensors = try SimulatedSensors()
      let cameras = ["left", "right"].map { "\($0)=synthetic:320x240@60,format=MJPG" }
      try await run(sensors, cameras) { test in
        let client = test.client
        try await client.follow()
        let recording = try await client.startRecording { $0.camera = "left" }
        for camera in ["left", "right"] { try await client.letPass(frames: 3, of: camera) }
        try sensors.set(celsius: 96)
        let stopped = try await client.state(of: "right") { $0.state == .interrupted }
        #expect(stopped.interruption == .systemPressure && stopped.nextAttemptMonotonicNs == 0)
        #expect(stopped.error.message.contains("96.0 °C"))
        for request in [
          WireRequest.OneOf_Body.capture(.inline { $0.camera = "right" }),
          .sessionStart(.with { $0.camera = "right" }),
          .recordStart(.with { $0.camera = "right" }),
        ] {
          let error = try await client.error(request)
          #expect(error.code == .interrupted && error.retryable)
        }
        try await client.letPass(frames: 3, of: "left")

        try sensors.set(celsius: 101)
        let lost = try await client.state(of: "left") { $0.state == .interrupted }
        #expect(lost.interruption == .systemPressure)
        try await client.state(of: "right") { $0.error.message.contains("is shutdown") }
        let movie = try await client.finishedRecording(recording)
        #expect(movie.reason == .cameraLost && movie.frames > 0)
        let bytes = try test.file(movie.asset.path)
        #expect(bytes.count == Int(movie.asset.byteCount))

        let mark = await client.eventCount
        try sensors.set(celsius: 40)
        for camera in ["left", "right"] {
          try await client.state(of: camera, from: mark) { $0.readiness == .ready }
          try await client.letPass(frames: 1, of: camera)
        }
        _ = try await level(.nominal, client)
        let told = await levels(client)
        #expect(told == [.critical, .shutdown, .critical, .serious, .fair, .nominal])
      }
    }

    @Test func `A camera whose recording ends under critical pressure is interrupted then`()
      async throws
    {
      let sensors = try SimulatedSensors()
      try await run(sensors) { test in
        let client = test.client
        try await client.follow()
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 3)
        try sensors.set(celsius: 96)
        _ = try await level(.critical, client)
        #expect(try await client.camera().state == .running)
        #expect(try await client.stopRecording(recording).reason == .stopped)
        let state = try await client.state { $0.state == .interrupted }
        #expect(state.interruption == .systemPressure)
      }
    }

    @Test func `A suspension outlives the pressure, and a stopped camera stays stopped`()
      async throws
    {
      let sensors = try SimulatedSensors()
      let cameras = ["left", "right"].map { "\($0)=synthetic:320x240@60,format=MJPG" }
      try await run(sensors, cameras) { test in
        let client = test.client
        try await client.follow()
        try await client.ask(.sessionSuspend(.with { $0.camera = "left" }))
        try await client.ask(.sessionStop(.with { $0.camera = "right" }))
        try sensors.set(celsius: 96)
        _ = try await level(.critical, client)
        let refused = try await client.error(.sessionStart(.with { $0.camera = "right" }))
        #expect(refused.code == .interrupted && refused.message.contains("96.0 °C"))
        try await client.ask(.sessionResume(.with { $0.camera = "left" }))
        let held = try await client.state(of: "left") { $0.interruption == .systemPressure }
        #expect(held.state == .interrupted)
        try await client.ask(.sessionSuspend(.with { $0.camera = "left" }))
        try sensors.set(celsius: 40)
        _ = try await level(.nominal, client)
        let status = try await client.status()
        #expect(status.cameras.map(\.state) == [.interrupted, .stopped])
        #expect(status.cameras.first?.interruption == .suspendedByOperator)
        let mark = await client.eventCount
        try await client.ask(.sessionResume(.with { $0.camera = "left" }))
        try await client.state(of: "left", from: mark) { $0.state == .running }
      }
    }

    @Test func `A busy processor and a busy disk are shown, and press nobody`() async throws {
      let sensors = try SimulatedSensors()
      for resource in ["cpu", "memory", "io"] { try sensors.set(resource, waited: .seconds(1)) }
      try await run(sensors) { test in
        let client = test.client
        try await client.follow()
        for resource in ["cpu", "io"] {
          try sensors.set(resource, waited: .seconds(100_000), recently: 0.93)
        }
        // Heat is measured with the same looks, so it is certain that the node has looked.
        try sensors.set(celsius: 81)
        _ = try await level(.fair, client)
        try sensors.set(celsius: 40)
        _ = try await level(.nominal, client)
        #expect(await levels(client) == [.fair, .nominal])
        let waiting = try await client.status().pressure.waiting
        #expect(waiting.cpu == 0.93 && waiting.io == 0.93 && waiting.memory == 0)
      }
    }

    @Test func `Programs that wait for memory press too, and a node that is to be blind sees none`()
      async throws
    {
      let sensors = try SimulatedSensors(trips: [:])
      try sensors.set("memory", waited: .seconds(1))
      try await run(sensors) { test in
        let client = test.client
        try await client.follow()
        // Much more than any time between two looks.
        try sensors.set("memory", waited: .seconds(1000))
        let critical = try await level(.critical, client)
        #expect(critical.cause == "all programs wait for memory 100 % of the time")
        _ = try await level(.nominal, client)
      }
      try await TestNode.run { test in
        let status = try await test.client.status()
        #expect(!status.hasPressure)
      }
    }
  }
}
