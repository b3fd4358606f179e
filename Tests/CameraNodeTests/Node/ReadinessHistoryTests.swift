import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

/// What a camera says of the next photo, and what becomes of it, after random histories.
///
/// A stall is left out: until the node has noticed it, nobody can know.
@Suite(.timeLimit(.minutes(60)))
struct ReadinessHistoryTests {
  private static let camera = "cam=synthetic:160x120@200,format=GREY,caption=off"
  private static let formats = ["GREY", "YUYV", "MJPG", "RGGB", "RGBP"]

  private enum Event: CaseIterable {
    case start, configure, stop, suspend, resume, unplug, plug, block, unblock, breakDown,
      failNextStart, turn, loseFrames, still
  }

  /// `CAMERABUS_HISTORIES` makes more of them.
  @Test func `Readiness and the fate of the next photo never disagree`() async throws {
    let count =
      ProcessInfo.processInfo.environment["CAMERABUS_HISTORIES"].flatMap(Int.init) ?? 300
    var random = SeededGenerator(for: "histories")
    var fates: [WireReadiness: Int] = [:]
    // A client keeps all that it hears, so it is renewed now and then.
    for first in stride(from: 0, to: count, by: 50) {
      try await TestNode.run([Self.camera]) { test in
        for number in first..<min(first + 50, count) {
          var history: [Event] = []
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            let event = Event.allCases.randomElement(using: &random) ?? .start
            history.append(event)
            try await happen(event, test.client, &random)
          }
          // Left to chance alone, few cameras would run.
          if number.isMultiple(of: 25) || Bool.random(using: &random) {
            for event in [Event.plug, .unblock, .resume, .start] {
              history.append(event)
              try await happen(event, test.client, &random)
            }
          }
          // And few would have a format that photos cannot be made of.
          if number.isMultiple(of: 25) {
            history.append(.configure)
            try await test.client.ask(.configure(.with { $0.pixelFormat = "RGBP" }))
          }
          let readiness = try await check(test.client, "\(number): \(history), \(random)")
          fates[readiness, default: 0] += 1
        }
      }
    }
    #expect(fates[.ready, default: 0] > count / 10)
    #expect(fates[.sessionNotRunning, default: 0] > count / 10)
    #expect(fates[.notReadyUnsupportedFormat, default: 0] > 0)
  }

  /// Photos of several clients overlap. What the camera says holds for a client that has none under
  /// way. Others know their own, and those of all together are the rest of the rule.
  @Test func `Readiness and the fate of overlapping photos of several clients agree`() async throws
  {
    var random = SeededGenerator(for: "shares")
    var refusals: [WireReadiness: Int] = [:]
    for history in 0..<8 {
      try await TestNode.run([Self.camera]) { test in
        try await test.client.ask(.sessionStart(.init()))
        _ = try await test.client.camera { $0.readiness == .ready }
        // Photos of the same later moment wait together until then.
        let moment = try await test.client.status().now.monotonicNs + 9_000_000_000
        try await withClients(20, of: test) { clients in
          var photos = Array(repeating: 0, count: clients.count)
          // Every second history begins with full shares, and then takes every place that is left.
          let full = Array(repeating: 0, count: 12) + Array(repeating: 1, count: 12)
          let places = full + Array(repeating: 2, count: 8) + Array(3..<clients.count)
          let order =
            (history.isMultiple(of: 2) ? places : full)
            + (0..<40).map { _ in Int.random(in: 0..<clients.count, using: &random) }
          for index in order {
            let readiness = try await test.client.camera().readiness
            let all = photos.reduce(0, +)
            let isTaken = try await isTaken(at: moment, clients[index])
            let own = photos[index]
            let mayTake = own < WireLimits.unmadePhotos && all < (own == 0 ? 48 : 32)
            // The moment may have come on a very busy machine, and then photos end.
            guard try await test.client.status().now.monotonicNs < moment - 500_000_000 else {
              return
            }
            #expect(isTaken == mayTake, "\(history): \(own) of \(all), \(random)")
            if own == 0 { #expect(isTaken == (readiness == .ready)) }
            if isTaken { photos[index] += 1 } else { refusals[readiness, default: 0] += 1 }
          }
        }
      }
    }
    // A client's own share was the reason, although the camera was ready.
    #expect(refusals[.ready, default: 0] > 0)
    // There was no place for anybody.
    #expect(refusals.contains { $0.key != .ready })
  }

  /// Whether a photo of the moment is accepted, so that it waits.
  private func isTaken(at moment: Int64, _ client: TestClient) async throws -> Bool {
    let id = RequestID.random()
    try await client.send(
      .capture(.inline { $0.atMonotonicNs = moment }), id: id, remaining: .seconds(60))
    // The first reply is a step, or the error.
    guard case .error(let error) = try await client.progress(id, { $0 }) else { return true }
    #expect(error.code == .busy)
    return false
  }

  private func withClients(
    _ count: Int, of test: TestNode, _ others: [TestClient] = [],
    _ body: ([TestClient]) async throws -> Void
  ) async throws {
    guard count > 0 else { return try await body(others) }
    try await test.withClient { client in
      try await withClients(count - 1, of: test, others + [client], body)
    }
  }

  /// Compares what the camera says with what it does, in a state that lasts from before the photo
  /// to behind it.
  private func check(_ client: TestClient, _ history: String) async throws -> WireReadiness {
    while true {
      let before = try await client.camera()
      let photo = WireCaptureRequest.with {
        $0.transient = true
        $0.inlineLimit = 1 << 20
      }
      let reply = try await client.ask(.capture(photo)).last?.wire.body
      let after = try await client.camera()
      guard before.since == after.since, before.state == after.state,
        before.readiness == after.readiness, before.readiness != .notReadyMomentarily
      else { continue }
      switch (before.readiness, reply) {
      case (.ready, .capture), (.notReadyWaitingForCapture, .capture),
        (.notReadyWaitingForProcessing, .capture):
        break
      case (.sessionNotRunning, .error(let error)):
        #expect(
          [.notRunning, .interrupted, .deviceNotFound, .deviceBusy, .deviceFailed].contains(
            error.code), "\(history): \(error.code)")
      case (.notReadyUnsupportedFormat, .error(let error)):
        #expect(error.code == .unsupportedFormat, "\(history)")
      default:
        Issue.record("\(history): \(before.readiness), but \(String(describing: reply))")
      }
      return before.readiness
    }
  }

  private func happen(
    _ event: Event, _ client: TestClient, _ random: inout SeededGenerator
  ) async throws {
    switch event {
    case .start: try await client.ask(.sessionStart(.init()))
    case .configure:
      let format = Self.formats.randomElement(using: &random) ?? "GREY"
      try await client.ask(.configure(.with { $0.pixelFormat = format }))
    case .stop: try await client.ask(.sessionStop(.init()))
    case .suspend: try await client.ask(.sessionSuspend(.init()))
    case .resume: try await client.ask(.sessionResume(.init()))
    case .unplug: try await inject("disconnect", 1, client)
    case .plug: try await inject("disconnect", 0, client)
    case .block: try await inject("inject_busy", 1, client)
    case .unblock: try await inject("inject_busy", 0, client)
    case .breakDown: try await inject("inject_fatal_error", 1, client)
    case .failNextStart: try await inject("inject_streamon_error", 1, client)
    case .turn:
      let rotation = [0, 90, 180, 270].randomElement(using: &random) ?? 0
      try await client.ask(.configure(.with { $0.capture.rotation = UInt32(rotation) }))
    case .loseFrames: try await inject("inject_frame_loss", 3, client)
    case .still: try await takeStill(client)
    }
  }

  /// Takes a photo in another format, whatever becomes of it. A camera that ran before it and runs
  /// behind it has kept all that it is configured to.
  private func takeStill(_ client: TestClient) async throws {
    let before = try await client.camera()
    try await client.ask(
      .capture(
        .with {
          $0.size = .maximum
          $0.transient = true
          $0.inlineLimit = 1 << 20
        }))
    let after = try await client.camera()
    guard before.state == .running, after.state == .running else { return }
    #expect(after.format == before.format)
    #expect(after.configuration == before.configuration)
  }

  private func inject(_ control: String, _ value: Int64, _ client: TestClient) async throws {
    try await client.ask(.controlsSet(WireControlsSetRequest.settings([control: value])))
  }
}
