import CameraClient
import NIOCore
@testable import CameraRig
import Reports
import Testing

@testable import CameraWeb

@Suite(.timeLimit(.minutes(2)))
struct EventsTests {
  private func open(_ web: TestGateway, lastID: String? = nil) async throws -> WebConnection {
    let connection = try web.connect()
    let headers = lastID.map { ["Last-Event-ID": $0] } ?? [:]
    try connection.send(web.request("GET", "/events", headers))
    let head = try await connection.head()
    #expect(head.status == 200)
    #expect(head.headers["content-type"] == "text/event-stream")
    return connection
  }

  private func set(_ web: TestGateway, _ value: Int64) async throws {
    try await withCameraBus(web.controls[0]) { bus in
      _ = try await bus.camera("cam").set([("brightness", .integer(value))], findsEffect: false)
    }
  }

  /// The next change of a control: its id and value.
  private func change(_ connection: WebConnection) async throws -> (id: String, value: Int?) {
    while true {
      let (id, data) = try await connection.event()
      guard data["type"] as? String == "control" else { continue }
      return (id, (data["control"] as? [String: Any])?["value"] as? Int)
    }
  }

  @Test func `A reader begins with how the nodes are, and goes on where it was`() async throws {
    try await TestGateway.run(nodes: 2) { web in
      let first = try await open(web)
      var nodes: Set<String> = []
      while nodes.count < 2 {
        let (_, data) = try await first.event()
        guard data["type"] as? String == "snapshot" else { continue }
        nodes.insert(data["nodeName"] as? String ?? "")
      }
      #expect(nodes == ["n0", "n1"])
      try await set(web, 11)
      let (id, value) = try await change(first)
      #expect(value == 11)
      first.end()
      try await set(web, 12)
      try await set(web, 13)
      let again = try await open(web, lastID: id)
      let (nextID, data) = try await again.event()
      // Without a snapshot, because nothing is lost.
      #expect(data["type"] as? String == "control")
      #expect(nextID != id)
      #expect((data["control"] as? [String: Any])?["value"] as? Int == 12)
      #expect(try await change(again).value == 13)
    }
  }

  @Test(arguments: ["other-3", "nonsense"])
  func `An id of another start is a gap of unknown size`(_ id: String) async throws {
    try await TestGateway.run { web in
      let reader = try await open(web, lastID: id)
      let data = try await reader.event().data
      #expect(data["type"] as? String == "gap")
      #expect(data["missed"] == nil)
    }
  }

  @Test func `A reader that leaves is forgotten`() async throws {
    try await TestGateway.run { web in
      let reader = try await open(web)
      #expect(web.gateway.history.readers == 1)
      reader.end()
      while web.gateway.history.readers > 0 { await Task.yield() }
    }
  }

  @Test func `A reader hears something where nothing happens`() async throws {
    try await TestGateway.run { web in
      let reader = try await open(web)
      _ = try await reader.event()
      web.gateway.history.beat()
      while try await reader.chunk() != Array(":\n\n".utf8) {}
    }
  }

  // MARK: History

  private func awaited(_ number: Int) -> MonitorEvent {
    MonitorEvent(
      node: "n0", body: .awaited(Problem(CameraBusError(.unreachable, "try \(number)"))),
      time: EstimatedTime(moment: .now, error: .zero), isLate: false)
  }

  @Test func `What is no longer kept is a gap with its size, and a snapshot behind it`() throws {
    let history = EventHistory(nodes: ["n0"], limits: .init(events: 3, bytes: 1 << 20))
    for number in 1...5 { history.add(awaited(number)) }
    guard case .events(let events, 5) = history.news(after: 2) else {
      Issue.record("events 3 to 5 are kept")
      return
    }
    #expect(events.count == 3)
    #expect(String(buffer: events[0]).hasPrefix("id: \(history.start)-3\ndata: {"))
    guard case .snapshots(let reports, 5) = history.news(after: 1) else {
      Issue.record("event 2 is lost")
      return
    }
    #expect(reports.map(\.type) == ["gap", "awaited"])
    #expect(reports[0].missed == 4)
    guard case .nothing = history.news(after: 5) else {
      Issue.record("nothing is new")
      return
    }
  }

  @Test func `Bytes are bounded too`() {
    let history = EventHistory(nodes: ["n0"], limits: .init(events: 1000, bytes: 1000))
    for number in 1...100 { history.add(awaited(number)) }
    guard case .events(let events, 100) = history.news(after: 98) else {
      Issue.record("the newest are kept")
      return
    }
    #expect(events.count == 2)
    guard case .snapshots = history.news(after: 90) else {
      Issue.record("older ones are not")
      return
    }
  }

  @Test func `An id names an event of this start only`() {
    let history = EventHistory(nodes: [], start: 35)
    #expect(history.number(ofID: "z-12") == 12)
    for id in ["y-12", "z-", "z--1", "z-1-2", "12", ""] {
      #expect(history.number(ofID: id) == nil)
    }
  }
}
