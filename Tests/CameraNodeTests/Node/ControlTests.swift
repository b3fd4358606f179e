import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct ControlTests {
    private func changes(_ events: [Publication], of control: String) -> [Int64] {
      events.compactMap(\.event).compactMap { event in
        guard case .control(let changed)? = event.body, changed.id == control else { return nil }
        return changed.value.integer
      }
    }

    @Test func `The list has every control with its kind, range and value`() async throws {
      try await TestNode.run { test in
        let reply = try await test.client.ask(.controlsList(WireControlsListRequest())).last
        guard case .controls(let list)? = reply?.wire.body else { throw Unexpected(reply) }
        let controls = Dictionary(uniqueKeysWithValues: list.controls.map { ($0.id, $0) })
        let brightness = try #require(controls["brightness"])
        #expect(brightness.kind == .integer)
        #expect(brightness.name == "Brightness")
        #expect((brightness.minimum, brightness.maximum, brightness.step) == (0, 255, 1))
        #expect((brightness.defaultValue, brightness.value.integer) == (128, 128))
        #expect(controls["test_pattern"]?.kind == .menu)
        #expect(controls["test_pattern"]?.menu.isEmpty == false)
        #expect(controls["gain"]?.inactive == true)
        #expect(controls["disconnect"]?.kind == .boolean)
        #expect(controls["inject_fatal_error"]?.kind == .button)
        #expect(controls["inject_fatal_error"]?.hasValue == false)
      }
    }

    @Test func `Named controls are read in the requested order`() async throws {
      try await TestNode.run { test in
        let ids = ["zoom_absolute", "brightness", "contrast"]
        let controls = try await test.client.get(ids)
        #expect(controls.map(\.id) == ids)
      }
    }

    @Test func `A ramp of a stopped camera says which camera to start`() async throws {
      try await TestNode.run { test in
        _ = try await test.client.ask(.sessionStop(.init()))
        let ramp = WireControlsSetRequest.with {
          $0.settings = [.with { ($0.id, $0.value.number) = ("zoom", 2) }]
          $0.rampRate = 1
        }
        let error = try await test.client.error(.controlsSet(ramp))
        #expect(error.reason == .sessionStopped && !error.camera.isEmpty && !error.retryable)
      }
    }

    @Test func `A request that ends a ramp and fails lets it go on`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=YUYV,zoom=off"]) { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let ramp = WireControlsSetRequest.with {
          $0.settings = [.with { ($0.id, $0.value.number) = ("zoom", 16) }]
          $0.rampRate = 0.01
        }
        _ = try await client.ask(.controlsSet(ramp))
        var end = WireControlsSetRequest.settings(["brightness": 1000])
        end.stopRamp = true
        _ = try await client.error(.controlsSet(end))
        #expect(try await client.get(["zoom"]).first?.hasRampingTo == true)
        end.settings[0].value.integer = 10
        _ = try await client.ask(.controlsSet(end))
        let states = try await client.get(["zoom", "brightness"])
        #expect(states.first?.hasRampingTo == false && states.last?.value.integer == 10)
      }
    }

    @Test
    func `A setting answers with the value that took effect, and every client gets one event`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        #expect(
          try await client.set(["brightness": 10, "focus_absolute": 52]).map(\.value.integer)
            == [10, 50], "the nearest step")
        #expect(try await client.get(["brightness"]).first?.value.integer == 10)
        try await client.set(["brightness": 10])
        try await client.set(["brightness": 11])
        _ = try await client.event { event in
          if case .control(let control)? = event.body, control.value.integer == 11 {
            true
          } else {
            nil
          }
        }
        // This change comes last, so all events of the settings above come before its event.
        try await client.set(["contrast": 7])
        _ = try await client.event { event in
          if case .control(let control)? = event.body, control.id == "contrast" {
            true
          } else {
            nil
          }
        }
        let events = await client.events
        #expect(changes(events, of: "brightness") == [10, 11])
        #expect(changes(events, of: "focus_absolute") == [50])
      }
    }

    @Test func `A control whose description depends on another's value is published too`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.set(["auto_exposure": 1])
        let isInactive = try await client.event { event -> Bool? in
          guard case .control(let control)? = event.body, control.id == "gain" else { return nil }
          return control.inactive
        }
        #expect(!isInactive)
      }
    }

    @Test func `A start publishes no controls that are unchanged`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        _ = try await client.ask(.sessionStop(WireSessionStopRequest()))
        _ = try await client.ask(.sessionStart(WireSessionStartRequest()))
        try await client.set(["contrast": 7])
        _ = try await client.event { event in
          if case .control(let control)? = event.body, control.id == "contrast" {
            true
          } else {
            nil
          }
        }
        let told = await client.events.compactMap(\.event).compactMap { event in
          if case .control(let control)? = event.body { control.id } else { nil }
        }
        #expect(told == ["contrast"])
      }
    }

    @Test(arguments: [
      ("zoom_absolute", Int64(9999), WireErrorCode.invalidArgument), ("zoomy", 1, .noSuchControl),
      ("gain", 200, .controlNotWritable),
    ])
    func `Either all controls are set or none`(last: String, value: Int64, code: WireErrorCode)
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let request = WireControlsSetRequest.settings([
          "brightness": 10, "contrast": 20, last: value,
        ])
        let error = try await client.error(.controlsSet(request))
        #expect(error.code == code)
        #expect(error.field == last)
        let controls = try await client.get(["brightness", "contrast"])
        #expect(controls.map(\.value.integer) == [128, 128])
      }
    }

    @Test func `A setting without a value is refused`() async throws {
      try await TestNode.run { test in
        let request = WireControlsSetRequest.with { $0.settings = [.with { $0.id = "brightness" }] }
        let error = try await test.client.error(.controlsSet(request))
        #expect(error.code == .invalidArgument)
      }
    }

    @Test func `An unknown control's error suggests a similar name`() async throws {
      try await TestNode.run { test in
        let error = try await test.client.error(.controlsGet(.with { $0.ids = ["brightnes"] }))
        #expect(error.code == .noSuchControl)
        #expect(error.message.contains("brightness?"))
      }
    }

    @Test func `Settings survive a stop, a change of format and an unplugging`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        // Exposure can be set only after the automatic is off, so the order of restoring matters.
        try await client.set(["auto_exposure": 1, "exposure_time_absolute": 321, "gain": 150])
        let names = ["auto_exposure", "exposure_time_absolute", "gain"]
        _ = try await client.ask(.configure(.with { $0.pixelFormat = "GREY" }))
        #expect(try await client.get(names).map(\.value.integer) == [1, 321, 150])
        let mark = await client.eventCount
        try await client.set(["disconnect_for": 50])
        let interrupted = try await client.state(from: mark) { $0.state == .interrupted }
        // The readiness after the change of format does not count; its event may still be on its
        // way.
        try await client.state(from: mark) {
          $0.readiness == .ready && $0.since.monotonicNs > interrupted.since.monotonicNs
        }
        #expect(try await client.get(names).map(\.value.integer) == [1, 321, 150])
      }
    }
  }
}
