import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct AssetTests {
    @Test func `An asset is found by its id, by its request and by its camera`() async throws {
      let cameras = ["left=synthetic:160x120@30", "right=synthetic:160x120@30"]
      try await TestNode.run(cameras) { test in
        let client = test.client
        let id = RequestID.random()
        let left = try await client.photo(.with { $0.camera = "left" }, id: id).result.asset
        let right = try await client.photo(.with { $0.camera = "right" }).result.asset
        #expect(try await client.assets { $0.id = left.id } == [left])
        #expect(try await client.assets { $0.requestID = id.data } == [left])
        #expect(try await client.assets { $0.requestID = RequestID.random().data }.isEmpty)
        #expect(try await client.assets { $0.camera = "right" } == [right])
        #expect(
          try await client.assets {
            $0.camera = "right"
            $0.id = left.id
          }.isEmpty)
      }
    }
  }
}
