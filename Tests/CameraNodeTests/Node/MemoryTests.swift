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
