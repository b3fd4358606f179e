import CameraProtocol
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraClient

@Suite(.timeLimit(.minutes(5)))
struct TimeLapseTests {
  /// Follows a series, and collects what comes of it.
  private static func follow(
    _ series: TimeLapse
  ) async -> (shots: [TimeLapse.Shot], end: CameraBusError?) {
    var shots: [TimeLapse.Shot] = []
    do throws(CameraBusError) {
      for try await shot in series { shots.append(shot) }
      return (shots, nil)
    } catch {
      return (shots, error)
    }
  }

  private static func moment(_ request: FakeNode.Incoming) -> WireCaptureRequest.OneOf_When? {
    if case .capture(let body) = request.request.body { body.when } else { nil }
  }

  @Test func `Moments are counted from the first frame, and go on after a missed one`()
    async throws
  {
    try await withFakeNode { node, bus in
      async let followed = Self.follow(
        bus.camera("cam").timeLapse(4, every: .milliseconds(20), from: .next))
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      #expect(Self.moment(first) == .next(.init()))
      try await CaptureTests.answer(first, by: node)
      for number in 1...3 {
        let request = try #require(await requests.next())
        #expect(Self.moment(request) == .atMonotonicNs(Int64(1 + 20 * number) * 1_000_000))
        if number == 2 {
          try await node.reply(to: request, .error(WireError(.frameUnavailable, "it has gone")))
        } else {
          try await CaptureTests.answer(request, by: node)
        }
      }
      let (shots, end) = try await followed
      #expect(end == nil)
      #expect(shots.map(\.number) == [1, 2, 3, 4])
      #expect(shots.map(\.moment?.nanoseconds) == [nil, 21_000_000, 41_000_000, 61_000_000])
      let errors = shots.map { shot -> CameraBusError.Code? in
        if case .failure(let error) = shot.photo { error.code } else { nil }
      }
      #expect(errors == [nil, nil, .frameUnavailable, nil])
    }
  }

  @Test func `A camera in trouble is asked again until the moment`() async throws {
    try await withFakeNode { node, bus in
      async let followed = Self.follow(bus.camera("cam").timeLapse(2, every: .seconds(4)))
      var requests = node.requests.makeAsyncIterator()
      try await CaptureTests.answer(#require(await requests.next()), by: node)
      let refused = try #require(await requests.next())
      try await node.reply(to: refused, .error(WireError(.deviceNotFound, "unplugged")))
      let again = try #require(await requests.next())
      #expect(again.id != refused.id && Self.moment(again) == Self.moment(refused))
      try await CaptureTests.answer(again, by: node)
      let (shots, end) = try await followed
      #expect(end == nil && shots.count == 2)
      if case .failure? = shots.last?.photo { Issue.record("it was not asked for again") }
    }
  }

  @Test func `A clock that begins anew ends it, and the error says so`() async throws {
    try await withFakeNode { node, bus in
      async let followed = Self.follow(bus.camera("cam").timeLapse(3, every: .milliseconds(20)))
      var requests = node.requests.makeAsyncIterator()
      try await CaptureTests.answer(#require(await requests.next()), by: node)
      let refused = try #require(await requests.next())
      var error = WireError(.invalidArgument, "the moment lies after the request's deadline")
      error.field = "capture.when"
      try await node.reply(to: refused, .error(error))
      let (shots, end) = try await followed
      #expect(shots.count == 1 && end?.message.contains("begin another one") == true)
    }
  }

  @Test func `An error that all photos would have ends it`() async throws {
    try await withFakeNode { node, bus in
      async let followed = Self.follow(
        bus.camera("cam").timeLapse(9, every: .milliseconds(20)))
      var requests = node.requests.makeAsyncIterator()
      try await CaptureTests.answer(#require(await requests.next()), by: node)
      let refused = try #require(await requests.next())
      try await node.reply(to: refused, .error(WireError(.forbidden, "not you")))
      let (shots, end) = try await followed
      #expect(shots.count == 1 && end?.code == .forbidden)
    }
  }

  @Test func `A picture that takes long to come does not shift what follows`() async throws {
    let taken = Recorded<CaptureTime>()
    // Each frame was there at its moment, the picture only when the next one was due.
    let interval = Duration.seconds(600)
    let photo = Photo(
      requestID: Identifier(RequestID.random()), resolved: ResolvedCapture(WireResolvedCapture()),
      files: [PhotoFile(mediaType: "image/jpeg", data: [], asset: nil, sha256: "", layout: nil)])
    let series = TimeLapse(3, every: interval, from: .now) { time, _ in
      taken.add(time)
      return (photo, .now - interval)
    }
    let (shots, end) = await Self.follow(series)
    #expect(shots.count == 3 && end == nil)
    #expect(
      taken.events == [
        .now, .atMonotonic(.init(nanoseconds: 600_000_000_000)),
        .atMonotonic(.init(nanoseconds: 1_200_000_000_000)),
      ])
  }

  @Test func `A photo is asked for before its moment, by the clock since the last one`() {
    let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    var plan = TimeLapsePlan(base: .init(nanoseconds: 77), interval: .seconds(60), reached: start)
    #expect(plan.moment(of: 2).nanoseconds == 60_000_000_077)
    #expect(plan.expected(2) == start + .seconds(60))
    #expect(plan.asks(for: 2) == start + .seconds(55))
    // It was here half a second after its moment; the node's moments stay as they are.
    plan.reached(3, at: start + .milliseconds(120_500))
    #expect(plan.moment(of: 4).nanoseconds == 180_000_000_077)
    #expect(plan.asks(for: 4) == start + .milliseconds(175_500))
    #expect(plan.moment(of: 200_000_000).nanoseconds == .max)
  }
}
