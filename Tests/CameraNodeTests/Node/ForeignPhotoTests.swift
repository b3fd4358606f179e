import CameraProtocol
import EventLoop
import Logging
import MediaLibrary
import TestSupport
import Testing
import Words

@testable import CameraNode

extension NodeTests {
  struct ForeignPhotoTests {
    @Test func `A photo that another version has kept stays kept, and the log says why`()
      async throws
    {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/library"
      let loop = EventLoop(name: "other-version")
      defer { loop.stop() }
      let library = try MediaLibrary(folder: path, loop: loop)
      _ = try await library.open()
      let kept = Array("CameraBus photo 2\nwhat only version 2 knows".utf8)
      _ = try await library.storeProxy(
        [UInt8](repeating: 1, count: 10), keeping: kept,
        AssetDescription(camera: "cam", mediaType: .jpeg, width: 1, height: 1, createdAt: 0))
      await library.close()
      let lines = Recorded<String>()
      try await TestNode.run(configure: { $0.library = path }, log: .adding(to: lines)) { test in
        await lines.wait { $0.contains { $0.contains("has version 2") } }
        let (assets, kept) = (try await test.client.assets(), try test.kept())
        #expect(assets.map(\.deferral) == [.pending] && kept.count == 1)
        #expect(try await test.client.deferred() == 1)
      }
    }
  }
}
