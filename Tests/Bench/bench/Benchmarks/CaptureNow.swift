/// Measures a photo of now, from the request (or the exposure, if that is later) until the client
/// has the bytes.
struct CaptureNow: Benchmark {
  let name = "capture-now"
  private static let rate = 30

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let count = workplace.isShort ? 30 : 200
    var rows: [Row] = []
    for picture in [Picture.small, .yuyv] {
      let title = picture.isRaw ? picture.name : "MJPG \(picture.name)"
      let compared = try await compare(
        workplace, title,
        [
          Metric(key: "p50", name: "p50", unit: "ms", scale: 1e6),
          Metric(key: "p99", name: "p99", unit: "ms", scale: 1e6),
          Metric(
            key: "near", name: "within half a frame, of \(count)", unit: "photos",
            target: .atLeast(Double(count))),
        ],
        ours: {
          let node = try Node(workplace, picture, rate: Self.rate)
          return try Child(
            workplace.bench,
            [
              "capture", "--control=\(node.control)", "--count=\(count)",
              "--interval=\(1_000_000_000 / Self.rate)",
            ]
          ).result()
        },
        floor: {
          let (answerer, endpoint) = try RoundTrip.answerer(
            workplace, .tcp, attachment: Picture.small.byteCount)
          defer { answerer.end() }
          return try Child(
            workplace.floor, ["ask", "--endpoint=\(endpoint)", "--rounds=\(count)"]
          ).result()
        })
      rows += compared
      if !picture.isRaw, let typical = compared.first, let floor = typical.floor {
        rows.append(
          Row(
            benchmark: name, name: "\(title), p50 beyond one floor transfer", unit: "ms",
            ours: typical.ours - floor, target: .atMost(2)))
      }
    }
    return rows
  }
}
