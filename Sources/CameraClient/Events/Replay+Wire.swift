import CameraProtocol
import SwiftProtobuf
import ZeroMQ

// Events as they are published, and as they are published again.

extension EventFeed.Tracker.Arrival {
  /// An event that this client does not know counts all the same.
  init(_ publication: Publication<ZeroMQ.Message>) {
    self.init(publication, publication.payload.bytes)
  }

  init(_ replayed: Publication<[UInt8]>) {
    self.init(replayed, replayed.payload)
  }

  private init(_ publication: Publication<some Any>, _ payload: [UInt8]) {
    let header = publication.header
    let event = (try? Framing.decode(WireEvent.self, from: payload))
      .flatMap { CameraEvent($0, header) }
    self.init(
      event,
      on: publication.topic.name,
      header.sequence,
      sent: header.sent.monotonicNs
    )
  }
}

extension Publication<[UInt8]> {
  init(replayed wire: WireReplayed) throws(FramingError) {
    try self.init(reading: [Array(wire.topic.utf8), Array(wire.header), Array(wire.payload)]) {
      $0
    }
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
