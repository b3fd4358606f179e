import CameraProtocol
import Testing
import ZeroMQ

@testable import CameraNode

struct SubscriptionTableTests {
  private typealias Table = SubscriptionTable<Int>

  /// A table in which each prefix is the subscription of another connection, numbered from 1.
  private func table(_ prefixes: String...) -> Table {
    var table = Table()
    for (index, prefix) in prefixes.enumerated() { begin(prefix, index + 1, &table) }
    return table
  }

  private func begin(_ prefix: String, _ connection: Int, _ table: inout Table) {
    #expect(table.apply(Subscription(Array(prefix.utf8)), of: connection) == nil)
  }

  private func end(_ prefix: String, _ connection: Int, _ table: inout Table) {
    let change = Subscription(Array(prefix.utf8), isBeginning: false)
    #expect(table.apply(change, of: connection) == nil)
  }

  @Test func `A topic's subscribers are those of all its prefixes`() {
    let table = table("", "frame/", "frame/cam/raw/", "frame/cam/raw/", "frame/other/", "event/")
    #expect(table.subscribers(of: "frame/cam/raw/") == 4)
    #expect(table.subscribers(of: "frame/cam/full/") == 2)
    #expect(table.subscribers(of: "heartbeat/") == 1)
  }

  @Test func `An ended subscription no longer counts`() {
    var table = table("frame/cam/raw/", "frame/cam/raw/")
    end("frame/cam/raw/", 1, &table)
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
    end("frame/cam/raw/", 2, &table)
    #expect(table.subscribers(of: "frame/cam/raw/") == 0)
    begin("frame/cam/raw/", 1, &table)
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
  }

  @Test func `A connection cannot end what it has not begun`() {
    var table = table("frame/cam/raw/")
    end("frame/cam/raw/", 2, &table)
    end("frame/cam/full/", 1, &table)
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
  }

  @Test func `A subscription that a connection repeats counts once`() {
    var table = table("frame/cam/raw/")
    for _ in 0..<3 { begin("frame/cam/raw/", 1, &table) }
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
    end("frame/cam/raw/", 1, &table)
    #expect(table.subscribers(of: "frame/cam/raw/") == 0)
  }

  @Test func `The subscriptions of an ended connection do not count`() {
    var table = table("frame/cam/raw/", "frame/cam/raw/")
    begin("frame/cam/full/", 1, &table)
    let ended = table.removeConnections { $0 == 1 }
    let endedAgain = table.removeConnections { $0 == 1 }
    #expect(ended && !endedAgain)
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
    #expect(table.subscribers(of: "frame/cam/full/") == 0)
  }

  @Test func `A connection with too many subscriptions has to end`() {
    var table = Table(limits: .init(perConnection: 2, total: 100))
    for prefix in ["a", "b", "b"] { begin(prefix, 1, &table) }
    begin("a", 2, &table)
    #expect(table.apply(Subscription([0]), of: 1) == 1)
    #expect(table.subscribers(of: "a") == 1, "what it had subscribed to is gone")
  }

  @Test func `If all have too many subscriptions, the connection with the most has to end`() {
    var table = Table(limits: .init(perConnection: 100, total: 3))
    for prefix in ["a", "b"] { begin(prefix, 1, &table) }
    begin("a", 2, &table)
    #expect(table.apply(Subscription(Array("a".utf8)), of: 3) == 1)
    #expect(table.subscribers(of: "a") == 2)
    begin("b", 3, &table)
  }

  @Test(arguments: ["", "f", "frame/", "frame/cam", "frame/cam/", "frame/cam/preview"])
  func `A prefix asks for the preview only`(prefix: String) {
    #expect(table(prefix).wantedStreams(of: "cam") == [.preview])
  }

  @Test(arguments: [
    ("frame/cam/preview/", StreamName.preview), ("frame/cam/full/", .full),
    ("frame/cam/raw/", .raw), ("frame/cam/320x240/", .size(width: 320, height: 240)),
  ])
  func `A complete topic asks for its stream`(topic: String, stream: StreamName) {
    #expect(table(topic).wantedStreams(of: "cam") == [stream])
  }

  @Test func `The first sizes of all connections come before the second of any`() {
    var table = Table()
    for size in ["20x20", "30x30", "40x40"] { begin("frame/cam/\(size)/", 1, &table) }
    begin("frame/cam/raw/", 2, &table)
    for size in ["30x30", "50x50", "60x60"] { begin("frame/cam/\(size)/", 2, &table) }
    let names = table.wantedStreams(of: "cam").map(\.description)
    #expect(names == ["raw", "20x20", "30x30", "50x50", "40x40", "60x60"])
  }

  @Test(arguments: [
    "frame/other/raw/", "event/cam/state/", "frame/cam/full", "frame/cam/9x9/", "frame/cam/raw//",
    "frame/cam/preview/x", "\u{FFFD}",
  ])
  func `Other topics ask for nothing of the camera`(topic: String) {
    #expect(table(topic).wantedStreams(of: "cam").isEmpty)
  }
}
