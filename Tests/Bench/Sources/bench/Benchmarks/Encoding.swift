import Foundation

/// JPEGs of raw pictures, beside turbojpeg alone: one picture at a time, and as many as all cores make while the node also
/// takes them from the camera and publishes them.
struct Encoding: Benchmark {
  let name = "encoding"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    var rows: [Row] = []
    for picture in workplace.isShort ? [Picture.yuyv] : [.yuyv, .nv12] {
      rows += try await compare(
        workplace, "\(picture.name), alone",
        [
          Metric(
            key: "encode", name: "a picture", unit: "ms", scale: 1e6,
            target: .ratioAtMost(1 / 0.95))
        ],
        ours: { try ours(workplace, picture, rate: 20) },
        floor: {
          let numbers = try floor(workplace, picture, threads: 1)
          return ["encode": numbers["p50"] ?? .nan]
        })
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let capacity = try floor(workplace, picture, threads: cores)["rate"] ?? 100
      // Somewhat more than can be done, so that some pictures come too late.
      let offered = Int(capacity * 1.1)
      rows += try await compare(
        workplace, "\(picture.name), \(cores) cores",
        [
          Metric(key: "rate", name: "", unit: "pictures/s", target: .ratioAtLeast(0.95)),
          Metric(key: "wait99", name: "p99 of waiting for an encoder", unit: "ms", scale: 1e6),
        ],
        ours: { try ours(workplace, picture, rate: offered) },
        floor: { try floor(workplace, picture, threads: cores) })
    }
    return rows
  }

  private func ours(_ workplace: Workplace, _ picture: Picture, rate: Int) throws -> Numbers {
    let node = try Node(workplace, picture, rate: rate)
    let from = Clock.now + 1_000_000_000
    let until = from + Int64(workplace.seconds * 1e9)
    var numbers = try Child(
      workplace.bench,
      [
        "subscribe", "--control=\(node.control)", "--stream=full", "--from=\(from)",
        "--until=\(until)",
      ]
    ).result()
    numbers["rate"] = (numbers["frames"] ?? .nan) / workplace.seconds
    return numbers
  }

  private func floor(
    _ workplace: Workplace, _ picture: Picture, threads: Int
  ) throws -> Numbers {
    let milliseconds = Int(workplace.seconds * 1000)
    var numbers = try Child(
      workplace.floor,
      [
        "encode", "--file=\(try workplace.pictures(picture))/picture.raw",
        "--format=\(picture.format)", "--threads=\(threads)", "--milliseconds=\(milliseconds)",
      ] + picture.sizeArguments
    ).result()
    numbers["rate"] = (numbers["frames"] ?? .nan) / workplace.seconds
    return numbers
  }
}
