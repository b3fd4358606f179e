import CameraNode
import CameraProtocol
import CaptureSynthetic
import Foundation
import Imaging
import SwiftProtobuf
import TestSupport
import Testing

extension NodeTests {
  /// The files that photos become.
  struct PhotoFileTests {
    private static let bayer =
      "cam=synthetic:320x240@60,format=RGGB,gps=47.5/-8.25/408,lens=4.2mm/f2.8"

    /// The beginning of each format's files.
    private static func begins(_ bytes: [UInt8], as mediaType: String) -> Bool {
      switch mediaType {
      case "image/jpeg": bytes.starts(with: [0xff, 0xd8, 0xff, 0xe1])
      case "image/png": bytes.starts(with: [0x89] + Array("PNG".utf8))
      case "image/tiff", "image/x-adobe-dng": bytes.starts(with: Array("II*\0".utf8))
      case "image/avif": bytes[4...].starts(with: Array("ftypavif".utf8))
      case "image/heic": bytes[4...].starts(with: Array("ftyphei".utf8))
      default: mediaType == "image/x-raw"
      }
    }

    @Test func `A photo becomes each file that is asked for, all of one frame`() async throws {
      let formats: [WirePhotoFormat] = [.raw, .dng, .jpeg, .tiff, .png, .avif, .heic]
      let types = [
        "image/x-raw", "image/x-adobe-dng", "image/jpeg", "image/tiff", "image/png", "image/avif",
        "image/heic",
      ]
      try await TestNode.run([Self.bayer], configure: { $0.encodesPhotos() }) { test in
        let id = RequestID.random()
        let photo = try await test.client.photo(.outputs(formats), id: id)
        #expect(
          photo.steps.prefix(3).map(\.step) == [.willBegin, .willCapture, .didCapture])
        let processed = photo.steps.dropFirst(3)
        #expect(processed.allSatisfy { $0.step == .didProcess })
        #expect(Set(processed.map(\.file)) == Set(1...7))
        let settings = try #require(photo.steps.first?.settings)
        #expect(settings.files.map(\.mediaType) == types)

        let picture = try #require(photo.result.pictures.first)
        #expect(photo.result.pictures.count == 1)
        #expect(picture.resolved == photo.result.resolved)
        #expect(picture.files.map(\.mediaType) == types)
        #expect(photo.result.asset == picture.files[0].asset)
        #expect(Set(picture.files.map(\.asset.id)).count == 7)
        #expect(try await test.client.assets().count == 7)
        for (index, file) in picture.files.enumerated() {
          #expect(file.asset.mediaType == types[index])
          #expect(file.asset.requestID == id.data)
          #expect(file.asset.createdWallNs == picture.resolved.timestamp.wallNs)
          let bytes = try test.file(file.asset.path)
          #expect(sha256(bytes) == file.sha256 && UInt64(bytes.count) == file.byteCount)
          #expect(Self.begins(bytes, as: file.mediaType), "\(file.mediaType)")
          #expect((file.size.width, file.size.height) == (320, 240))
          let step = try #require(processed.first { $0.file == index + 1 })
          #expect(step.byteCount == file.byteCount && step.mediaType == file.mediaType)
        }

        // The raw bytes are those of the frame, and their layout says how to read them.
        let raw = picture.files[0]
        #expect(raw.layout == raw.asset.layout && raw.layout == photo.result.layout)
        #expect(raw.layout.pixelFormat == "RGGB" && raw.layout.bytesPerLine == 320)
        let layout = try ImageLayout(
          size: ImageSize(width: 320, height: 240), pixelFormat: .bayerRGGB8)
        let frame = try test.file(raw.asset.path)
        let strip = unsafe FrameStrip.read(frame.span.bytes, layout: layout)
        #expect(strip?.number == picture.resolved.frameSequence)
        #expect(
          try DecodedPhoto(test.file(picture.files[2].asset.path)).strip?.number
            == picture.resolved.frameSequence)
      }
    }

    @Test func `What is known about a photo is in its files, and nothing else`() async throws {
      try await TestNode.run([Self.bayer]) { test in
        let id = RequestID.random()
        let photo = try await test.client.photo(.outputs([.jpeg, .tiff, .dng, .png]), id: id)
        for file in photo.result.pictures[0].files {
          let text = String(decoding: try test.file(file.asset.path), as: Unicode.ASCII.self)
          for fact in [
            "<camerabus:camera>cam</camerabus:camera>",
            "<camerabus:requestID>\(id)</camerabus:requestID>",
            "<camerabus:frameNumber>\(photo.result.resolved.frameSequence)</camerabus:frameNumber>",
            "<camerabus:monotonicTime>\(photo.result.resolved.timestamp.monotonicNs)</camerabus:monotonicTime>",
            "<camerabus:timestampMarks>exposureStart</camerabus:timestampMarks>",
            "CameraBus \(Release.version)", "Synthetic camera", "MANUAL",
          ] {
            #expect(text.contains(fact), "\(file.mediaType): \(fact)")
          }
          // ImageUniqueID.
          #expect(text.components(separatedBy: "\(id)").count == 3, "\(file.mediaType)")
          #expect(!text.contains("camerabus:burst") && !text.contains("camerabus:gain"))
        }
      }
    }

    @Test func `A picture of distances says what its numbers mean`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=Z16"]) { test in
        let photo = try await test.client.photo(.outputs([.png]))
        let png = String(
          decoding: try test.file(photo.result.asset.path), as: Unicode.ASCII.self)
        #expect(png.contains("tEXtDepthUnit\0metre") && png.contains("tEXtDepthScale\00.001"))
      }
    }

    @Test func `The camera's own JPEG keeps its picture`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=MJPG"]) { test in
        // Before the first frame nobody knows how it is to be turned.
        _ = try await test.client.camera { $0.readiness == .ready }
        let photo = try await test.client.photo(.outputs([.jpeg, .raw]))
        #expect(photo.result.resolved.passthrough)
        #expect(photo.steps.first?.settings.files.map(\.passthrough) == [true, false])
        let files = photo.result.pictures[0].files
        let (jpeg, raw) = try (test.file(files[0].asset.path), test.file(files[1].asset.path))
        #expect(jpeg.count > raw.count)
        let picture = unsafe JPEGFactSegments.removed(from: jpeg.span.bytes)
        #expect(picture == raw)
        #expect(files[1].layout.pixelFormat == "MJPG" && files[1].layout.bytesPerLine == 0)

        var output = WireCaptureRequest.Output()
        output.quality = 40
        output.reencode = true
        let encoded = try await test.client.photo(.with { [output] in $0.outputs = [output] })
        #expect(!encoded.result.resolved.passthrough && encoded.result.resolved.quality == 40)
      }
    }

    /// The sizes of a photo's files.
    private static func sizes(
      _ request: WireCaptureRequest, _ client: TestClient
    ) async throws -> [[UInt32]] {
      let photo = try await client.photo(request)
      return photo.result.pictures[0].files.map { [$0.size.width, $0.size.height] }
    }

    @Test func `A photo is turned, tagged, scaled and cropped as it asks`() async throws {
      try await TestNode.run { test in
        let client = test.client
        _ = try await client.ask(
          .configure(.with { $0.capture = .with { $0.rotation = 180 } }))
        var plain = WireCaptureRequest.outputs([.jpeg, .tiff, .raw])
        #expect(try await Self.sizes(plain, client) == [[320, 240], [320, 240], [320, 240]])
        plain.orientation.rotation = 90
        #expect(try await Self.sizes(plain, client) == [[240, 320], [240, 320], [320, 240]])
        var small = plain
        small.dimensions.width = 100
        small.dimensions.height = 60
        #expect(try await Self.sizes(small, client) == [[100, 60], [100, 60], [320, 240]])
        plain.orientationTag = true
        #expect(try await Self.sizes(plain, client) == [[320, 240], [320, 240], [320, 240]])
        let tagged = try await client.photo(
          .outputs([.jpeg]) { request in
            request.orientation.mirrored = true
            request.orientationTag = true
          })
        let jpeg = try test.file(tagged.result.asset.path)
        // Orientation, one SHORT: 4 is upside down, as the camera is configured, and mirrored.
        #expect(jpeg.containsSequence([0x12, 0x01, 3, 0, 1, 0, 0, 0, 4, 0]))
        #expect(!tagged.result.resolved.hasOrientation)
      }
    }

    @Test func `A cropped photo shows the middle, without distortion`() async throws {
      try await TestNode.run(["cam=synthetic:640x240@60,format=RGB3"]) { test in
        let photo = try await test.client.photo(
          .outputs([.jpeg]) { $0.dimensions = Self.size(120, 120) })
        let jpeg = try test.file(photo.result.asset.path)
        let (size, pixels) = try unsafe JPEGDecoder().decodeRGB(jpeg.span.bytes)
        #expect(size == ImageSize(width: 120, height: 120))
        // Of eight bars of 80 pixels each the middle three remain, from 200 to 440: half a bar,
        // two whole ones and half a bar.
        let bars = [8, 40, 80, 112].map { x in
          (0..<3).map { pixels[3 * (120 * 40 + x) + $0] > 96 }
        }
        #expect(
          bars == [
            [false, true, true], [false, true, false], [true, false, true], [true, false, false],
          ])
      }
    }

    private static func size(_ width: UInt32, _ height: UInt32) -> WireSize {
      var size = WireSize()
      size.width = width
      size.height = height
      return size
    }

    @Test func `What cannot be made is refused, and nothing is taken`() async throws {
      try await TestNode.run { test in
        for formats in [[WirePhotoFormat.dng], [.jpeg, .dng]] {
          let error = try await test.client.error(.capture(.outputs(formats)))
          #expect((error.code, error.field) == (.unsupportedFormat, "capture.outputs"))
        }
        let large = try await test.client.error(
          .capture(.outputs([.png]) { $0.dimensions = Self.size(322, 2) }))
        #expect((large.code, large.field) == (.invalidArgument, "capture.dimensions"))
        #expect(try await test.client.assets().isEmpty)
      }
    }

    @Test func `Without an encoder AVIF fails, and what was made is kept`() async throws {
      try await TestNode.run { test in
        let capabilities = try await test.client.capabilities()
        #expect(
          capabilities.pictures.filter { !$0.switchesFormat }.map(\.mediaType) == [
            "image/jpeg", "image/png", "image/tiff", "image/x-raw",
          ])
        let error = try await test.client.error(.capture(.outputs([.avif])))
        #expect(error.code == .encodingFailed)
      }
    }

    @Test func `A node that stops while a photo is encoded ends its encoder too`() async throws {
      try await TestNode.run(
        ["cam=synthetic:3840x2160@10,format=YUYV"], configure: { $0.encodesPhotos() }
      ) { test in
        let id = RequestID.random()
        try await test.client.send(.capture(.outputs([.heic])), id: id)
        _ = try await test.client.progress(id) { $0?.captureStep == .didCapture ? true : nil }
        await test.node.stop()
      }
    }
  }
}

extension WireCaptureRequest {
  static func outputs(
    _ formats: [WirePhotoFormat], _ edit: (inout WireCaptureRequest) -> Void = { _ in }
  ) -> WireCaptureRequest {
    .with {
      $0.outputs = formats.map { format in .with { $0.format = format } }
      edit(&$0)
    }
  }
}

extension [UInt8] {
  fileprivate func containsSequence(_ part: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
