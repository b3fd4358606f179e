import CameraProtocol
import Testing
import ZeroMQ

@testable import CameraNode

struct SubscriptionTableTests {
  private func table(_ prefixes: String...) -> SubscriptionTable {
    var table = SubscriptionTable()
    for prefix in prefixes { table.apply(Subscription(Array(prefix.utf8))) }
    return table
  }

  private func end(_ prefix: String) -> Subscription {
    Subscription(Array(prefix.utf8), isBeginning: false)
  }

  @Test func `A topic's subscribers are those of all its prefixes`() {
    let table = table("", "frame/", "frame/cam/raw/", "frame/cam/raw/", "frame/other/", "event/")
    #expect(table.subscribers(of: "frame/cam/raw/") == 4)
    #expect(table.subscribers(of: "frame/cam/full/") == 2)
    #expect(table.subscribers(of: "heartbeat/") == 1)
  }

  @Test func `An ended subscription no longer counts, and an unknown one changes nothing`() {
    var table = table("frame/cam/raw/", "frame/cam/raw/")
    table.apply(end("frame/cam/raw/"))
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
    table.apply(end("frame/cam/raw/"))
    table.apply(end("frame/cam/raw/"))
    table.apply(end("frame/cam/full/"))
    #expect(table.subscribers(of: "frame/cam/raw/") == 0)
    #expect(table.wantedStreams(of: "cam").isEmpty)
    table.apply(Subscription(Array("frame/cam/raw/".utf8)))
    #expect(table.subscribers(of: "frame/cam/raw/") == 1)
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

  @Test(arguments: [
    "frame/other/raw/", "event/cam/state/", "frame/cam/full", "frame/cam/9x9/", "frame/cam/raw//",
    "frame/cam/preview/x", "\u{FFFD}",
  ])
  func `Other topics ask for nothing of the camera`(topic: String) {
    #expect(table(topic).wantedStreams(of: "cam").isEmpty)
  }

  @Test func `Prefixes longer than any topic are not kept`() {
    var table = table(String(repeating: "x", count: Topic.maximumByteCount + 1))
    #expect(table == SubscriptionTable())
    table.apply(end(String(repeating: "x", count: Topic.maximumByteCount + 1)))
    #expect(table == SubscriptionTable())
  }
}
