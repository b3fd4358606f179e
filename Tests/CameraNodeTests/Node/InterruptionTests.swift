import CameraProtocol
import OperatingSystem
import SwiftProtobuf
import Testing

extension NodeTests {
  /// Lost cameras, and the outcome of the requests that were waiting for them.
  struct InterruptionTests {
    /// A way to lose a camera.
    struct Fault: CustomTestStringConvertible, Sendable {
      var testDescription: String
      /// The controls that cause the fault, and those that end it.
      var begin: KeyValuePairs<String, Int64>
      var end: KeyValuePairs<String, Int64> = [:]
      var state = WireSessionState.interrupted
      var reason = WireInterruptionReason.unspecified
      var code: WireErrorCode
      /// Part of the state's message, at the latest after the first attempt to restart.
      var words: String
    }

    static let faults = [
      Fault(
        testDescription: "unplugged", begin: ["disconnect": 1], end: ["disconnect": 0],
        reason: .deviceDisconnected, code: .deviceNotFound, words: "failed to open synthetic:"),
      Fault(
        testDescription: "busy", begin: ["inject_busy": 1, "inject_fatal_error": 1],
        end: ["inject_busy": 0], reason: .deviceInUseByAnotherClient, code: .deviceBusy,
        words: "failed to start streaming"),
      Fault(
        testDescription: "stalled", begin: ["inject_stall": 1], end: ["inject_stall": 0],
        reason: .deviceStalled, code: .deviceFailed, words: "no frame for 2 s"),
      Fault(
        testDescription: "only bad buffers", begin: ["inject_error_buffers": 1_000_000],
        end: ["inject_error_buffers": 0], reason: .deviceStalled, code: .deviceFailed,
        words: "were bad"),
      Fault(
        testDescription: "breakdown", begin: ["inject_fatal_error": 1], state: .failed,
        code: .deviceFailed, words: "broke down"),
      Fault(
        testDescription: "does not start",
        begin: ["inject_streamon_error": 1, "inject_fatal_error": 1], state: .failed,
        code: .deviceFailed, words: "320x240 YUYV at 60/s, failed to start streaming"),
    ]

    @Test(arguments: faults)
    func `Every request ends once, and the camera comes back`(_ fault: Fault)
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let recording = try await client.startRecording()
        let waiting = try await client.waitingPhoto()
        try await client.letPass(frames: 5)
        let mark = await client.eventCount
        let quick = (0..<4).map { _ in RequestID.random() }
        for id in quick { try await client.send(.capture(.inline()), id: id) }
        try await client.set(fault.begin)

        let trouble = try await client.state(from: mark) { status in
          status.state == fault.state && status.interruption == fault.reason
            && (status.error.message + status.lastAttempt).contains(fault.words)
        }
        #expect(trouble.error.code == fault.code)
        #expect(trouble.readiness == .sessionNotRunning)
        #expect(trouble.nextAttemptMonotonicNs > trouble.since.monotonicNs)
        #expect(!trouble.hasFormat)
        guard case .error(let error)? = try await client.final(waiting) else {
          throw Unexpected("a photo of a camera that is gone")
        }
        #expect(error.code == .interrupted && error.retryable)
        for id in quick { _ = try await client.final(id) }
        let movie = try await client.finishedRecording(recording)
        #expect(movie.reason == .cameraLost)
        #expect(try packets(in: "\(test.library)/\(movie.asset.path)") == Int(movie.frames))

        if !fault.end.isEmpty { try await client.set(fault.end) }
        let back = try await client.state(from: mark) {
          $0.readiness == .ready && $0.since.monotonicNs > trouble.since.monotonicNs
        }
        #expect(!back.hasError && back.attempts == 0 && back.lastAttempt.isEmpty)
        #expect(back.format.size.width == 320 && back.format.pixelFormat == "YUYV")
        _ = try #require(try await client.photo().jpeg)

