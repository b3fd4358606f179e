import TestSupport
import Testing

@testable import Capture

/// What a session makes of values that an automatic of the camera overrules.
@Suite(.timeLimit(.minutes(5)))
struct AutomaticTests {
  private typealias Setting = CaptureSession.Setting

  @Test func `A value that an automatic has overruled since is not missed after a restart`()
    async throws
  {
    try await TestCamera.with { camera in
      let session = camera.session
      _ = try await session.set([
        Setting(ControlID(rawValue: "exposure.duration"), to: .number(0.02))
      ])
      _ = try await session.set([Setting(ControlID(rawValue: "exposure.mode"), to: .string("auto"))]
      )
      await session.stop()
      try await session.start()
      await camera.firstFrame(ofRun: 2)
      let remarks = camera.events.events.compactMap { event in
        if case .remark(let text) = event { text } else { nil }
      }
      #expect(remarks.isEmpty, "\(remarks)")
    }
  }

  @Test(arguments: ["facts=on", "facts=off"])
  func `A locked exposure and white balance stay as the automatics had them`(
    facts: String
  ) async throws {
    try await TestCamera.with("160x120@100,format=GREY,caption=off,\(facts)") { camera in
      let session = camera.session
      func set(_ id: String, _ value: ControlValue) async throws {
        _ = try await session.set([Setting(ControlID(rawValue: id), to: value)])
      }
      func values() async throws -> [ControlID: ControlValue] {
        let states = try await session.controls([
          "exposure_time_absolute", "gain", "white_balance_temperature",
        ])
        return Dictionary(uniqueKeysWithValues: states.map { ($0.control.id, $0.value ?? .press) })
      }
      // What was set by hand before is far from what the automatics choose.
      try await set("exposure.duration", .number(0.5))
      try await set("exposure.gain", .number(1))
      try await set("white_balance.kelvin", .number(2800))
      try await set("exposure.mode", .string("auto"))
      try await set("white_balance.mode", .string("auto"))
      try await set("exposure.bias", .number(1))
      let chosen: [ControlID: ControlValue] = [
        "exposure_time_absolute": .integer(200), "gain": .integer(100),
        "white_balance_temperature": .integer(5000),
      ]
      #expect(try await values() == chosen)
      try await set("exposure.mode", .string("locked"))
      try await set("white_balance.mode", .string("locked"))
      #expect(try await values() == chosen)
      let modes = try await session.controls(["exposure.mode", "white_balance.mode"])
      #expect(
        modes.map { state in
          state.control.menu.first { .integer($0.index) == state.value }?.name
        } == ["locked", "locked"])
      // The device has it again after a restart.
      await session.stop()
      try await session.start()
      #expect(try await values() == chosen)
    }
  }

  @Test func `White is measured once, and held`() async throws {
    try await TestCamera.with { camera in
      let session = camera.session
      _ = try await session.set([
        Setting("white_balance.kelvin", to: .number(2800))
      ])
      let states = try await session.set([Setting("white_balance.mode", to: .string("once"))])
      #expect(states[0].control.menu.map(\.name) == ["auto", "once", "locked"])
      let after = try await session.controls(["white_balance.kelvin", "white_balance_automatic"])
      #expect(after.map(\.value) == [.number(5000), .boolean(false)])
    }
  }

  @Test func `A bias is refused in words that help while the exposure is locked`() async throws {
    try await TestCamera.with { camera in
      let session = camera.session
      _ = try await session.set([
        Setting(ControlID(rawValue: "exposure.mode"), to: .string("locked"))
      ])
      for (id, value) in [
        ("exposure.bias", ControlValue.number(0.5)), ("auto_exposure_bias", .integer(5)),
      ] {
        let error = await #expect(throws: CaptureError.self) {
          try await session.set([Setting(ControlID(rawValue: id), to: value)])
        }
        #expect(
          error?.code == .controlNotWritable && error?.part == .control(ControlID(rawValue: id)))
        #expect(error?.message.contains("set exposure.mode=auto first") == true)
      }
    }
  }
}
