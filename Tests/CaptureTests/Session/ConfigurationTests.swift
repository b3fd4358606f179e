import EventLoop
import Foundation
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Changes of format and controls together, as a transaction.
@Suite(.timeLimit(.minutes(20)))
struct ConfigurationTests {
  private typealias Setting = CaptureSession.Setting

  /// What a change must not touch if it fails.
  private struct Observed: Equatable {
    let format: StreamFormat?
    let isRunning: Bool
    let controls: [ControlState]
    let configuration: ActiveConfiguration
    /// What the frames' path has.
    let orientations: Orientations
    let photoOrientation: Orientation
    let streams: [String: StreamSettings]
  }

  private func observe(_ camera: TestCamera) async throws -> Observed {
    let status = await camera.session.status
    let controls = try await camera.session.controls().filter { state in
      state.control.kind != .button && !state.control.flags.contains(.volatile)
    }
    let pipeline = camera.pipeline
    let (orientations, photo, streams) = await camera.frameLoop.run {
      (pipeline.orientations, pipeline.photos.orientation, pipeline.streams)
    }
    return Observed(
      format: status.format, isRunning: status.state == .running, controls: controls,
      configuration: status.configuration, orientations: orientations, photoOrientation: photo,
      streams: streams)
  }

  /// The driver's controls that a control with a meaning sets, and what else has them.
  private func sources(of id: ControlID, in controls: [ControlState]) -> [ControlID] {
    let own = controls.first { $0.control.id == id }?.control.sources ?? []
    let others = controls.filter {
      !own.isEmpty && !$0.control.sources.allSatisfy { !own.contains($0) }
    }
    return own + others.map(\.control.id)
  }

  /// How a change is made to fail.
  private enum Flaw: CaseIterable {
    case unknownControl, format, start
  }

  private static let controls = [
    "brightness", "contrast", "gain", "zoom_absolute", "focus_absolute", "exposure_time_absolute",
    "horizontal_flip", "test_pattern", "white_balance.kelvin", "torch.level",
  ]

  private static let sizes = [(160, 120), (320, 240), (640, 480), (176, 144)]

  private func value(
    of control: ControlDescription, _ random: inout SeededGenerator
  ) -> ControlValue {
    if control.kind == .boolean { return .boolean(.random(using: &random)) }
    if let range = control.scale?.range {
      // Whole values, which no driver rounds.
      return .number([range.lowerBound, range.upperBound].randomElement(using: &random) ?? 0)
    }
    let steps = (control.maximum - control.minimum) / max(1, control.step)
    return .integer(control.minimum + .random(in: 0...steps, using: &random) * max(1, control.step))
  }

