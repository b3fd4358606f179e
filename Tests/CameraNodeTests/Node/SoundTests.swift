import CameraProtocol
import Capture
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct SoundTests {
    /// Runs `body` with a node that has a camera and these microphones.
    private func withMicrophones(
      _ microphones: [String], camera: String = TestNode.camera,
      _ body: (TestNode) async throws -> Void
    ) async throws {
      let configured = try microphones.map { try MicrophoneConfiguration(argument: $0) }
      try await TestNode.run([camera], configure: { $0.microphones = configured }, body)
    }

    private func soundEvent(
      _ client: TestClient, _ id: RequestID,
      where isWanted: @escaping @Sendable (WireSoundEvent) -> Bool
    ) async throws -> WireSoundEvent {
      try await client.event { event in
        guard case .sound(let sound)? = event.body, sound.recording == id.data, isWanted(sound)
        else { return nil }
        return sound
      }
    }

    @Test(
      arguments: [WireMovieContainer.mp4, .matroska], [WireSoundCodec.unspecified, .opus, .aac])
    func `A movie has the sound of the node's microphone, in step with its pictures`(
      container: WireMovieContainer, codec: WireSoundCodec
    ) async throws {
      try await withMicrophones(["desk=synthetic:drift=300ppm"]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording {
          ($0.container, $0.maximumDurationNs) = (container, 3_500_000_000)
          $0.sound = .with { $0.codec = codec }
        }
        let running = try await client.camera { $0.recording.frames >= 20 }.recording
        let expected: WireSoundCodec =
          codec == .unspecified ? (container == .mp4 ? .aac : .opus) : codec
        #expect(running.microphone == "desk" && running.soundCodec == expected)
        let microphone = try #require(try await client.status().microphones.first)
        #expect(microphone.movies == 1 && microphone.rate == 48_000 && microphone.channels == 1)
        #expect(microphone.device == "synthetic" && !microphone.hasInterruption)
        let result = try await client.finishedRecording(id)
        #expect(result.soundCodec == expected && result.reason == .limitReached)
        // A microphone whose thread waits half a second for a busy machine is silent meanwhile.
        #expect(result.silentNs < 1_000_000_000)
        let path = "\(test.library)/\(result.asset.path)"
        let onsets = Beeps.onsets(in: try Beeps.samples(of: path))
        #expect(onsets.count >= (result.silentNs == 0 ? 3 : 2))
        for onset in onsets where onset > 0.2 {
          let second = Double(result.first.timestamp.monotonicNs) / 1e9 + onset
          #expect(abs(second - second.rounded()) < 0.008, "a beep at \(onset)")
        }
        // Nobody needs it any more.
        let after = try #require(try await client.status().microphones.first)
        #expect(after.movies == 0 && after.rate == 0)
      }
    }

    @Test func `A microphone that is unplugged makes the movie silent, and says so`() async throws {
      try await withMicrophones(["desk=synthetic:lasts=1s"]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording { $0.sound = WireSoundSettings() }
        let gone = try await soundEvent(client, id) { $0.hasInterruption }
        #expect(gone.microphone == "desk" && gone.interruption.reason == .deviceDisconnected)
        #expect(gone.interruption.error.code == .deviceNotFound)
        _ = try await soundEvent(client, id) { !$0.hasInterruption }
        _ = try await client.camera { $0.recording.hasSoundInterruption }
        let result = try await client.stopRecording(id)
        #expect(result.reason == .stopped && result.silentNs > 500_000_000)
      }
    }

    @Test func `A microphone that another program has makes the movie silent`() async throws {
      try await withMicrophones(["desk=synthetic:inuse=on"]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording {
          $0.sound = .with { $0.microphone = "desk" }
        }
        let event = try await soundEvent(client, id) { _ in true }
        #expect(event.interruption.reason == .audioDeviceInUse)
        let status = try await client.camera { $0.recording.frames >= 60 }.recording
        #expect(status.soundInterruption.error.code == .deviceBusy)
        let result = try await client.stopRecording(id)
        #expect(result.soundCodec == .opus && result.silentNs > 0)
      }
    }

    @Test func `A movie that requires sound is refused without, and ends where it stops`()
      async throws
    {
      try await withMicrophones(["desk=synthetic:lasts=1s", "taken=synthetic:inuse=on"]) { test in
        let client = test.client
        try await client.follow()
        let refused = try await client.ask(
          .recordStart(
            .with {
              $0.sound = .with { ($0.microphone, $0.required) = ("taken", true) }
            })
        ).last
        #expect(refused?.error?.code == .deviceBusy)
        #expect(try await client.status().microphones.map(\.movies) == [0, 0])
        let id = try await client.startRecording {
          $0.sound = .with { ($0.microphone, $0.required) = ("desk", true) }
        }
        let result = try await client.finishedRecording(id)
        #expect(result.reason == .soundLost && result.frames > 0)
      }
    }

    @Test func `Which microphone a movie has`() async throws {
      try await withMicrophones(
        ["desk=synthetic", "room=synthetic:channels=2"],
        camera: "cam=synthetic:320x240@60,microphone=room"
      ) { test in
        let client = test.client
        func start(_ name: String) async throws -> WireError? {
          let reply = try await client.ask(
            .recordStart(.with { $0.sound = .with { $0.microphone = name } })
          ).last
          if reply?.error == nil {
            let status = try await client.camera { $0.hasRecording }.recording
            #expect(status.microphone == (name.isEmpty ? "room" : name))
            try await client.letRecord(frames: 5)
            _ = try await client.stopRecording()
          }
          return reply?.error
        }
        #expect(try await start("") == nil)
        #expect(try await start("desk") == nil)
        let unknown = try #require(try await start("hall"))
        #expect(
          unknown.code == .invalidArgument && unknown.field == "record_start.sound.microphone")
        #expect(unknown.message.contains("desk, room"))
        let reply = try await client.ask(.microphones(WireMicrophonesRequest())).last
        guard case .microphones(let list)? = reply?.wire.body else { throw Unexpected(reply) }
        #expect(list.microphones.map(\.name) == ["desk", "room"])
      }
      try await TestNode.run { test in
        let reply = try await test.client.ask(
          .recordStart(.with { $0.sound = WireSoundSettings() })
        ).last
        #expect(reply?.error?.code == .invalidArgument)
        #expect(reply?.error?.message.contains("--microphone") == true)
      }
    }
  }

  struct MicrophoneConfigurationTests {
    @Test(arguments: [
      ("desk", "has no name"), ("a b=synthetic", "is no name for a microphone"),
      ("_node=synthetic", "is no name for a microphone"), ("desk=oss:/dev/dsp", "is no microphone"),
      ("desk=alsa:", "is no microphone"), ("desk=synthetic:rate=1", "8000 to 192000"),
    ])
    func `A mistake in a microphone says what is right`(argument: String, words: String) {
      let error = #expect(throws: ConfigurationError.self) {
        try MicrophoneConfiguration(argument: argument)
      }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `Names of microphones are their own, and a camera's is there`() throws {
      var configuration = try NodeConfiguration.test(
        ["cam=synthetic,microphone=hall"], library: "/tmp/nowhere")
      configuration.microphones = try ["cam=synthetic", "desk=synthetic", "desk=synthetic"].map {
        try MicrophoneConfiguration(argument: $0)
      }
      let mistakes = configuration.microphoneMistakes().map(\.message)
      #expect(mistakes.count == 3)
      for words in [
        "two microphones are named desk", "a camera is named cam too", "no microphone hall",
      ] {
        #expect(mistakes.contains { $0.contains(words) })
      }
    }
  }
}

extension Reply {
  fileprivate var error: WireError? {
    if case .error(let error)? = wire.body { error } else { nil }
  }
}
