import CameraClient
import CameraProtocol
import Digest
import Foundation
import SwiftProtobuf
import Testing

/// A node of a later version says things that this client does not know. None of them breaks
/// anything.
@Suite(.timeLimit(.minutes(5)))
struct LaterNodeTests {
  private static let number = 99

  @Test func `Unknown numbers in a camera's status are unknown values`() throws {
    let status = CameraStatus(
      try .with {
        $0.name = "cam"
        $0.state = try #require(WireSessionState(rawValue: Self.number))
        $0.readiness = try #require(WireReadiness(rawValue: Self.number))
      })
    #expect(status.state == .unknown)
    #expect(status.readiness == .unknown)
    #expect(status.description == "cam is unknown, unknown")
    let interrupted = CameraStatus(
      try .with {
        $0.state = .interrupted
        $0.interruption = try #require(WireInterruptionReason(rawValue: Self.number))
      })
    #expect(interrupted.interruption == .unknown)
  }

  @Test func `Unknown kinds and shapes of controls are unknown values`() throws {
    let control = Control(
      try .with {
        $0.id = "lens"
        $0.kind = try #require(WireControlKind(rawValue: Self.number))
        $0.value = .init()
      })
    #expect(control.kind == .unknown)
    #expect(control.value == nil)
    #expect(control.description == "lens=")
  }

  @Test func `An unknown end of a recording is an unknown reason`() throws {
    let reason = try #require(WireRecordResult.EndReason(rawValue: Self.number))
    #expect(Movie.EndReason(reason) == .unknown)
  }

  @Test func `An unknown error is an internal one`() throws {
    let code = try #require(WireErrorCode(rawValue: Self.number))
    #expect(CameraBusError(.with { $0.code = code }).code == .internal)
  }

  @Test(arguments: [
    try? JSONEncoder().encode([SessionState(rawValue: "dreaming")]), Data(#"["dreaming"]"#.utf8),
  ])
  func `A name that this client does not know survives JSON`(json: Data?) throws {
    let json = try #require(json)
    let states = try JSONDecoder().decode([SessionState].self, from: json)
    #expect(states.map(\.rawValue) == ["dreaming"])
    #expect(String(decoding: try JSONEncoder().encode(states), as: UTF8.self) == #"["dreaming"]"#)
  }

  @Test func `A photo with an unknown step is taken all the same`() async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let picture: [UInt8] = [0xff, 0xd8, 0xff, 0xd9]
      let step = try #require(WireCaptureProgress.Step(rawValue: Self.number))
      try await node.reply(
        to: request, .captureProgress(.with { $0.step = step }), isFinal: false,
        attachment: picture)
      let result = WireCaptureResult.with { $0.sha256 = Data(picture.sha256.bytes) }
      try await node.reply(to: request, .capture(result), index: 2)
      var all: [CaptureStep] = []
      for try await step in steps { all.append(step) }
      #expect(all.count == 2)
      #expect(all.first == .unknown)
      guard case .didFinish(let photo)? = all.last else {
        Issue.record("there is no photo")
        return
      }
      #expect(photo.data == picture)
    }
  }

  @Test func `Unknown events come as unknown, and the others go on`() async throws {
    try await withFakeNode { node, bus in
      let recordings = Topic.event(camera: "cam", kind: .recording)
      let captures = Topic.event(camera: "cam", kind: .capture)
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      try await EventTests.subscribed(node)
      let step = try #require(WireCaptureProgress.Step(rawValue: Self.number))
      let id = RequestID.random()
      for (topic, event) in [
        (captures, .with { $0.camera = "cam" }),
        (
          recordings,
          .with {
            $0.recording.requestID = id.data
          }
        ),
      ] as [(Topic, WireEvent)] {
        try await node.publish(event, on: topic, 1)
      }
      try await node.publish(
        .with {
          $0.capture.requestID = id.data
          $0.capture.progress.step = step
        }, on: captures, 2)
      guard case .event(let first)? = try await events.next(), case .unknown = first.body else {
        Issue.record("an event without a known body does not come")
        return
      }
      #expect(first.camera == "cam")
      #expect(first.kind == .unknown)
      guard case .event(let second)? = try await events.next(),
        case .recording(let recording, .unknown) = second.body
      else {
        Issue.record("an unknown end of a recording does not come")
        return
      }
      #expect(recording.bytes == id.bytes)
      guard case .event(let third)? = try await events.next(),
        case .capture(_, .unknown) = third.body
      else {
        Issue.record("an unknown step of a photo does not come")
        return
      }
    }
  }

  @Test func `Publications of unknown kinds are passed over`() async throws {
    try await withFakeNode { node, bus in
      let topic = Topic.event(camera: "cam", kind: .state)
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      try await EventTests.subscribed(node)
      try await node.publish(EventTests.state(.ready), onTopicNamed: "event/cam/lens/", 1)
      try await node.publish(EventTests.state(.ready), on: topic, 1)
      guard case .event(let event)? = try await events.next() else {
        Issue.record("the event behind it does not come")
        return
      }
      #expect(event.kind == .state)
    }
  }
}