  private func change(
    of controls: [ControlState], _ random: inout SeededGenerator, _ flaw: Flaw?
  ) -> SessionConfiguration {
    var change = SessionConfiguration()
    let settable = controls.map(\.control).filter { Self.controls.contains($0.id.rawValue) }
    for control in settable.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
      change.settings.append(Setting(control.id, to: value(of: control, &random)))
    }
    if Bool.random(using: &random) || flaw == .start {
      let (width, height) = Self.sizes[Int.random(in: 0..<Self.sizes.count, using: &random)]
      change.size = ImageSize(width: width, height: height)
      change.pixelFormat = [.yuyv, .mjpeg, .nv12, .grey].randomElement(using: &random)
      let rate = [30.0, 60, 25][Int.random(in: 0..<3, using: &random)]
      change.rates = rate...rate
    }
    if Bool.random(using: &random) { change.mode = Bool.random(using: &random) ? .photo : .video }
    if Bool.random(using: &random) {
      let name = ["preview", "full", "100x100"].randomElement(using: &random) ?? "raw"
      change.streams[name] = StreamSettings(
        maximumRate: [nil, 0, 5, 12.5].randomElement(using: &random) ?? nil,
        quality: [nil, 0, 40, 95].randomElement(using: &random) ?? nil,
        isEnabled: [nil, true, false].randomElement(using: &random) ?? nil)
    }
    change.preview = turn(&random)
    change.capture = turn(&random)
    // A lower rate alone goes on in the same stream; a start that fails must be another one.
    if flaw != .start, change.rates == nil, change.mode == nil, Bool.random(using: &random) {
      change.rates = 1...Double.random(in: 2...20, using: &random).rounded()
    }
    switch flaw {
    case .unknownControl:
      change.settings.append(Setting(ControlID(rawValue: "none"), to: .integer(1)))
    case .format: change.size = ImageSize(width: 15, height: 15)
    case .start:
      change.settings.append(
        Setting(ControlID(rawValue: "inject_streamon_error"), to: .integer(1)))
    case nil: break
    }
    return change
  }

  private func turn(_ random: inout SeededGenerator) -> OrientationChange {
    OrientationChange(
      rotation: Bool.random(using: &random)
        ? Orientation.Rotation.allCases.randomElement(using: &random) : nil,
      isMirrored: Bool.random(using: &random) ? .random(using: &random) : nil)
  }

  /// What must hold after a change, said independently of the session.
  private func expect(
    _ after: Observed, toFollow before: Observed, by change: SessionConfiguration, _ number: Int
  ) {
    let (old, new) = (before.configuration, after.configuration)
    #expect(new.mode == change.mode ?? old.mode, "\(number)")
    let preset: SessionPreset =
      change.size != nil
      ? .inputPriority : change.mode.map { $0 == .photo ? .photo : .high } ?? old.preset
    #expect(new.preset == preset, "\(number)")
    let isPreset = change.size == nil && change.mode != nil
    #expect(new.rates == change.rates ?? (isPreset ? nil : old.rates), "\(number)")
    for (name, change) in change.streams {
      let (old, new) = (
        old.streams[name] ?? StreamSettings(), new.streams[name] ?? StreamSettings()
      )
      let rate = change.maximumRate.map { $0 > 0 ? $0 : nil } ?? old.maximumRate
      let quality = change.quality.map { $0 > 0 ? $0 : nil } ?? old.quality
      let isEnabled = change.isEnabled.map { $0 ? nil : false } ?? old.isEnabled
      #expect(
        new == StreamSettings(maximumRate: rate, quality: quality, isEnabled: isEnabled),
        "\(number)")
    }
    for name in Set(old.streams.keys).union(new.streams.keys) where change.streams[name] == nil {
      #expect(new.streams[name] == old.streams[name], "\(number)")
    }
    #expect(after.streams == new.streams)
    for (path, change) in [
      (\Orientations.preview, change.preview), (\Orientations.capture, change.capture),
    ] {
      let (old, new) = (old.orientations[keyPath: path], new.orientations[keyPath: path])
      #expect(new.rotation == change.rotation ?? old.rotation, "\(number)")
      #expect(new.isMirrored == change.isMirrored ?? old.isMirrored, "\(number)")
    }
    #expect(after.orientations == new.orientations)
    #expect(after.photoOrientation == new.orientations.capture)
    if let rate = after.format?.frameRate?.framesPerSecond, let rates = change.rates {
      #expect(rates.contains(rate), "\(number): \(rate)")
    }
  }

  /// `CAMERABUS_TRANSACTIONS` makes more of them.
  @Test func `Random changes hold as a whole or not at all`() async throws {
    let count = ProcessInfo.processInfo.environment["CAMERABUS_TRANSACTIONS"].flatMap(Int.init)
    var random = SeededGenerator(for: "configurations")
    var failures = 0
    try await TestCamera.with("320x240@60,format=YUYV") { camera in
      // With the automatic on, exposure time and gain cannot be set.
      _ = try await camera.session.set([
        Setting(ControlID(rawValue: "auto_exposure"), to: .integer(1))
      ])
      for number in 0..<(count ?? 2000) {
        let flaw =
          Int.random(in: 0..<3, using: &random) == 0
          ? Flaw.allCases.randomElement(using: &random) : nil
        let before = try await observe(camera)
        let change = change(of: before.controls, &random, flaw)
        let format = FormatRequest(pixelFormat: change.pixelFormat, size: change.size)
        do {
          let states = try await camera.session.configure(change)
          // A start that is to fail needs a format that differs.
          if flaw == .start {
            #expect(before.format.map { $0.satisfies(format) } == true, "\(number)")
          } else {
            #expect(flaw == nil, "\(number): \(change)")
          }
          #expect(states.map(\.control.id) == change.settings.map(\.control))
          let after = try await observe(camera)
          #expect(after.isRunning)
          expect(after, toFollow: before, by: change, number)
          #expect(after.format?.satisfies(format) == true, "\(number): \(change)")
          for setting in change.settings
          where setting.control.rawValue != "inject_streamon_error" {
            #expect(
              after.controls.first { $0.control.id == setting.control }?.value == setting.value,
              "\(number): \(change)")
          }
          let untouched = after.controls.filter { state in
            // A control with a meaning changes with the driver's.
            !change.settings.contains {
              $0.control == state.control.id || state.control.sources.contains($0.control)
                || sources(of: $0.control, in: after.controls).contains(state.control.id)
            }
          }
          for state in untouched {
            #expect(
              before.controls.first { $0.control.id == state.control.id }?.value == state.value,
              "\(number): \(state.control.id)")
          }
          if flaw == .start {
            // The fault waits for the next start: use it up.
            try? await camera.session.configure(size: ImageSize(width: 200, height: 200))
          }
        } catch let error as CaptureError {
          failures += 1
          #expect(flaw != nil, "\(number): \(error)")
          let after = try await observe(camera)
          #expect(after == before, "\(number): \(change)")
        }
      }
    }
    #expect(failures > (count ?? 2000) / 6)
  }

  @Test func `A change that may not end the stream changes no control either`() async throws {
    try await TestCamera.with { camera in
      let before = try await observe(camera)
      var change = SessionConfiguration()
      change.size = ImageSize(width: 640, height: 480)
      change.settings = [Setting(ControlID(rawValue: "brightness"), to: .integer(3))]
      let obstacle = CaptureError(.conflict, "it records")
      let error = await #expect(throws: CaptureError.self) {
        try await camera.session.configure(change, unlessMovieEnds: obstacle)
      }
      #expect(error == obstacle)
      #expect(try await observe(camera) == before)
      change.size = nil
      _ = try await camera.session.configure(change, unlessMovieEnds: obstacle)
    }
  }

  @Test func `A turned movie is ended like one in another format`() async throws {
    try await TestCamera.with { camera in
      let obstacle = CaptureError(.conflict, "it records")
      var change = SessionConfiguration()
      change.preview.rotation = .quarter
      change.rates = 1...5
      _ = try await camera.session.configure(change, unlessMovieEnds: obstacle)
      let before = try await observe(camera)
      change.capture.isMirrored = true
      change.preview.rotation = .half
      let error = await #expect(throws: CaptureError.self) {
        try await camera.session.configure(change, unlessMovieEnds: obstacle)
      }
      #expect(error == obstacle)
      #expect(try await observe(camera) == before)
    }
  }

  @Test func `A lower rate thins the stream out, and it goes on`() async throws {
    try await TestCamera.with { camera in
      let (pipeline, frames) = (camera.pipeline, Recorded<FrameMetadata>())
      let sink = MetadataSink(frames)
      await camera.frameLoop.run { pipeline.add(sink) }
      await frames.wait { $0.count >= 5 }
      var change = SessionConfiguration()
      change.rates = 1...10
      _ = try await camera.session.configure(change)
      let format = await camera.session.status.format
      #expect(format?.frameRate == FrameRate(10) && format?.deviceFrameRate == FrameRate(60))
      let (mark, thinnedOut) = (frames.events.count, pipeline.counters.thinned)
      await frames.wait { $0.count >= mark + 6 }
      #expect(pipeline.counters.thinned > thinnedOut)
      change.rates = 1...60
      _ = try await camera.session.configure(change)
      #expect(await camera.session.status.format?.frameRate == FrameRate(60))
      let again = frames.events.count
      await frames.wait { $0.count >= again + 3 }
      // Every frame is counted once, also those that a busy machine has lost.
      let (counters, last) = await camera.frameLoop.run {
        (pipeline.counters, pipeline.ring.newest?.metadata.sequence)
      }
      let lost = counters.lostByCamera + counters.skipped + counters.poolExhausted
      #expect(counters.delivered + counters.thinned + lost == last)
      let sequences = frames.events.map(\.sequence)
      #expect(sequences == sequences.sorted(), "the stream started again")
      let starts = camera.events.events.count { if case .firstFrame = $0 { true } else { false } }
      #expect(starts == 1)
      await camera.frameLoop.run { pipeline.remove(sink) }
    }
  }

  private final class MetadataSink: FrameConsumer, Sendable {
    let frames: Recorded<FrameMetadata>
    init(_ frames: Recorded<FrameMetadata>) { self.frames = frames }
    func receive(_ frame: Frame) { frames.add(frame.metadata) }
  }

  @Test func `A stopped camera starts as it was configured`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      var change = SessionConfiguration()
      change.preset = .hd1280x720
      change.settings = [Setting(ControlID(rawValue: "brightness"), to: .integer(3))]
      _ = try await camera.session.configure(change)
      try await camera.session.start()
      let status = await camera.session.status
      #expect(status.format?.layout.size == ImageSize(width: 1280, height: 720))
      let brightness = try await camera.session.controls([ControlID(rawValue: "brightness")])
      #expect(brightness.first?.value == .integer(3))
    }
  }

  @Test func `A stopped camera is itself made slower, and a running one is thinned out`()
    async throws
  {
    try await TestCamera.with { camera in
      for (isStopped, deviceRate) in [(false, UInt32(60)), (true, 15)] {
        if isStopped { await camera.session.stop() }
        try await camera.session.configure(rate: 15)
        try await camera.session.start()
        let format = await camera.session.status.format
        #expect(format?.frameRate == FrameRate(15))
        #expect(format?.deviceFrameRate == FrameRate(deviceRate))
      }
    }
  }

  @Test func `A camera in trouble is not configured`() async throws {
    try await TestCamera.with { camera in
      try await camera.session.suspend("away")
      var change = SessionConfiguration()
      change.settings = [Setting(ControlID(rawValue: "brightness"), to: .integer(3))]
      let error = await #expect(throws: CaptureError.self) {
        try await camera.session.configure(change)
      }
      #expect(error?.code == .interrupted)
      #expect(error?.message == "away: ask again when the camera runs")
      // How pictures are turned and sent is no affair of the device.
      change = SessionConfiguration()
      change.preview.rotation = .quarter
      change.streams = ["full": StreamSettings(maximumRate: 5)]
      _ = try await camera.session.configure(change)
      let configuration = await camera.session.status.configuration
      #expect(configuration.orientations.preview.rotation == .quarter)
      #expect(configuration.streams["full"]?.maximumRate == 5)
    }
  }
}
