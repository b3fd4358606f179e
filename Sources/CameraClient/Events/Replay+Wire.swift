import CameraProtocol
import SwiftProtobuf

// Events as they are published, and as they are replayed.

extension EventFeed.Tracker.Arrival {
  /// What an event takes in memory in addition to its bytes, about.
  private static var overhead: Int { 256 }

  /// An event that this client cannot read still counts.
  init(_ publication: Publication, _ payload: [UInt8]) {
    let header = publication.header
    let event = (try? Framing.decode(WireEvent.self, from: payload))
      .flatMap { CameraEvent($0, header) }
    self.init(
      event, on: publication.topic.name, header.sequence, sent: header.sent.monotonic,
      byteCount: payload.count + Self.overhead)
  }

  /// Nil for everything but a publication of this start of the node.
  init?(_ replayed: WireReplayed, of epoch: Epoch) {
    let (topic, header) = (Array(replayed.topic.utf8), Array(replayed.header))
    let publication = try? unsafe Publication(topic: topic.span.bytes, header: header.span.bytes)
    guard let publication, publication.header.epoch == epoch else { return nil }
    self.init(publication, Array(replayed.payload))
  }
}

extension WireReplayRequest {
  init(_ ranges: [EventRange]) {
    self.init()
    self.ranges = ranges.map { range in
      .with {
        $0.topic = range.topic
        $0.first = range.numbers.lowerBound
        $0.last = range.numbers.upperBound - 1
      }
    }
  }
}
