import CameraClient
import CameraProtocol
import Digest
import Foundation
import SwiftProtobuf
import Testing

/// Photos with the frames of a depth camera.
@Suite(.timeLimit(.minutes(5)))
struct DepthTests {
  typealias Change = @Sendable (inout WireCapturedPicture) -> Void

  private static let settings = PhotoSettings(depth: DepthSettings(matte: 0.3...1.2))
  private static let files: [AssetPart?: [UInt8]] = [
    nil: [0xff, 0xd8, 1], .depth: [2, 3, 4], .matte: [5],
  ]

  private static func asset(_ part: AssetPart?, for id: Data, at time: Int64 = 0) -> WireAsset {
    var asset = WireAsset.asset(files[part] ?? [], for: id)
    asset.createdWallNs = time
    switch part {
    case .depth: (asset.camera, asset.part) = ("tof", .depth)
    case .matte: (asset.camera, asset.part) = ("tof", .matte)
    default: asset.part = .unspecified
    }
    return asset
  }

  private static func file(_ part: AssetPart?, for id: Data) -> WirePhotoFile {
    .with {
      $0.mediaType = part == nil ? "image/jpeg" : "image/png"
      $0.asset = asset(part, for: id)
      $0.sha256 = $0.asset.sha256
    }
  }

  private static func result(
    _ request: WireRequest, _ change: Change = { _ in }
  ) -> WireCaptureResult {
    var picture = WireCapturedPicture.with { picture in
      picture.files = [file(nil, for: request.id)]
      picture.depth = .with {
        ($0.camera, $0.differenceNs, $0.resolved.frameSequence) = ("tof", -7, 9)
        $0.map = file(.depth, for: request.id)
        $0.matte = file(.matte, for: request.id)
      }
    }
    change(&picture)
    return .with { $0.pictures = [picture] }
  }

  /// Sends the bytes of the assets that the client asks for, so many of them.
  private func serve(
    _ count: Int, of assets: [WireAsset], _ requests: inout AsyncStream<FakeNode.Incoming>.Iterator,
    _ node: FakeNode
  ) async throws {
    for _ in 0..<count {
      let incoming = await requests.next(isolation: #isolation)
      let download = try #require(incoming)
      let asset = try #require(assets.first { $0.id == download.request.download.asset })
      let bytes = try #require(Self.files.values.first { Data($0.sha256.bytes) == asset.sha256 })
      try await node.chunk(bytes[...], of: bytes.count, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
    }
  }

  @Test func `A photo has its map and its matte, which are downloaded and checked`() async throws {
    try await withFakeNode { node, bus in
      async let taken = bus.camera("cam").capture(.now, Self.settings)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let body = request.request.capture
      #expect(body.inlineLimit == 0, "several files are downloaded")
      #expect(body.depth.matte.nearM == 0.3 && body.depth.matte.farM == 1.2)
      let progress = WireCaptureProgress.with {
        ($0.step, $0.mediaType, $0.part) = (.didProcess, "image/png", .matte)
      }
      try await node.reply(to: request, .captureProgress(progress), index: 1, isFinal: false)
      let result = Self.result(request.request)
      try await node.reply(to: request, .capture(result), index: 2)
      let picture = result.pictures[0]
      let assets = (picture.files + [picture.depth.map, picture.depth.matte]).map(\.asset)
      try await serve(3, of: assets, &requests, node)
      let photo = try await taken
      let depth = try #require(photo.depth)
      #expect(photo.data == Self.files[nil] && photo.files.count == 1)
      #expect(depth.camera == "tof" && depth.difference == .nanoseconds(-7))
      #expect(depth.resolved?.frameSequence == 9)
      #expect(depth.map.data == Self.files[.depth] && depth.map.asset?.part == .depth)
      #expect(depth.matte?.data == Self.files[.matte] && depth.files.count == 2)
    }
  }

  @Test(
    arguments: [
      { $0.clearDepth() }, { $0.depth.clearMap() }, { $0.depth.clearMatte() },
      { $0.depth.map.clearAsset() }, { $0.depth.matte.clearAsset() },
      { $0.depth.camera = "other" }, { $0.depth.map.asset.requestID = Data(count: 16) },
      { $0.depth.matte.sha256 = Data(count: 32) }, { $0.depth.matte.asset.part = .depth },
      { $0.depth.map.asset.part = .unspecified }, { $0.files[0].asset.part = .depth },
      { $0.files.append($0.depth.map) },
    ] as [Change])
  func `Depth that is not what was asked for is refused`(change: @escaping Change) async throws {
    try await expectMisfit(Self.settings, change)
  }

  @Test func `Depth that was not asked for is refused`() async throws {
    try await expectMisfit(PhotoSettings())
    try await expectMisfit(PhotoSettings(depth: DepthSettings()))
  }

  private func expectMisfit(
    _ settings: PhotoSettings, _ change: @escaping Change = { _ in }
  ) async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(.now, settings)
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, .capture(Self.result(request.request, change)))
      #expect(await error?.code == .protocolViolation)
    }
  }

  @Test(arguments: [0.5...0.5, -0.1...1, 1...65.536, 0...(.infinity)])
  func `A matte that cannot be is refused before anything is sent`(
    matte: ClosedRange<Double>
  ) async throws {
    try await withFakeNode { node, bus in
      let error = await failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(
          .now, PhotoSettings(depth: DepthSettings(matte: matte)))
      }
      #expect(error?.code == .invalidArgument && error?.field == "matte")
      var requests = node.requests.makeAsyncIterator()
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `Lost photos are found in the library with the depth of each`() async throws {
    try await withFakeNode { node, bus in
      async let taken = {
        var photos: [Photo] = []
        for try await case .didFinish(let photo) in try bus.camera("cam").burst(2, Self.settings) {
          photos.append(photo)
        }
        return photos
      }()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, .error(WireError(.outcomeUnknown, "it restarted")))
      let question = try #require(await requests.next())
      // The second picture's distances are from before it, and after the first picture.
      let id = request.request.id
      let assets = [
        Self.asset(nil, for: id, at: 200), Self.asset(.matte, for: id, at: 190),
        Self.asset(.depth, for: id, at: 190), Self.asset(.depth, for: id, at: 110),
        Self.asset(.matte, for: id, at: 110), Self.asset(nil, for: id, at: 100),
      ]
      try await node.reply(to: question, .assets(.with { $0.assets = assets }))
      try await serve(6, of: assets, &requests, node)
      let photos = try await taken
      #expect(photos.map { $0.asset?.created.nanoseconds } == [100, 200])
      #expect(photos.map { $0.depth?.map.asset?.created.nanoseconds } == [110, 190])
      #expect(photos.map { $0.depth?.matte?.asset?.created.nanoseconds } == [110, 190])
      #expect(photos.allSatisfy { $0.depth?.camera == "tof" && $0.depth?.resolved == nil })
    }
  }

  @Test func `A photo of which the library has only the depth keeps its unknown outcome`()
    async throws
  {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(.now, PhotoSettings(depth: DepthSettings()))
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, .error(WireError(.outcomeUnknown, "it restarted")))
      let question = try #require(await requests.next())
      let id = request.request.id
      let assets = [Self.asset(.depth, for: id), Self.asset(.matte, for: id)]
      try await node.reply(to: question, .assets(.with { $0.assets = assets }))
      #expect(await error?.code == .outcomeUnknown)
    }
  }
}
