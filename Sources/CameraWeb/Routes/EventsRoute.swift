import HTTPTypes
import HummingbirdCore
import NIOCore
import Reports

/// What happens on all nodes, as server-sent events (HTML, chapter 9.2). Their data is the JSON of
/// `camctl events --all --json`.
enum EventsRoute {
  static let lastEventID = HTTPField.Name.unchecked("Last-Event-ID")
  /// How long a browser waits before it connects again.
  private static let opening = ByteBuffer(string: "retry: 2000\n\n")
  private static let heartbeat = ByteBuffer(string: ":\n\n")

  static func answer(_ exchange: Exchange, _ gateway: WebGateway) throws(HTTPFailure) -> Answer {
    try exchange.target.requireQuery(of: [])
    let history = gateway.history
    let lastID = exchange.head.headerFields[lastEventID]
    // An id of another start: nobody knows how much is lost.
    let isFromBefore = lastID != nil && lastID.flatMap(history.number) == nil
    let first = lastID.flatMap(history.number)
    let bell = history.join()
    exchange.channel.closeFuture.whenComplete { _ in history.leave(bell) }
    return Answer(
      .ok, [.contentType: "text/event-stream"],
      .stream { writer in
        defer { history.leave(bell) }
        try await writer.write(opening)
        if isFromBefore {
          try await writer.write(buffer(of: EventReport(missedByReader: nil), id: nil))
        }
        var number = first
        while try await bell.next() != nil {
          var isSilent = true
          news: while true {
            switch history.news(after: number) {
            case .events(let events, let last):
              try await writer.write(contentsOf: events)
              number = last
            case .snapshots(let reports, let last):
              let id = "\(history.start)-\(last)"
              for report in reports { try await writer.write(buffer(of: report, id: id)) }
              number = last
            case .nothing: break news
            }
            isSilent = false
          }
          if isSilent { try await writer.write(heartbeat) }
        }
      })
  }

  private static func buffer(of report: EventReport, id: String?) -> ByteBuffer {
    var buffer = ByteBuffer()
    if let id { buffer.writeString("id: \(id)\n") }
    buffer.writeString("data: ")
    buffer.writeBytes(JSONText.data(of: report))
    buffer.writeString("\n\n")
    return buffer
  }
}
