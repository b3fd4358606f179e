import CameraProtocol
import Imaging
import TestSupport
import Testing

extension NodeTests {
  struct EncodingFailureTests {
    @Test func `A stream's status counts frames that cannot be encoded`() async throws {
      let folder = try damagedPictures()
      try await TestNode.run(["cam=files:\(folder.path),@30"]) { test in
        let client = test.client
        // Passed through, the damaged frame is not looked at. Scaled, it has to be decoded.
        await client.subscribe(frames: "frame/cam/full/")
        await client.subscribe(frames: "frame/cam/32x32/")
        let camera = try await client.camera { camera in
          camera.streams.contains { $0.encodingFailed > 2 }
            && camera.streams.contains { $0.published > 2 }
        }
        let scaled = try #require(camera.streams.first { $0.name == "32x32" })
        #expect((scaled.encoded, scaled.published) == (0, 0))
        let full = try #require(camera.streams.first { $0.name == "full" })
        #expect((full.encodingFailed, full.encoded) == (0, 0))
        #expect(!full.hasError)
      }
    }

    @Test func `A stream of which no frame can be encoded says so`() async throws {
      let folder = try damagedPictures()
      try await TestNode.run(["cam=files:\(folder.path),@30"]) { test in
        let client = test.client
        await client.subscribe(frames: "frame/cam/32x32/")
        let camera = try await client.camera { camera in
          camera.streams.contains { $0.name == "32x32" && $0.hasError }
        }
        let scaled = try #require(camera.streams.first { $0.name == "32x32" })
        #expect(scaled.error.code == .encodingFailed)
        #expect(scaled.error.message.contains("libturbojpeg says"))
      }
    }
  }
}

/// A folder with a picture that is whole, but cannot be decoded.
private func damagedPictures() throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  let layout = try ImageLayout(
    size: ImageSize(width: 64, height: 32), pixelFormat: .grey, range: .full)
  let pixels = [UInt8](repeating: 90, count: layout.byteCount)
  let damaged = withoutQuantizationTables(try JPEGEncoder().encode(pixels, layout, quality: 80))
  try folder.write(damaged, to: "a.jpg")
  return folder
}

/// A JPEG that is whole, but cannot be decoded.
private func withoutQuantizationTables(_ jpeg: [UInt8]) -> [UInt8] {
  var (result, index) = (Array(jpeg[..<2]), 2)
  while jpeg[index + 1] != 0xda {
    let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
    if jpeg[index + 1] != 0xdb { result += jpeg[index..<end] }
    index = end
  }
  return result + jpeg[index...]
}
