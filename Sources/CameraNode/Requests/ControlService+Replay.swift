import CameraProtocol
import Foundation
import SwiftProtobuf

extension ControlService {
  /// Gives a monitor the events that it lost, as far as they are kept.
  func replay(_ body: WireReplayRequest, id: RequestID) {
    let ranges = body.ranges.map { range in
      EventLog.Range(
        topic: range.topic, numbers: range.first...(range.last == 0 ? .max : range.last))
    }
    let (events, hasMore) =
      events?.log.replay(ranges, upTo: WireLimits.replayByteCount) ?? ([], false)
    let reply = WireReplayReply.with { reply in
      reply.more = hasMore
      reply.events = events.map { event in
        .with {
          $0.topic = event.topic
          $0.header = Data(event.header)
          $0.payload = Data(event.payload)
        }
      }
    }
    finish(id, .replay(reply))
  }
}
