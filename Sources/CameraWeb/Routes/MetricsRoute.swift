import Reports

/// What Prometheus learns of the nodes and of the gateway.
enum MetricsRoute {
  static func answer(_ exchange: Exchange, _ gateway: WebGateway) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let families =
      NodeMetrics.families(of: await gateway.nodes.statuses()) + ofGateway(gateway)
    return Answer(type: "text/plain; version=0.0.4; charset=utf-8", families.text)
  }

  private static func ofGateway(_ gateway: WebGateway) -> [MetricFamily] {
    let counters = gateway.connections.counters
    var open = MetricFamily("web_connections", .gauge, "The connections of the gateway.")
    open.add(counters.open, [:])
    var accepted = MetricFamily(
      "web_accepted_connections_total", .counter, "Connections that the gateway accepted.")
    accepted.add(counters.accepted, [:])
    var refused = MetricFamily(
      "web_refused_connections_total", .counter,
      "Connections that the gateway closed at once because there were too many.")
    refused.add(counters.refused, [:])
    var stalled = MetricFamily(
      "web_stalled_connections_total", .counter,
      "Connections that the gateway closed because their visitor was too slow.")
    stalled.add(counters.stalled, [:])
    var sent = MetricFamily("web_sent_bytes_total", .counter, "Bytes of the answers' bodies.")
    sent.add(counters.sentBytes, [:])
    var requests = MetricFamily(
      "web_requests_total", .counter, "Requests that the gateway answered.")
    for (key, count) in gateway.requests.counts.sorted(by: { $0.key < $1.key }) {
      requests.add(count, ["route": key.route, "code": "\(key.code)"])
    }
    var viewers = MetricFamily(
      "web_stream_viewers", .gauge, "The browsers that show a stream.")
    let streams = gateway.streams.viewers.map { source, count in
      (source, count)
    }.sorted {
      ($0.0.node, $0.0.camera, "\($0.0.stream)") < ($1.0.node, $1.0.camera, "\($1.0.stream)")
    }
    for (source, count) in streams {
      viewers.add(
        count, ["node": source.node, "camera": source.camera, "stream": "\(source.stream)"])
    }
    var replaced = MetricFamily(
      "web_replaced_pictures_total", .counter,
      "Pictures that were not sent because a browser was too slow for them.")
    replaced.add(gateway.streams.replaced, [:])
    var readers = MetricFamily("web_event_readers", .gauge, "The readers of events.")
    readers.add(gateway.history.readers, [:])
    return [open, accepted, refused, stalled, sent, requests, viewers, replaced, readers]
  }
}
