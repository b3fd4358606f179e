import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Pictures with other settings of the controls each.
  struct BracketTests {
    private typealias Shot = WireCaptureRequest.Shot

    private static let camera = "cam=synthetic:320x240@120,format=GREY,caption=off"

    private static func bracket(
      _ shots: [Shot], _ edit: (inout WireCaptureRequest) -> Void = { _ in }
    ) -> WireCaptureRequest {
      .outputs([.raw]) {
        $0.bracket.shots = shots
        edit(&$0)
      }
    }

    private static func steps(_ steps: Double...) -> [Shot] {
      steps.map { step in .with { $0.ev = step } }
    }

    private static func settings(_ settings: KeyValuePairs<String, Int64>) -> Shot {
      .with { $0.settings.settings = WireControlsSetRequest.settings(settings).settings }
    }

    /// How much brighter each picture is than the one before, by its pixels that are neither too
    /// bright nor too dark, of the part that does not move. The pictures must be grey.
    private static func ratios(_ photo: Photo, _ test: TestNode) throws -> [Double] {
      let pictures = try photo.result.pictures.map { picture in
        try test.file(try #require(picture.files.first).asset.path)
      }
      return zip(pictures, pictures.dropFirst()).map { darker, brighter in
        let pixels = zip(darker, brighter).prefix(darker.count * 2 / 5).filter {
          (32..<250).contains($1)
        }
        return Double(pixels.reduce(0) { $0 + Int($1.1) })
          / Double(pixels.reduce(0) { $0 + Int($1.0) })
      }
    }

    private static func values(_ client: TestClient) async throws -> [String: WireControlValue] {
      let reply = try await client.ask(.controlsList(.init())).last
      guard case .controls(let controls)? = reply?.wire.body else { throw Unexpected(reply) }
      let pairs = controls.controls.map { ($0.id, $0.value) }
      return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func note(_ library: String) -> String { "\(library)/.brackets/cam.json" }

    @Test(arguments: [("facts=on", WireControlEffect.Basis.metadata), ("facts=off", .picture)])
    func `A bracket of EV has the ratios, says how that is known, and leaves the controls alone`(
      option: String, evidence: WireControlEffect.Basis
    ) async throws {
      try await TestNode.run(["\(Self.camera),settle=1-6,\(option)"]) { test in
        let client = test.client
        try await client.set([
          "test_pattern": 1, "auto_exposure": 1, "exposure_time_absolute": 20,
        ])
        try await client.letPass(frames: 8)
        let before = try await Self.values(client)
        let id = RequestID.random()
        let photo = try await client.photo(Self.bracket(Self.steps(-2, 0, 2)), id: id)
        let settings = try #require(photo.steps.first?.settings)
        #expect(settings.pictures == 3 && !settings.zeroShutterLag)
        let shots = photo.result.pictures.map(\.resolved.shot)
        #expect(shots.map(\.index) == [1, 2, 3] && shots.map(\.count) == [3, 3, 3])
        #expect(shots.allSatisfy { $0.evidence == evidence })
        #expect(
          shots.map { $0.settings.map(\.id) } == Array(repeating: ["exposure.duration"], count: 3))
        #expect(shots.map { $0.settings[0].value.number } == [0.0005, 0.002, 0.008])
        let exposures = photo.result.pictures.map(\.resolved.exposureNs)
        #expect(
          exposures == (evidence == .metadata ? [500_000, 2_000_000, 8_000_000] : [0, 0, 0]))
        for ratio in try Self.ratios(photo, test) {
          #expect((3.8...4.2).contains(ratio), "\(ratio)")
        }
        for step in [WireCaptureProgress.Step.willCapture, .didCapture, .didProcess] {
          #expect(photo.steps.filter { $0.step == step }.map(\.picture).sorted() == [1, 2, 3])
        }
        #expect(try await client.assets { $0.requestID = id.data }.count == 3)
        #expect(try await Self.values(client) == before)
        #expect(!FileManager.default.fileExists(atPath: Self.note(test.library)))
      }
    }

    @Test func `An automatic exposure is bracketed too, also from idle`() async throws {
      try await TestNode.run(["\(Self.camera),idle=100ms"]) { test in
        let client = test.client
        try await client.follow()
        try await client.set(["test_pattern": 1])
        try await client.letPass(frames: 2)
        let moment = try await client.photo().result.resolved.timestamp.monotonicNs
        try await client.state { $0.state == .idle && $0.since.monotonicNs > moment }
        let photo = try await client.photo(Self.bracket(Self.steps(-2, 0, 2)))
        for ratio in try Self.ratios(photo, test) {
          #expect((3.8...4.2).contains(ratio), "\(ratio)")
        }
        #expect(photo.result.pictures.allSatisfy { $0.resolved.startNs > 0 })
      }
    }

    @Test func `Files that take longer than the bracket are waited for`() async throws {
      try await TestNode.run(["cam=synthetic:1920x1080@30,format=YUYV"]) { test in
        let photo = try await test.client.photo(
          .outputs([.png, .jpeg]) { $0.bracket.shots = Self.steps(0, 0, 0) })
        #expect(photo.result.pictures.map(\.files.count) == [2, 2, 2])
        #expect(photo.steps.count { $0.step == .didProcess } == 6)
      }
    }

    @Test func `It is refused for a moment, with a burst, a size, and for others under a lease`()
      async throws
    {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let refused: [(WireErrorCode, String, (inout WireCaptureRequest) -> Void)] = [
          (.frameUnavailable, "capture.when", { $0.pastNs = 1_000_000 }),
          (.frameUnavailable, "capture.when", { $0.atMonotonicNs = 1 }),
          (.invalidArgument, "capture.bracket", { $0.burst.pictures = 2 }),
          (.invalidArgument, "capture.size", { $0.size = .maximum }),
          (.invalidArgument, "capture.bracket.shots", { $0.bracket.shots = [] }),
          (
            .invalidArgument, "capture.bracket.shots",
            { $0.bracket.shots = Array(repeating: .with { $0.ev = 0 }, count: 17) }
          ),
          (.invalidArgument, "capture.bracket.shots.kind", { $0.bracket.shots = [Shot()] }),
          (.invalidArgument, "capture.bracket.shots.ev", { $0.bracket.shots[0].ev = .nan }),
          (
            .invalidArgument, "capture.bracket.shots.exposure_ns",
            { $0.bracket.shots[0].exposureNs = 0 }
          ),
          (
            .invalidArgument, "capture.bracket.shots.settings",
            { $0.bracket.shots[0].settings = .init() }
          ),
          (
            .invalidArgument, "capture.transient",
            {
              $0.transient = true
              $0.inlineLimit = 1
            }
          ),
          (.noSuchControl, "nonsense", { $0.bracket.shots[1] = Self.settings(["nonsense": 1]) }),
        ]
        for (code, field, edit) in refused {
          let error = try await client.error(.capture(Self.bracket(Self.steps(0, 1), edit)))
          #expect(error.code == code && error.field == field, "\(error)")
        }
        guard
          case .lease(let lease) = try await client.ask(
            .leaseAcquire(.with { $0.holder = "calibration" })
          ).last?.wire.body
        else { throw Unexpected("no lease") }
        let leased = try await client.error(.capture(Self.bracket(Self.steps(0, 1))))
        #expect(leased.code == .conflict && leased.field == "lease")
        guard
          case .capture? = try await client.ask(
            .capture(Self.bracket(Self.steps(-1, 1))), under: lease.id)
        else { throw Unexpected("the holder gets no bracket") }
        #expect(!FileManager.default.fileExists(atPath: Self.note(test.library)))
      }
    }

    @Test func `Settings of other clients wait for the end of a bracket, and stay`() async throws {
      try await TestNode.run(["\(Self.camera),settle=6"]) { test in
        let id = RequestID.random()
        try await test.client.send(
          .capture(
            Self.bracket([
              Self.settings(["brightness": 40]), Self.settings(["brightness": 200]),
            ])), id: id)
        _ = try await test.client.progress(id) { $0?.captureStep == .didCapture ? true : nil }
        try await test.withClient { _ = try await $0.set(["brightness": 99]) }
        let photo = try Photo(try await test.client.conversation(id))
        let used = photo.result.pictures.map(\.resolved.shot.settings[0].value.integer)
        #expect(used == [40, 200])
        #expect(try await test.client.get(["brightness"]).first?.value.integer == 99)
      }
    }

    @Test func `What takes a moment goes before the brackets of several clients that wait`()
      async throws
    {
      // The first one takes so long that the others wait.
      try await TestNode.run(["cam=synthetic:320x240@30,format=GREY,settle=6"]) { test in
        let shots = (0..<8).flatMap { _ in Self.steps(-1, 1) }
        let bracket = WireRequest.OneOf_Body.capture(Self.bracket(shots))
        func ask(_ client: TestClient) async throws -> RequestID {
          let id = RequestID.random()
          try await client.send(bracket, id: id)
          // When the node answers, it has read the bracket.
          _ = try await client.ask(.status(.init()))
          return id
        }
        // Clients that have gone leave theirs too.
        for _ in 0..<3 { _ = try await test.withClient(ask) }
        try await test.withClient { last in
          let id = try await ask(last)
          _ = try await test.client.ask(.controlsList(.init()))
          #expect(try await last.cancel(id) == .cancelled)
        }
      }
    }

    @Test func `A recording goes on, and shows the exposures`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 3)
        #expect(try await client.photo(Self.bracket(Self.steps(-1, 1))).result.pictures.count == 2)
        #expect(try await client.stopRecording(recording).reason == .stopped)
      }
    }

    @Test(arguments: [0, 1, 2])
    func `A camera that stops delivering at any shot ends the bracket once, and has its old values`(
      place: Int
    ) async throws {
      try await TestNode.run(["\(Self.camera),settle=1-6"]) { test in
        let client = test.client
        try await client.follow()
        let before = try await Self.values(client)
        var shots = [40, 90, 200].map { Self.settings(["contrast": 60, "brightness": $0]) }
        shots[place] = Self.settings(["brightness": 20, "inject_stall": 1])
        let id = RequestID.random()
        let mark = await client.eventCount
        try await client.send(.capture(Self.bracket(shots)), id: id, remaining: .seconds(40))
        let replies = try await client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else { throw Unexpected(replies) }
        #expect(error.code == .interrupted, "\(error)")
        try await client.state(from: mark) { $0.state == .interrupted }
        try await client.state(from: mark) { $0.readiness == .ready && $0.state == .running }
        #expect(try await Self.values(client) == before)
        let ends = try await client.ends(of: id)
        #expect(ends == 1 && replies.count { $0.wire.final } == 1)
        try await deletion(of: Self.note(test.library))
      }
    }

    @Test func `A node that was killed at any step puts the controls back at its next start`()
      async throws
    {
      let folder = try TemporaryFolder()
      let library = "\(folder.path)/library"
      // What is on the disk at a step is what a killed node leaves.
      let notes = try await TestNode.run(
        ["\(Self.camera),settle=1-6"], configure: { $0.library = library }
      ) { test in
        let client = test.client
        try await client.set(["brightness": 140, "auto_exposure": 1, "exposure_time_absolute": 20])
        var notes: [Data] = []
        let id = RequestID.random()
        let shots = Self.steps(-2) + [Self.settings(["brightness": 90])] + Self.steps(2)
        try await client.send(.capture(Self.bracket(shots)), id: id)
        for step in 0...3 {
          _ = try await client.progress(id) { body -> Bool? in
            guard case .captureProgress(let progress)? = body else { return nil }
            let isIt =
              step == 0
              ? progress.step == .willBegin
              : progress.step == .didCapture && progress.picture == UInt32(step)
            return isIt ? true : nil
          }
          if let note = try? Data(contentsOf: URL(fileURLWithPath: Self.note(library))) {
            notes.append(note)
          }
        }
        _ = try await client.conversation(id)
        return notes
      }
      #expect(!notes.isEmpty && Set(notes).count == 1)
      for note in notes.prefix(1) {
        try FileManager.default.createDirectory(
          atPath: "\(library)/.brackets", withIntermediateDirectories: true)
        try note.write(to: URL(fileURLWithPath: Self.note(library)))
        try await TestNode.run(
          ["\(Self.camera),settle=1-6"], configure: { $0.library = library }
        ) { (test) async throws in
          let controls = try await test.client.get([
            "brightness", "auto_exposure", "exposure_time_absolute",
          ])
          #expect(controls.map(\.value.integer) == [140, 1, 20])
          try await deletion(of: Self.note(library))
        }
      }
      // Another device of the same name gets nothing of it. A note that nobody can read is told.
      try notes.first?.write(to: URL(fileURLWithPath: Self.note(library)))
      try await TestNode.run(["\(Self.camera),seed=2"], configure: { $0.library = library }) {
        (test) async throws in
        #expect(try await test.client.get(["brightness"]).first?.value.integer == 128)
      }
      try Data("{".utf8).write(to: URL(fileURLWithPath: Self.note(library)))
      let lines = Recorded<String>()
      try await TestNode.run(
        [Self.camera], configure: { $0.library = library }, log: .adding(to: lines)
      ) { (test) async throws in
        #expect(try await test.client.get(["brightness"]).first?.value.integer == 128)
      }
      #expect(lines.events.contains { $0.contains("cannot be read and is not put back") })
    }

    @Test func `A bracket that cannot be noted changes nothing`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let before = try await Self.values(test.client)
        try Data().write(to: URL(fileURLWithPath: "\(test.library)/.brackets"))
        let error = try await test.client.error(.capture(Self.bracket(Self.steps(-1, 1))))
        #expect(error.code == .storageFailed, "\(error)")
        #expect(try await Self.values(test.client) == before)
      }
    }

    @Test func `A node that stops in the middle ends the bracket once`() async throws {
      let client = try await TestNode.run(["\(Self.camera),settle=6"]) { test in
        let id = RequestID.random()
        let shots = (0..<16).map { Self.settings(["brightness": $0.isMultiple(of: 2) ? 40 : 200]) }
        try await test.client.send(.capture(Self.bracket(shots)), id: id)
        _ = try await test.client.progress(id) { $0?.captureStep == .didCapture ? true : nil }
        await test.node.stop()
        let replies = try await test.client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else { throw Unexpected(replies) }
        #expect(!FileManager.default.fileExists(atPath: Self.note(test.library)))
        return error.code
      }
      #expect(client == .interrupted)
    }
  }
}

extension TestClient {
  /// How many terminal events a request for photos has.
  func ends(of id: RequestID) async throws -> Int {
    events.compactMap(\.event).count { event in
      guard case .capture(let capture)? = event.body, capture.requestID == id.data else {
        return false
      }
      switch capture.body {
      case .completed, .failed: return true
      default: return false
      }
    }
  }
}
