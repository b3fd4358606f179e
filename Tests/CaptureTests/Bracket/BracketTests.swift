import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Photos with other settings of the controls each.
@Suite(.timeLimit(.minutes(5)))
struct BracketTests {
  typealias Setting = CaptureSession.Setting

  static let camera = "320x240@120,format=GREY,caption=off"
  private static let greyRamp = Setting("test_pattern", to: .integer(1))

  // MARK: What is proven

  @Test(arguments: [("facts=on", ControlEffect.Basis.metadata), ("facts=off", .picture)])
  func `An exposure set by hand is multiplied, as facts and pictures say`(
    option: String, basis: ControlEffect.Basis
  ) async throws {
    try await TestCamera.with("\(Self.camera),settle=1-6,\(option)") { camera in
      _ = try await camera.session.set([
        Self.greyRamp, Setting("exposure.duration", to: .number(0.002)),
      ])
      await letSettle(camera)
      let before = try await values(camera)
      let taken = pictures(try await bracket([.bias(-2), .bias(0), .bias(2)], of: camera))
      try #require(taken.count == 3)
      #expect(taken.map(\.shot?.index) == [1, 2, 3] && taken.allSatisfy { $0.shot?.count == 3 })
      #expect(taken.allSatisfy { $0.shot?.evidence == basis })
      #expect(
        taken.map(\.shot?.settings)
          == [0.0005, 0.002, 0.008].map { [Setting("exposure.duration", to: .number($0))] })
      // Also of a camera that does not say how it takes its frames.
      #expect(taken.map(\.shot?.exposure) == [500_000, 2_000_000, 8_000_000])
      #expect(taken.map(\.shot?.bias) == [-2, 0, 2])
      if basis == .metadata {
        #expect(taken.map(\.exposure) == [500_000, 2_000_000, 8_000_000])
      }
      for (darker, brighter) in zip(taken, taken.dropFirst()) {
        let ratio = brighter.ratio(to: darker)
        #expect((3.8...4.2).contains(ratio), "\(ratio)")
        #expect(brighter.resolved.metadata.sequence > darker.resolved.metadata.sequence)
      }
      #expect(try await values(camera) == before)
      #expect(putBacks(camera) == 1)
    }
  }

  @Test(arguments: ["facts=on", "facts=off"])
  func `An automatic exposure is moved by its bias`(option: String) async throws {
    try await TestCamera.with("\(Self.camera),settle=1-6,\(option)") { camera in
      _ = try await camera.session.set([Self.greyRamp])
      await letSettle(camera)
      let before = try await values(camera)
      let taken = pictures(try await bracket([.bias(-2), .bias(0), .bias(2)], of: camera))
      try #require(taken.count == 3)
      #expect(taken.allSatisfy { $0.shot?.evidence == .picture })
      #expect(
        taken.map(\.shot?.settings)
          == [-2.0, 0, 2].map { [Setting("exposure.bias", to: .number($0))] })
      #expect(taken.map(\.shot?.bias) == [-2, 0, 2])
      #expect(taken.allSatisfy { $0.shot?.exposure == nil })
      for (darker, brighter) in zip(taken, taken.dropFirst()) {
        let ratio = brighter.ratio(to: darker)
        #expect((3.8...4.2).contains(ratio), "\(ratio)")
      }
      #expect(try await values(camera) == before)
    }
  }

  @Test func `Shots of all kinds mix, and each changes only what it names`() async throws {
    try await TestCamera.with("\(Self.camera),settle=1-6") { camera in
      _ = try await camera.session.set([Self.greyRamp])
      await letSettle(camera)
      let before = try await values(camera)
      let shots: [BracketShot] = [
        .exposure(2_000_000), .settings([Setting("brightness", to: .integer(90))]), .bias(-1),
        .exposure(2_000_000), .exposure(8_000_000),
      ]
      let taken = pictures(try await bracket(shots, of: camera))
      try #require(taken.count == 5)
      #expect(taken.map(\.exposure) == [2_000_000, nil, nil, 2_000_000, 8_000_000])
      #expect(taken.map(\.shot?.exposure) == taken.map(\.exposure))
      #expect(taken.map { $0.shot?.bias == nil } == [true, true, false, true, true])
      #expect(abs(taken[3].ratio(to: taken[0]) - 1) < 0.01)
      #expect((3.8...4.2).contains(taken[4].ratio(to: taken[0])))
      let metadata = ControlEffect.Basis.metadata
      #expect(taken[0].shot?.evidence == metadata && taken[4].shot?.evidence == metadata)
      #expect(taken[1].shot?.evidence == .picture)
      // The automatic exposes alone again, 38 code values darker.
      let plain = pictures(try await bracket([.bias(0)], of: camera))
      try #require(plain.count == 1)
      let (dark, light) = (taken[1].bytes, plain[0].bytes)
      let differences = zip(light, dark).prefix(light.count * 2 / 5).compactMap { light, dark in
        (60..<250).contains(light) ? Int(light) - Int(dark) : nil
      }
      #expect(!differences.isEmpty && differences.allSatisfy { $0 == 38 })
      #expect(try await values(camera) == before)
    }
  }

  @Test func `A bracket right behind another one shows nothing of its settings`() async throws {
    let slow = "\(Self.camera),settle=6,facts=off,zoom=off"
    try await TestCamera.with(slow) { camera in
      _ = try await camera.session.set([
        Self.greyRamp, Setting("exposure.duration", to: .number(0.002)),
      ])
      await letSettle(camera)
      let before = pictures(try await bracket([.bias(0)], of: camera))
      let lighter = pictures(try await bracket([.exposure(8_000_000)], of: camera))
      let behind = pictures(
        try await bracket([.settings([Setting("zoom", to: .number(1))])], of: camera))
      try #require(before.count == 1 && lighter.count == 1 && behind.count == 1)
      #expect((3.8...4.2).contains(lighter[0].ratio(to: before[0])))
      #expect(abs(behind[0].ratio(to: before[0]) - 1) < 0.01)
    }
  }

  @Test func `A shot that changes nothing shows a frame from after the request`() async throws {
    try await TestCamera.with("\(Self.camera)") { camera in
      let asked = MonotonicTime.now
      let steps = try await bracket([.bias(0), .bias(0)], of: camera)
      let taken = pictures(steps)
      try #require(taken.count == 2)
      #expect(taken.allSatisfy { $0.shot?.evidence == .unchanged })
      #expect(taken.allSatisfy { $0.resolved.metadata.exposure.earliestStart >= asked })
      #expect(taken[0].resolved.metadata.sequence < taken[1].resolved.metadata.sequence)
      guard case .willBegin(let settings)? = steps.first else {
        Issue.record("\(steps.map(\.name))")
        return
      }
      #expect(!settings.hasZeroShutterLag && settings.pictures == 2)
    }
  }

  @Test func `A shot that no frame shows fails the bracket`() async throws {
    try await TestCamera.with("\(Self.camera)") { camera in
      let before = try await values(camera)
      // The torch is off.
      let steps = try await bracket(
        [.bias(0), .settings([Setting("intensity_torch_mode", to: .integer(90))])], of: camera)
      #expect(steps.last?.name == "failed deviceFailed")
      #expect(pictures(steps).count <= 1)
      #expect(try await values(camera) == before)
    }
  }

  @Test func `Frames of which no picture can be read fail the bracket`() async throws {
    let device = ScriptedDevice()
    let camera = try TestCamera(device: device)
    try await camera.run {
      try await camera.session.start()
      device.deliver()
      await camera.firstFrame()
      let steps = Recorded<PhotoRequest.Step>()
      async let taken = bracket(
        [.settings([Setting("brightness", to: .integer(9))])], of: camera, steps)
      while !steps.events.contains(where: \.isFailed) {
        device.deliver()
        await camera.pipeline.loop.run {}
      }
      #expect(try await taken.map(\.name) == ["willBegin", "failed deviceFailed"])
      #expect(device.script.controls["brightness"] == 128)
    }
  }

  @Test func `After one that could not put a control back there is none until somebody sets it`()
    async throws
  {
    var script = ScriptedDevice.Script()
    script.setControl = { (_, value) throws(CaptureError) in
      if value == 128 { throw CaptureError(.deviceBusy, "not now") }
      return value
    }
    let device = ScriptedDevice(script)
    let camera = try TestCamera(device: device)
    try await camera.run {
      try await camera.session.start()
      device.deliver()
      await camera.firstFrame()
      let shot = BracketShot.settings([Setting("brightness", to: .integer(9))])
      _ = try await bracket([shot], of: camera) { $0.end(CaptureError(.cancelled, "enough")) }
      await #expect {
        _ = try await camera.session.plan([shot])
      } throws: { error in
        let error = error as? CaptureError
        return error?.code == .controlNotWritable && error?.part == .control("brightness")
      }
      #expect(putBacks(camera) == 0)
      _ = try await camera.session.set([Setting("brightness", to: .integer(50))])
      #expect(putBacks(camera) == 1)
      _ = try await camera.session.plan([shot])
    }
  }

  // MARK: What is refused

  @Test func `What cannot be done, proven or put back is refused before anything changes`()
    async throws
  {
    try await TestCamera.with("\(Self.camera)") { camera in
      _ = try await camera.session.set([Setting("exposure.duration", to: .number(0.0005))])
      let before = try await values(camera)
      let refused: [(BracketShot, CaptureError.Code, ControlID)] = [
        (.bias(16), .invalidControlValue, "exposure.duration"),
        // 0.25 ms is between two steps of the driver.
        (.bias(-1), .invalidArgument, "exposure.duration"),
        (.exposure(2_000_000_000), .invalidControlValue, "exposure.duration"),
        (.settings([Setting("nonsense", to: .integer(1))]), .noSuchControl, "nonsense"),
        (.settings([Setting("brightness", to: .integer(900))]), .invalidControlValue, "brightness"),
        (
          .settings([Setting("inject_fatal_error", to: .press)]), .invalidArgument,
          "inject_fatal_error"
        ),
        (
          .settings([Setting("disconnect_for", to: .integer(1))]), .invalidArgument,
          "disconnect_for"
        ),
      ]
      for (shot, code, control) in refused {
        await #expect {
          _ = try await camera.session.plan([.bias(0), shot])
        } throws: { error in
          let error = error as? CaptureError
          return error?.code == code && error?.part == .control(control)
        }
      }
      #expect(try await values(camera) == before)
    }
  }
}
