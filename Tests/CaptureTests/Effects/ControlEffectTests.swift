import EventLoop
import Foundation
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// The first frame that a change affects, on a camera that needs some frames for it.
@Suite(.timeLimit(.minutes(10)))
struct ControlEffectTests {
  private typealias Setting = CaptureSession.Setting

  private struct Unsettled: Error { let effect: ControlEffect? }

  /// A frame as it looks: what does not move in it.
  private struct Look: Sendable {
    var sequence: UInt64
    var still: Int
  }

  /// Keeps how the frames look.
  private final class Observer: FrameConsumer, Sendable {
    let looks = Recorded<Look>()

    func receive(_ frame: Frame) {
      // The upper part has neither the marker nor the strip.
      let still = frame.bytes.prefix(frame.byteCount * 2 / 5)
      looks.add(Look(sequence: frame.metadata.sequence, still: still.hashValue))
    }
  }

  /// Each of which looks different from the others, because nothing is too bright.
  private static let values: [(ControlID, [Double])] = [
    ("exposure.duration", [0.002, 0.0035, 0.005]),
    ("exposure.gain", [0, 0.02, 0.04, 0.06]),
    ("zoom", [1, 1.5, 2, 3]),
    // Last, because it is too little for a coarse look at the picture.
    ("focus.position", [1, 0.6, 0.2]),
  ]

  private func change(
    _ camera: TestCamera, _ settings: [CaptureSession.Setting], isWanted: Bool? = nil
  ) async throws -> ControlEffect? {
    let (ends, end) = AsyncStream.makeStream(of: ControlEffect?.self)
    let request = EffectRequest(isWanted: isWanted, deadline: .now + .seconds(60)) { effect in
      end.yield(effect)
      end.finish()
    }
    _ = try await camera.session.set(settings, effect: request)
    for await effect in ends { return effect }
    return nil
  }

