import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// However a bracket ends, the controls are as before.
extension BracketTests {
  @Test func `A setting that fails at any step ends the bracket, and all is put back`() async throws
  {
    // The gain belongs to the automatic, so the driver refuses it.
    let bad = BracketShot.settings([Setting("gain", to: .integer(200))])
    for place in 0..<3 {
      try await TestCamera.with("\(Self.camera)") { camera in
        _ = try await camera.session.set([Setting("brightness", to: .integer(120))])
        let before = try await values(camera)
        var shots = [40, 80, 160].map {
          BracketShot.settings([Setting("brightness", to: .integer($0))])
        }
        shots[place] = bad
        let steps = try await bracket(shots, of: camera)
        #expect(steps.filter(\.isFailed).map(\.name) == ["failed controlNotWritable"])
        #expect(try await values(camera) == before)
        #expect(putBacks(camera) == 1)
      }
    }
  }

  /// How the stream ends in the middle of a bracket.
  enum End: CaseIterable, Sendable { case unplugged, stalled, stopped }

  @Test(arguments: End.allCases, [0, 1, 2])
  func `When the stream ends at any step, the controls are as before once the camera is back`(
    end: End, step: Int
  ) async throws {
    try await TestCamera.with("\(Self.camera),settle=1-6") { camera in
      let session = camera.session
      _ = try await session.set([
        Setting("exposure.duration", to: .number(0.002)), Setting("brightness", to: .integer(140)),
      ])
      // Nobody wants it, so only the bracket can put it back.
      let device = await session.device
      if end != .unplugged { _ = try device.setValue(.integer(150), of: "contrast") }
      let before = try await values(camera)
      let steps = Recorded<PhotoRequest.Step>()
      let shots: [BracketShot] = [
        .bias(-2),
        .settings([
          Setting("brightness", to: .integer(90)), Setting("contrast", to: .integer(60)),
        ]), .bias(2),
      ]
      async let taken = bracket(shots, of: camera, steps)
      await steps.wait { $0.count { $0.name == "captured" } >= step && !$0.isEmpty }
      switch end {
      case .unplugged: _ = try device.setValue(.boolean(true), of: "disconnect")
      case .stalled: _ = try device.setValue(.boolean(true), of: "inject_stall")
      case .stopped: await session.stop()
      }
      #expect(try await taken.filter(\.isFailed).map(\.name) == ["failed interrupted"])
      switch end {
      case .unplugged: _ = try device.setValue(.boolean(false), of: "disconnect")
      case .stalled: _ = try device.setValue(.boolean(false), of: "inject_stall")
      case .stopped:
        #expect(try await values(camera) == before)
        try await session.start()
      }
      await camera.firstFrame(ofRun: 2)
      #expect(try await values(camera) == before)
      #expect(putBacks(camera) >= 1)
      // Nothing is owed any more.
      #expect(await session.ledger.owed.isEmpty)
    }
  }

  @Test func `A bracket can be cancelled before its first picture, not later`() async throws {
    try await TestCamera.with("\(Self.camera),settle=6,facts=off") { camera in
      let before = try await values(camera)
      let answers = Recorded<Bool>()
      let cancelled = try await bracket([.bias(-2), .bias(2)], of: camera) {
        answers.add($0.cancel())
      }
      #expect(answers.events == [true])
      #expect(cancelled.map(\.name) == ["willBegin", "failed cancelled"])
      #expect(try await values(camera) == before)

      let steps = Recorded<PhotoRequest.Step>()
      let handles = Recorded<ShotHandle>()
      async let taken = bracket([.bias(-2), .bias(2)], of: camera, steps) { handles.add($0) }
      await steps.wait { $0.contains { $0.name == "captured" } }
      let handle = try #require(handles.events.first)
      #expect(await camera.frameLoop.run { handle.cancel() } == false)
      #expect(pictures(try await taken).count == 2)
    }
  }

  @Test func `A bracket whose time is over ends, and all is put back`() async throws {
    try await TestCamera.with("\(Self.camera),settle=6") { camera in
      let before = try await values(camera)
      let shots =
        [BracketShot](repeating: .bias(-1), count: 1)
        + (0..<15).map { .bias($0.isMultiple(of: 2) ? 1 : -1) }
      let steps = try await bracket(shots, of: camera, within: .milliseconds(500))
      #expect(steps.last?.name == "failed deadlineExceeded")
      #expect(try await values(camera) == before)
    }
  }

  @Test func `What a killed node owes to a device is put back when that device is opened`()
    async throws
  {
    try await TestCamera.with("\(Self.camera)", isStarted: false) { camera in
      let identity = await camera.session.device.identification.identity
      _ = try await camera.session.set([Setting("brightness", to: .integer(30))])
      // A client has said so since, which counts.
      await camera.session.owe(
        [Setting("brightness", to: .integer(140)), Setting("contrast", to: .integer(90))],
        to: identity)
      await camera.session.owe([Setting("contrast", to: .integer(1))], to: "another device")
      try await camera.session.start()
      let states = try await camera.session.controls(["brightness", "contrast"])
      #expect(states.map(\.value) == [.integer(30), .integer(90)])
      #expect(putBacks(camera) == 1)
    }
  }

  @Test func `Photos of now wait until the old values show`() async throws {
    try await TestCamera.with("\(Self.camera),settle=6") { camera in
      _ = try await camera.session.set([Setting("exposure.duration", to: .number(0.002))])
      _ = try await bracket([.bias(2)], of: camera)
      guard case .processed(let photo, _, _)? = await camera.photo().last else {
        Issue.record("no photo")
        return
      }
      #expect(photo.metadata.facts.exposure == 2_000_000)
    }
  }
}
