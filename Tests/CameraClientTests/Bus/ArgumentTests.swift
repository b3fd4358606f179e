import CameraClient
import CameraProtocol
import Testing

/// Arguments that no request can have are refused before anything is sent. None is taken for
/// another value.
@Suite(.timeLimit(.minutes(5)))
struct ArgumentTests {
  private typealias Call = @Sendable (Camera) async throws(CameraBusError) -> Void

  private static let calls: [(field: String, call: Call)] = [
    ("interval", lapse(2, .milliseconds(-5))), ("interval", lapse(2, .zero)),
    ("interval", lapse(2, .microseconds(999))), ("interval", lapse(.max, .seconds(1))),
    ("count", lapse(0, .seconds(1))), ("count", lapse(-1, .seconds(1))),
    ("count", { camera throws(CameraBusError) in for try await _ in camera.captureSeries(0) {} }),
    ("count", { camera throws(CameraBusError) in for try await _ in camera.burst(-1) {} }),
    (
      "limit", { camera throws(CameraBusError) in _ = try await camera.bus.assets(limit: -1) }
    ),
    (
      "term",
      { camera throws(CameraBusError) in _ = try await camera.acquireLease(term: .seconds(-1)) }
    ),
    ("term", { camera throws(CameraBusError) in _ = try await camera.acquireLease(term: .zero) }),
    (
      "maximumDuration",
      {
        camera throws(CameraBusError) in
        _ = try await camera.startRecording(maximumDuration: .seconds(-1))
      }
    ),
    ("tolerance", photo(PhotoSettings(tolerance: .zero))),
    ("tolerance", photo(PhotoSettings(tolerance: .milliseconds(-20)))),
    ("dimensions", photo(PhotoSettings(dimensions: FrameSize(width: -5, height: 10)))),
    ("turn", photo(PhotoSettings(turn: Turn(rotation: -90)))),
    (
      "size",
      { camera throws(CameraBusError) in
        _ = try await camera.configure(
          ConfigurationChange(size: FrameSize(width: -1, height: 1)))
      }
    ),
    (
      "quality",
      { camera throws(CameraBusError) in
        _ = try await camera.configure(
          ConfigurationChange(streams: [StreamSettings(.preview, quality: -1)]))
      }
    ),
  ]

  private static func lapse(_ count: Int, _ interval: Duration) -> Call {
    { camera throws(CameraBusError) in
      for try await _ in camera.timeLapse(count, every: interval) {}
    }
  }

  private static func photo(_ settings: PhotoSettings) -> Call {
    { camera throws(CameraBusError) in _ = try await camera.capture(.now, settings) }
  }

  @Test func `A negative interval, limit or size is refused`() async throws {
    try await withFakeNode { node, bus in
      let camera = try bus.camera("cam")
      for (field, call) in Self.calls {
        let error = await failure { () throws(CameraBusError) in try await call(camera) }
        #expect(error?.code == .invalidArgument, "\(field)")
        #expect(error?.field == field)
      }
      var requests = node.requests.makeAsyncIterator()
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `Less than a nanosecond is a limit too`() async throws {
    try await withFakeNode { node, bus in
      async let recording = bus.camera("cam").startRecording(
        maximumDuration: .nanoseconds(1) / 2)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      guard case .recordStart(let body) = request.request.body else {
        Issue.record("it is no recording")
        return
      }
      #expect(body.maximumDurationNs == 1)
      try await node.reply(to: request, .error(WireError(.conflict, "")))
      _ = try? await recording
    }
  }
}
