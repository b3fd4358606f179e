import Foundation

/// Measures the download of a movie into a file, checked and synced. The floor is a bare copy in
/// chunks under credit.
struct Download: Benchmark {
  let name = "download"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let node = try Node(workplace, .large, rate: 300)
    let seconds = workplace.isShort ? 0.5 : 2.0
    let recorded = try Child(
      workplace.bench, ["download", "--control=\(node.control)", "--record=\(seconds)"]
    ).result()
    let byteCount = recorded["bytes"] ?? 0
    let (source, copy) = ("\(workplace.folder)/movie", "\(workplace.folder)/copy")
    func download(to path: String) throws -> Numbers {
      try? FileManager.default.removeItem(atPath: path)
      return try Child(
        workplace.bench, ["download", "--control=\(node.control)", "--to=\(path)"]
      ).result()
    }
    _ = try download(to: source)
    // The camera has stopped, so the node only serves its library. Remove the old copy before each
    // download, so that both sides write a new file and neither pays for freeing an old one.
    return try await compare(
      workplace, "\(Int(byteCount / 1e6)) MB",
      [Metric(key: "speed", name: "", unit: "MB/s", target: .ratioAtLeast(0.8))],
      ours: {
        let numbers = try download(to: copy)
        return ["speed": byteCount * 1000 / (numbers["p50"] ?? .nan)]
      },
      floor: {
        let server = try Child(
          workplace.floor,
          [
            "serve", "--endpoint=\(Transport.tcp.endpoint("floor", in: workplace.folder))",
            "--file=\(source)",
          ])
        defer { server.end() }
        try? FileManager.default.removeItem(atPath: copy)
        let endpoint = try server.line().dropFirst("ready ".count)
        let numbers = try Child(
          workplace.floor,
          ["fetch", "--endpoint=\(endpoint)", "--bytes=\(Int(byteCount))", "--to=\(copy)"]
        ).result()
        return ["speed": byteCount * 1000 / (numbers["p50"] ?? .nan)]
      })
  }
}
