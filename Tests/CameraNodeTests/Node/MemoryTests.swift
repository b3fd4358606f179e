import CameraProtocol
import Capture
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// What a node keeps of the changes of clients, and when.
  struct MemoryTests {
    private func set(_ settings: [(String, Int64)]) -> WireRequest.OneOf_Body {
      .controlsSet(
        .with {
          $0.settings = settings.map { id, value in
            .with {
              $0.id = id
              $0.value = .with { $0.integer = value }
            }
          }
        })
    }

    /// Runs `body` with a node that remembers a device, which it has adopted.
    /// - Parameter onSet: Called with the camera's file before a control of the device is set.
    private func run(
      onSet: @escaping @Sendable (_ file: WireRemembered?) -> Void,
      _ body: (TestClient, _ file: () throws -> WireRemembered) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/cam.json"
      let machine = try TestMachine(["a"]) { call, _ in
        guard call == "set" else { return }
        let data = try? Data(contentsOf: URL(fileURLWithPath: path))
        onSet(data.flatMap { try? WireRemembered(jsonUTF8Bytes: $0) })
      }
      let rule = try AdoptionRule(argument: "cam=driver=test")
      try await TestNode.run(
        [],
        configure: {
          $0.finder = machine
          $0.adoptions = [rule]
          $0.remembers = true
          $0.state = folder.path
        }
      ) { test in
        try await body(test.client) {
          try WireRemembered(jsonUTF8Bytes: try folder.read("cam.json"))
        }
      }
    }

    private func setting(_ id: String, _ value: Int64) -> WireRemembered.Setting {
      .with {
        $0.id = id
        $0.value = .with { $0.integer = value }
      }
    }

    @Test func `Before a control is set the first time the disk has what it was`() async throws {
      let files = Recorded<WireRemembered?>()
      try await run(onSet: { files.add($0) }) { client, file in
        _ = try await client.ask(set([("brightness", 7), ("contrast", 9)]))
        #expect(files.events.count == 2)
        for before in files.events {
          #expect(before?.undo.device == "a" && before?.settings == [])
          #expect(
            before?.undo.settings == [setting("brightness", 128), setting("contrast", 128)])
        }
        #expect(try file().settings == [setting("brightness", 7), setting("contrast", 9)])
        #expect(try !file().hasUndo)

        // The next start puts these back, whatever the driver has then.
        _ = try await client.ask(set([("brightness", 8)]))
        #expect(files.events.last??.hasUndo == false)
        #expect(try file().settings == [setting("contrast", 9), setting("brightness", 8)])
      }
    }

    @Test(.enabled(if: FrozenDisk.canBeMade, "only root may freeze a disk"))
    func `A disk that does not answer keeps nobody waiting, and the node can be stopped`()
      async throws
    {
      let disk = try FrozenDisk()
      defer { disk.unmount() }
      try await TestNode.run(
        [TestNode.camera],
        configure: {
          $0.remembers = true
          $0.state = "\(disk.folder.path)/state"
        }
      ) { test in
        let client = test.client
        try disk.freeze()
        defer { disk.thaw() }
        let change = set([("brightness", 7)])
        let answer = try await client.ask(change).last?.wire.body
        guard case .controls? = answer else { throw Unexpected(answer) }
        #expect(try await client.camera().remembered.problem.contains("does not answer"))
        let photo = try await client.ask(.capture(WireCaptureRequest())).last?.wire.body
        guard case .capture? = photo else { throw Unexpected(photo) }
        disk.thaw()
        let later = try await client.ask(set([("brightness", 8)])).last?.wire.body
        guard case .controls? = later else { throw Unexpected(later) }
        #expect(try await client.camera().remembered.problem.isEmpty)
      }
    }

    @Test func `A change that fails leaves nothing on the disk`() async throws {
      try await run(onSet: { _ in }) { client, file in
        _ = try await client.ask(set([("brightness", 7)]))
        let before = try file()
        let answer = try await client.ask(set([("contrast", 9), ("nothing", 1)])).last?.wire.body
        guard case .error(let error)? = answer else { throw Unexpected(answer) }
        #expect(error.code == .noSuchControl)
        #expect(try file() == before)
        let status = try await client.camera()
        #expect(status.remembered == before)
      }
    }
  }
}
