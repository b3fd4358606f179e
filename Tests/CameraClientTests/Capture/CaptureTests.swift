import CameraClient
import CameraProtocol
import Digest
import Foundation
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CaptureTests {
  private static let picture: [UInt8] = [0xff, 0xd8, 1, 2, 3, 0xff, 0xd9]

  @Test func `A photo in the reply has all its steps and its bytes`() async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps(
        .past(.milliseconds(200)), PhotoSettings(quality: 70))
      async let taken = Self.all(steps)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      guard case .capture(let body) = request.request.body else {
        Issue.record("it is no capture")
        return
      }
      #expect(body.when == .pastNs(200_000_000))
      #expect(body.quality == 70)
      #expect(Identifier(request.id) == steps.requestID)
      try await Self.answer(request, by: node)
      let names = try await taken.map(Self.name)
      #expect(names == ["willBegin", "willCapture", "didCapture", "didProcess", "didFinish"])
      guard case .didFinish(let photo)? = try await taken.last else {
        Issue.record("no photo")
        return
      }
      #expect(photo.data == Self.picture)
      #expect(photo.resolved?.frameSequence == 7)
      #expect(photo.resolved?.offset == .nanoseconds(-5))
      #expect(photo.asset == nil)
    }
  }

  @Test(
    arguments: [(.seconds(7200), .seconds(2)), (.seconds(1), .seconds(86_400))]
      as [(Duration, Duration)])
  func `A photo of a later moment waits until then, but no request for more than a day`(
    ahead: Duration, timeout: Duration
  ) async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps(.atWall(.now + ahead), timeout: timeout)
      let taking = Task { try await Self.all(steps) }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next()).request
      taking.cancel()
      _ = try? await taking.value
      let remaining = Duration.nanoseconds(Int64(clamping: request.remainingNs))
      #expect(remaining > ahead && remaining <= .seconds(86_400))
    }
  }

  @Test func `A series takes the frame that was named, and then the next ones`() async throws {
    try await withFakeNode { node, bus in
      async let count = {
        var count = 0
        for try await _ in try bus.camera("cam").captureSeries(3, from: .past(.milliseconds(200))) {
          count += 1
        }
        return count
      }()
      var requests = node.requests.makeAsyncIterator()
      for time in [.pastNs(200_000_000), .next(.init()), .next(.init())]
        as [WireCaptureRequest.OneOf_When]
      {
        let request = try #require(await requests.next())
        guard case .capture(let body) = request.request.body else {
          Issue.record("it is no capture")
          return
        }
        #expect(body.when == time)
        try await Self.answer(request, by: node)
      }
      #expect(try await count == 3)
    }
  }

  @Test func `A photo with the wrong digest is refused`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture()
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await Self.answer(request, by: node, sending: [1, 2, 3])
      #expect(await error?.code == .hashMismatch)
      // The library may have the photo.
      #expect(await error?.requestID == Identifier(request.id))
    }
  }

  @Test func `A photo that is too large for the reply is downloaded`() async throws {
    try await withFakeNode { node, bus in
      async let photo = bus.camera("cam").capture()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let asset = WireAsset.asset(Self.picture, for: request.request.id)
      try await Self.answer(request, by: node, sending: nil, asset: asset)
      let download = try #require(await requests.next())
      try await node.chunk(Self.picture[...], of: Self.picture.count, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
      #expect(try await photo.data == Self.picture)
      #expect(try await photo.asset?.byteCount == UInt64(Self.picture.count))
    }
  }

  @Test func `A photo that is too large to come with the capture says where it is`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture()
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      var asset = WireAsset.asset(Self.picture, for: request.request.id)
      asset.byteCount = 300 << 20
      try await Self.answer(request, by: node, sending: nil, asset: asset)
      #expect(await error?.code == .tooLarge)
      #expect(await error?.requestID == Identifier(request.id))
      let id = try #require(Identifier(bytes: asset.id))
      #expect(await error?.message.contains("download the asset \(id) to a file") == true)
    }
  }

  @Test func `The steps of a photo have one reader, also after it`() async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps()
      let first = Task { try await Self.all(steps) }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await Self.answer(request, by: node)
      #expect(try await first.value.count == 5)
      // A later reader often has the address of one that is gone.
      for _ in 1...20 {
        let error = await failure { () throws(CameraBusError) in _ = try await Self.all(steps) }
        #expect(error?.code == .conflict)
      }
    }
  }

  @Test func `Only the first photo of a series has a tolerance`() async throws {
    try await withFakeNode { node, bus in
      async let count = {
        var count = 0
        let settings = PhotoSettings(tolerance: .milliseconds(20))
        for try await _ in try bus.camera("cam").captureSeries(2, settings) { count += 1 }
        return count
      }()
      var requests = node.requests.makeAsyncIterator()
      for tolerance: UInt64 in [20_000_000, 0] {
        let request = try #require(await requests.next())
        guard case .capture(let body) = request.request.body else {
          Issue.record("it is no capture")
          return
        }
        #expect(body.toleranceNs == tolerance)
        try await Self.answer(request, by: node)
      }
      #expect(try await count == 2)
    }
  }

  @Test func `Cancelling the task cancels the photo at the node`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let photo = Task {
        await failure { () throws(CameraBusError) in _ = try await bus.camera("cam").capture() }
      }
      let request = try #require(await requests.next())
      photo.cancel()
      #expect(await photo.value?.code == .cancelled)
      let cancel = try #require(await requests.next())
      #expect(cancel.request.body == .cancel(.with { $0.request = request.id.data }))
    }
  }

  @Test func `A node that sends too many steps breaks the protocol`() async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      for index in 1...200 {
        try await node.reply(
          to: request, Self.step(.willBegin), index: UInt32(index), isFinal: false)
      }
      // When the status is answered, the client has read all of them.
      try await node.reply(to: request, .error(WireError(.internal, "")), index: 201)
      _ = try await bus.status()
      let error = await failure { () throws(CameraBusError) in _ = try await Self.all(steps) }
      #expect(error?.code == .protocolViolation)
    }
  }

  @Test(arguments: [0, 101, -1])
  func `A quality outside 1 to 100 is refused before it is sent`(quality: Int) async throws {
    try await withFakeNode { _, bus in
      let error = await failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(.now, PhotoSettings(quality: quality))
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.field == "quality")
    }
  }

  @Test(
    arguments: [
      ("time", .past(.seconds(-1)), nil), ("time", .noOlderThan(.nanoseconds(-1)), nil),
      ("timeout", .now, .zero), ("timeout", .atWall(.init(nanoseconds: .max)), .seconds(-1)),
    ] as [(String, CaptureTime, Duration?)])
  func `A photo of a negative age or without time is refused before it is sent`(
    field: String, time: CaptureTime, timeout: Duration?
  ) async throws {
    try await withFakeNode { node, bus in
      let error = await failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(time, timeout: timeout)
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.field == field)
      var requests = node.requests.makeAsyncIterator()
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `A limit that would be none is refused before it is sent`() async throws {
    try await withFakeNode { node, bus in
      let camera = try bus.camera("cam")
      for duration in [Duration.zero, .seconds(-1)] {
        let error = await failure { () throws(CameraBusError) in
          _ = try await camera.startRecording(maximumDuration: duration)
        }
        #expect(error?.field == "maximumDuration")
      }
      let size = await failure { () throws(CameraBusError) in
        _ = try await camera.startRecording(maximumBytes: 0)
      }
      #expect(size?.field == "maximumBytes")
      for rate in [0.0, -1] {
        let error = await failure { () throws(CameraBusError) in
          try await camera.configure(ConfigurationChange(frameRates: rate...rate))
        }
        #expect(error?.field == "frameRates")
      }
      var requests = node.requests.makeAsyncIterator()
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test(arguments: [
    ("connectTimeout", CameraBus.Configuration(connectTimeout: .zero)),
    ("requestTimeout", CameraBus.Configuration(requestTimeout: .seconds(-1))),
  ])
  func `A connection without time is refused`(
    field: String, configuration: CameraBus.Configuration
  ) {
    let error = #expect(throws: CameraBusError.self) {
      try CameraBus(configuration: configuration)
    }
    #expect(error?.field == field)
  }

  @Test func `The timeout of a photo of a later moment starts at that moment`() async throws {
    try await withFakeNode(requestTimeout: .seconds(10)) { node, bus in
      async let photo = bus.camera("cam").capture(.at(Date(timeIntervalSinceNow: 600)))
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let remaining = Duration.nanoseconds(Int64(request.request.remainingNs))
      #expect(remaining > .seconds(590) && remaining <= .seconds(611))
      try await Self.answer(request, by: node)
      _ = try await photo
    }
  }

  // MARK: The node's part

  static func answer(
    _ request: FakeNode.Incoming,
    by node: FakeNode,
    sending bytes: [UInt8]? = picture,
    asset: WireAsset? = nil
  ) async throws {
    let progress: [WireCaptureProgress.Step] = [.willBegin, .willCapture, .didCapture, .didProcess]
    for (index, step) in progress.enumerated() {
      try await node.reply(
        to: request,
        Self.step(step),
        index: UInt32(index + 1),
        isFinal: false,
        attachment: step == .didProcess ? bytes : nil
      )
    }
    let result = WireCaptureResult.with {
      $0.resolved = resolved
      $0.sha256 = Data(picture.sha256.bytes)
      $0.byteCount = UInt64(picture.count)
      if let asset { $0.asset = asset }
    }
    try await node.reply(to: request, .capture(result), index: 5)
  }

  private static let resolved = WireResolvedCapture.with {
    $0.frameSequence = 7
    $0.timestamp.monotonicNs = 1_000_000
    $0.offsetNs = -5
  }

  private static func step(_ step: WireCaptureProgress.Step) -> WireReply.OneOf_Body {
    .captureProgress(
      .with {
        $0.step = step
        if step == .didCapture || step == .didProcess { $0.resolved = resolved }
      }
    )
  }

  private static func all(_ steps: CaptureSequence) async throws(CameraBusError) -> [CaptureStep] {
    var all: [CaptureStep] = []
    for try await step in steps { all.append(step) }
    return all
  }

  private static func name(_ step: CaptureStep) -> String {
    switch step {
    case .willBegin: "willBegin"
    case .willCapture: "willCapture"
    case .didCapture: "didCapture"
    case .didProcess: "didProcess"
    case .didRecordMovie: "didRecordMovie"
    case .didFinish: "didFinish"
    case .unknown: "unknown"
    }
  }
}

extension [UInt8] {
  var sha256: SHA256Digest { unsafe SHA256.hash(of: span.bytes) }
}

extension WireAsset {
  /// An asset of these bytes.
  /// An asset of the camera "cam".
  static func asset(_ bytes: [UInt8], for requestID: Data = Data()) -> WireAsset {
    .with {
      $0.id = RequestID.random().data
      $0.camera = "cam"
      $0.requestID = requestID
      $0.byteCount = UInt64(bytes.count)
      $0.sha256 = Data(bytes.sha256.bytes)
    }
  }
}
