import CameraProtocol
import Foundation
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct StartTests {
    /// The message of a node that cannot start.
    private func refusal(_ configuration: NodeConfiguration) async throws -> String {
      let error = try await #require(throws: NodeError.self) {
        let node = try await Node.start(configuration, log: .silent)
        await node.stop()
      }
      #expect(!error.message.contains("\n"))
      return error.message
    }

    @Test(arguments: EndpointKind.allCases)
    func `The error names a port in use, and nothing stays behind`(
      kind: EndpointKind
    ) async throws {
      try await TestNode.run { test in
        let folder = try TemporaryFolder()
        var configuration = try NodeConfiguration.test([TestNode.camera], library: folder.path)
        configuration[kind] = test.node.endpoints.control
        let message = try await refusal(configuration)
        #expect(message.contains(test.node.endpoints.control))
        #expect(message.contains("in use"))
        // The library's lock is free again.
        let node = try await Node.start(
          try .test([TestNode.camera], library: folder.path), log: .silent)
        await node.stop()
      }
    }

    @Test func `A missing camera makes a strict start fail`() async throws {
      let folder = try TemporaryFolder()
      let message = try await refusal(
        try .test([TestNode.camera, "front=v4l2:/dev/video-none"], library: folder.path))
      #expect(message.contains("front"))
      #expect(message.contains("/dev/video-none"))
    }

    @Test func `A node that keeps trying runs without the missing camera`() async throws {
      try await TestNode.run(
        [TestNode.camera, "front=v4l2:/dev/video-none"], configure: { $0.keepsTrying = true }
      ) { test in
        let cameras = try await test.client.status().cameras
        #expect(cameras.map(\.state) == [.running, .interrupted])
        #expect(cameras[1].interruption == .deviceDisconnected)
        #expect(cameras[1].nextAttemptMonotonicNs > 0)
        _ = try #require(try await test.client.photo(.inline { $0.camera = "cam" }).jpeg)
      }
    }

    @Test func `The error names a library that is in use or cannot be opened`() async throws {
      try await TestNode.run { test in
        let message = try await refusal(try .test([TestNode.camera], library: test.library))
        #expect(message.contains(test.library))
        let file = "\(test.library)/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let second = try await refusal(try .test([TestNode.camera], library: file))
        #expect(second.contains(file))
      }
    }

    @Test func `A mistake in the configuration is found before anything is opened`()
      async throws
    {
      let folder = try TemporaryFolder()
      let library = "\(folder.path)/library"
      let message = try await refusal(try .test([], library: library))
      #expect(message.contains("--camera"))
      #expect(!FileManager.default.fileExists(atPath: library))
    }
  }
}