        for id in quick + [waiting] {
          #expect(await client.finals(of: id) == 1)
          #expect(await client.captureEnds(of: id) == 1)
        }
        #expect(await client.recordingEnds(of: recording) == 1)
      }
    }

    @Test func `Restart attempts are published, and do not leave the interruption`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let mark = await client.eventCount
        try await client.set(["disconnect": 1])
        let first = try await client.state(from: mark) { $0.state == .interrupted }
        #expect(first.attempts == 0 && first.lastAttempt.isEmpty)
        #expect(first.lastAttemptMonotonicNs == 0)
        let second = try await client.state(from: mark) { $0.attempts == 2 }
        #expect(second.since.monotonicNs == first.since.monotonicNs)
        #expect(second.lastAttempt.hasPrefix("failed to open synthetic:"))
        #expect(second.lastAttemptMonotonicNs >= first.nextAttemptMonotonicNs)
        #expect(second.nextAttemptMonotonicNs > second.lastAttemptMonotonicNs)
        try await client.set(["disconnect": 0])
        try await client.state(from: mark) { $0.readiness == .ready }
        #expect(await client.states(from: mark) == [.interrupted, .running])
      }
    }

    @Test func `Requests to a missing camera are answered at once, each once`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let mark = await client.eventCount
        try await client.set(["disconnect": 1])
        let gone = try await client.state(from: mark) { $0.state == .interrupted }
        let requests: [(WireRequest.OneOf_Body, WireErrorCode)] = [
          (.capture(.inline()), .deviceNotFound),
          (.recordStart(WireRecordStartRequest()), .deviceNotFound),
          (.formats(WireFormatsRequest()), .deviceNotFound),
          (.sessionStart(WireSessionStartRequest()), .deviceNotFound),
          (.configure(.with { $0.pixelFormat = "GREY" }), .interrupted),
        ]
        let ids = requests.map { _ in RequestID.random() }
        for ((body, code), id) in zip(requests, ids) {
          let error = try await client.error(body, id: id)
          #expect(error.code == code)
          #expect(error.retryable)
          #expect(error.message.contains("is unplugged: set its control 'disconnect' to 0"))
        }
        let still = try await client.camera()
        #expect(still.state == .interrupted)
        #expect(still.since.monotonicNs == gone.since.monotonicNs)
        try await client.set(["disconnect": 0])
        let back = try await client.state(from: mark) { $0.readiness == .ready }
        #expect(back.format.pixelFormat == "YUYV", "the format that could not be had is forgotten")
        for id in ids { #expect(await client.finals(of: id) == 1) }
        #expect(await client.captureEnds(of: ids[0]) == 0, "it was never accepted")
      }
    }

    @Test func `Controls are restored when the camera is back`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.set(["auto_exposure": 1, "exposure_time_absolute": 50, "brightness": 7])
        let mark = await client.eventCount
        try await client.set(["disconnect_for": 100])
        try await client.state(from: mark) { $0.state == .interrupted }
        try await client.state(from: mark) { $0.readiness == .ready }
        let controls = try await client.get([
          "auto_exposure", "exposure_time_absolute", "brightness",
        ])
        #expect(controls.map(\.value.integer) == [1, 50, 7])
      }
    }

    @Test func `A control that changes with every frame is published a few times a second`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow("event/cam/control/")
        try await client.letPass(frames: 1)
        let before = try await client.status().now.monotonicNs
        try await client.set(["inject_frame_loss": 90])
        _ = try await client.event { event in
          event.control.id == "inject_frame_loss" && event.control.value.integer == 0 ? true : nil
        }
        let elapsed = Double(try await client.status().now.monotonicNs - before) / 1e9
        let told = await client.events.count { $0.event?.control.id == "inject_frame_loss" }
        #expect(told >= 3)
        #expect(Double(told) <= elapsed * 4 + 3)
      }
    }
  }
}

extension TestClient {
  /// Requests a photo of a distant moment and returns once the request waits for its frame.
  fileprivate func waitingPhoto() async throws -> RequestID {
    let id = RequestID.random()
    let moment = try await status().now.monotonicNs + 20_000_000_000
    try send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
    _ = try await progress(id) { $0.map { _ in true } }
    return id
  }

  /// The number of final replies to a request.
  fileprivate func finals(of id: RequestID) -> Int {
    replies.count { $0.wire.id == id.data && $0.wire.final }
  }

  /// The number of events that end a photo.
  fileprivate func captureEnds(of id: RequestID) -> Int {
    events.compactMap(\.event?.capture).count { capture in
      guard capture.requestID == id.data else { return false }
      switch capture.body {
      case .completed, .failed: return true
      case .progress, nil: return false
      }
    }
  }

  /// The number of events that end a recording.
  fileprivate func recordingEnds(of id: RequestID) -> Int {
    events.compactMap(\.event?.recording).count { recording in
      guard recording.requestID == id.data else { return false }
      switch recording.body {
      case .finished, .failed: return true
      case .started, .segment, .progress, .paused, .resumed, nil: return false
      }
    }
  }

  /// The states from the events, without consecutive repetitions.
  fileprivate func states(from mark: Int) -> [WireSessionState] {
    var states: [WireSessionState] = []
    for publication in events.dropFirst(mark) {
      guard case .state(let status)? = publication.event?.body, states.last != status.state else {
        continue
      }
      states.append(status.state)
    }
    return states
  }
}
