import CameraClient
import CameraProtocol
import Foundation
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing
import ZeroMQ

/// A node that sends golden messages with changed bytes. Each call ends with an answer or an error,
/// and the client goes on.
///
/// Each test has a process of its own, because it looks at the process's memory.
@Suite(.timeLimit(.minutes(15)))
struct LyingNodeTests {
  /// How many messages each test sends. `Deploy/stages/fuzz` sets more.
  private static let count =
    ProcessInfo.processInfo.environment["CAMERABUS_LIES"].flatMap(Int.init) ?? 4000
  private static let perCall = 20
  /// Far more than the lists and frames that a client may keep. The address sanitizer keeps 256 MiB
  /// of freed memory too.
  private static let growth =
    ProcessInfo.processInfo.environment["CAMERABUS_SANITIZER"] == nil ? 64 << 20 : 512 << 20

  @Test func `Every call to a node that answers nonsense ends`() async {
    let seed = SeededGenerator(for: "lying node, replies").seed
    await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
      try await Self.call(seed)
    }
  }

  private static func call(_ seed: UInt64) async throws {
    try await withFakeNode(requestTimeout: .milliseconds(300)) { node, bus in
      let answers = Task {
        var liar = try Liar(seed: seed)
        for await request in node.requests {
          let epoch = await node.epoch
          for _ in 0..<perCall {
            try await node.send(
              liar.reply(to: request.request, epoch: epoch), to: request.client)
          }
          try await node.reply(to: request, .error(WireError(.conflict, "enough")), index: 1000)
        }
      }
      let camera = try bus.camera("cam")
      let asset = try #require(Asset(.asset([1, 2, 3])))
      let proxy = try #require(Asset(.proxy([1, 2, 3])))
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await camera.controls() },
        { _ = try await camera.value(of: "gain") },
        { _ = try await camera.set("gain", to: .integer(1)) },
        { _ = try await camera.formats() },
        { _ = try await camera.startSession() },
        { _ = try await camera.stopSession() },
        { _ = try await camera.capture(.now) },
        { for try await _ in camera.captureSteps(.next) {} },
        { _ = try await camera.startRecording() },
        { _ = try await camera.stopRecording() },
        { _ = try await bus.assets(limit: 5) },
        { for try await _ in bus.allAssets() {} },
        { _ = try await bus.delete([asset.id]) },
        { _ = try await bus.protect([asset.id]) },
        { _ = try await bus.data(of: asset) },
        { _ = try await bus.finalPhoto(of: proxy, timeout: .milliseconds(300)) },
      ]
      let before = try residentBytes()
      for call in 0..<count / perCall {
        do {
          try await calls[call % calls.count]()
        } catch {
          #expect(error is CameraBusError, "\(error)")
        }
      }
      #expect(try residentBytes() - before < growth)
      #expect(try await bus.status().name == "fake", "the client still works")
      answers.cancel()
    }
  }

  @Test func `A monitor and a reader of frames outlast a node that publishes nonsense`() async {
    let seed = SeededGenerator(for: "lying node, publications").seed
    await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
      try await Self.follow(seed)
    }
  }

  private static func follow(_ seed: UInt64) async throws {
    try await withFakeNode { node, bus in
      let answers = Task {
        for await request in node.requests {
          try await node.reply(to: request, .replay(.init()))
        }
      }
      let (frame, event) = (
        Topic.frame(camera: "cam", stream: .preview), Topic.event(camera: "cam", kind: .state)
      )
      var frames = try bus.camera("cam").frames().makeAsyncIterator()
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      for await subscription in node.subscriptions
      where subscription == Subscription(Array(frame.name.utf8)) { break }
      var liar = try Liar(seed: seed)
      let before = try residentBytes()
      for _ in 0..<count {
        try await node.publish(liar.publication(epoch: node.epoch))
      }
      // The truth, as a new start: the numbers of the lies mean nothing now.
      try await node.comeBack(as: .random())
      try await node.beat(frame, last: 0)
      let header = WireFrameHeader.with {
        $0.frameSequence = 77
        $0.size.width = 64
        $0.size.height = 48
        $0.pixelFormat = "JPEG"
      }
      for number in 1...10 as ClosedRange<UInt64> {
        try await node.publishFrame(header, [1], on: frame, number)
        try await node.publish(EventTests.state(.ready), on: event, number)
      }
      while try await frames.next()?.sequence != 77 {}
      while case let next? = try await events.next() {
        if case .nodeRestarted = next { break }
      }
      #expect(try residentBytes() - before < growth)
      answers.cancel()
    }
  }

  private static func residentBytes() throws -> Int { try #require(ProcessMemory.resident) }
}