  /// Sets random controls and compares the answer with the pictures.
  private func check(_ specification: String, count: Int, basis: ControlEffect.Basis) async throws {
    var random = SeededGenerator(for: "effects of \(specification)")
    let seed = random.next() >> 1
    try await TestCamera.with("\(specification),settle=1-6,seed=\(seed)") { camera in
      let observer = Observer()
      await camera.frameLoop.run { camera.pipeline.add(observer) }
      await observer.looks.atLeast(PictureChange.most)
      let first = Self.values.map { Setting($0.0, to: .number($0.1[0])) }
      _ = try await change(camera, first)
      var present = Dictionary(uniqueKeysWithValues: Self.values.map { ($0.0, $0.1[0]) })
      let isSlow = ProcessInfo.processInfo.environment["CAMERABUS_SANITIZER"] != nil
      var unsettled = 0
      for number in 0..<count {
        let kinds = basis == .picture ? 3 : 4
        let (control, values) = Self.values[Int.random(in: 0..<kinds, using: &random)]
        let others = values.filter { $0 != present[control] }
        let value = others[Int.random(in: 0..<others.count, using: &random)]
        present[control] = value
        if basis == .picture {
          // So many pictures are needed to know what is usual in the scene.
          await observer.looks.atLeast(observer.looks.events.count + PictureChange.most)
        }
        let effect = try await change(camera, [Setting(control, to: .number(value))])
        if basis == .picture, case .notSettled(let frames)? = effect, frames > 0 {
          // A busy machine has not measured every picture, so that the first one is not known.
          unsettled += 1
          continue
        }
        guard case .frame(let frame, let found)? = effect else {
          Issue.record("\(number): \(control)=\(value) \(String(describing: effect)), \(random)")
          continue
        }
        #expect(found == basis)
        // Between the reference pictures and the change there are so many frames then that the
        // marker may have come into the picture, which looks like a change.
        if basis == .picture, isSlow { continue }
        let looks = observer.looks.events
        let at = try #require(looks.firstIndex { $0.sequence == frame.sequence })
        #expect(
          looks[at].still != looks[at - 1].still,
          "\(number): \(control)=\(value) does not begin with frame \(frame.sequence), \(random)")
        // Nothing may come after it.
        let later = looks[(at + 1)...].first { $0.still != looks[at].still }
        #expect(later == nil, "\(number): \(control)=\(value), \(random)")
        // A photo of now is no older.
        if number.isMultiple(of: 10) {
          guard case .processed(let photo, _, _)? = await camera.photo().last else {
            Issue.record("no photo")
            continue
          }
          #expect(photo.metadata.sequence >= frame.sequence)
        }
      }
      #expect(unsettled <= count / 4 || isSlow, "\(unsettled) of \(count)")
    }
  }

  @Test func `Where frames say how they were taken, the frame is exact five hundred times`()
    async throws
  {
    try await check("320x240@120,format=GREY,caption=off", count: 500, basis: .metadata)
  }

  @Test(arguments: ["GREY", "YUYV"])
  func `Where only pictures show it, the frame is exact too`(format: String) async throws {
    try await check(
      "320x240@120,format=\(format),caption=off,facts=off", count: 60, basis: .picture)
  }

  @Test func `A change that a photo of now waits for is in it`() async throws {
    try await TestCamera.with("320x240@60,format=GREY,settle=6") { camera in
      for number in 1...10 {
        let zoom = number.isMultiple(of: 2) ? 1.0 : 3.0
        _ = try await camera.session.set(
          [Setting("zoom", to: .number(zoom))],
          effect: EffectRequest(deadline: .now + .seconds(60)) { _ in })
        guard case .processed(let photo, _, _)? = await camera.photo().last else {
          Issue.record("no photo")
          return
        }
        #expect(photo.metadata.facts.zoom == zoom)
      }
    }
  }

  @Test func `Changes after a photo of now was asked for do not make it wait`() async throws {
    try await TestCamera.with("320x240@60,format=GREY,settle=1000") { camera in
      // The photo waits for one change that is never seen, and others follow all the time.
      let changes = Task {
        var zoom = 1.0
        while !Task.isCancelled {
          zoom = zoom == 1 ? 2 : 1
          _ = try await camera.session.set(
            [Setting("zoom", to: .number(zoom))],
            effect: EffectRequest(deadline: .now + .seconds(60)) { _ in })
          await Task.yield()
        }
      }
      let photo = await camera.photo()
      #expect(photo.last?.name == "processed")
      changes.cancel()
      _ = await changes.result
    }
  }

  @Test func `A motion JPEG is measured on another thread, and found all the same`() async throws {
    try await TestCamera.with("320x240@30,format=MJPG,facts=off,settle=4") { camera in
      let observer = Observer()
      let frames = observer.looks
      await camera.frameLoop.run { camera.pipeline.add(observer) }
      for value in [60.0, 200, 90] {
        await frames.atLeast(frames.events.count + PictureChange.most)
        let effect = try await change(camera, [Setting("brightness", to: .integer(Int64(value)))])
        guard case .frame(_, .picture)? = effect else {
          Issue.record("\(String(describing: effect))")
          continue
        }
      }
    }
  }

  @Test func `What changes nothing is in every frame`() async throws {
    try await TestCamera.with("320x240@60,format=GREY") { camera in
      let effect = try await change(camera, [Setting("brightness", to: .integer(128))])
      guard case .frame(_, .unchanged)? = effect else {
        Issue.record("\(String(describing: effect))")
        return
      }
    }
  }

  @Test func `Nobody looks for a control that shapes no picture, or where no frames come`()
    async throws
  {
    try await TestCamera.with("320x240@60,format=GREY") { camera in
      let observer = Observer()
      await camera.frameLoop.run { camera.pipeline.add(observer) }
      await observer.looks.atLeast(PictureChange.most)
      #expect(try await change(camera, [Setting("inject_busy", to: .boolean(true))]) == nil)
      let settings = [Setting("inject_busy", to: .boolean(false))]
      let effect = try await change(camera, settings, isWanted: true)
      // Those count too that come while the control is being set.
      guard case .notSettled(let frames)? = effect else { throw Unsettled(effect: effect) }
      #expect(frames >= EffectSearch.mostFrames)
      let unwanted = try await change(
        camera, [Setting("brightness", to: .integer(7))], isWanted: false)
      #expect(unwanted == nil)
      await camera.session.stop()
      #expect(try await change(camera, [Setting("zoom", to: .number(2))]) == nil)
    }
  }

  @Test func `The end of the stream ends the search, and a photo that waited for it fails`()
    async throws
  {
    try await TestCamera.with("320x240@60,format=GREY,settle=1000") { camera in
      _ = try await camera.session.set([Setting("inject_stall", to: .boolean(true))])
      let (ends, end) = AsyncStream.makeStream(of: ControlEffect?.self)
      let request = EffectRequest(deadline: .now + .seconds(60)) { end.yield($0) }
      _ = try await camera.session.set([Setting("zoom", to: .number(2))], effect: request)
      async let photo = camera.photo()
      await camera.session.stop()
      #expect(await photo.last?.name.hasPrefix("failed") == true)
      for await effect in ends {
        guard case .notSettled? = effect else {
          Issue.record("\(String(describing: effect))")
          return
        }
        return
      }
    }
  }
}
