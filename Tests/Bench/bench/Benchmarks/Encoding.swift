import Foundation

/// Compares JPEG encoding of raw pictures with turbojpeg alone: one picture at a time, and on all
/// cores.
///
/// The floor has the node's layout: it copies a camera's pictures into a ring at the same rate, and
/// its threads take the newest picture, split it and compress it. The node also changes each
/// picture's range, stamps it and publishes it. The floor's picture has its range changed
/// beforehand, so that both make the same JPEG. The node's subscriber takes few pictures, because
/// delivery is measured elsewhere; the node publishes the others and they are dropped. The node's
/// rate is the number of pictures that it reports as encoded.
///
/// For one picture at a time, both are offered a little less than one core can encode. On all
/// cores, both are offered a little more than turbojpeg makes without a camera, when it compresses
/// one picture again and again; copying pictures that are then dropped is part of their cost. The
/// table shows the ratio to that rate without a target. Finally twice as many pictures are offered,
/// to show that late pictures are dropped and do not wait.
struct Encoding: Benchmark {
  let name = "encoding"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    var rows: [Row] = []
    for picture in workplace.isShort ? [Picture.yuyv] : [.yuyv, .nv12] {
      let one = try Self.floor(workplace, picture, threads: 1)["rate"] ?? 100
      rows += try await compare(
        workplace, "\(picture.name), alone",
        [
          Metric(
            key: "p50", name: "a picture", unit: "ms", scale: 1e6, target: .ratioAtMost(1 / 0.95))
        ],
        ours: { try ours(workplace, picture, rate: one * 0.8) },
        floor: { try Self.floor(workplace, picture, threads: cores, rate: one * 0.8) })
      let all =
        try (0..<3).compactMap { _ in
          try Self.floor(workplace, picture, threads: cores)["rate"]
        }.max() ?? 100
      rows += try await compare(
        workplace, "\(picture.name), \(cores) cores",
        [
          Metric(key: "rate", name: "", unit: "pictures/s", target: .ratioAtLeast(0.95)),
          Metric(key: "bare", name: "floor without a camera", unit: "pictures/s"),
        ],
        ours: {
          let numbers = try ours(workplace, picture, rate: all * 1.15)
          return numbers.merging(["bare": numbers["rate"] ?? .nan]) { $1 }
        },
        floor: {
          let bare = try Self.floor(workplace, picture, threads: cores)
          return try Self.floor(workplace, picture, threads: cores, rate: all * 1.15)
            .merging(["bare": bare["rate"] ?? .nan]) { $1 }
        })
      rows += try await compare(
        workplace, "\(picture.name), offered twice as many",
        [
          Metric(key: "late", name: "dropped", unit: "pictures/s", target: .atLeast(1)),
          // The newest picture waits for the first free encoder: at most the time of one picture.
          // The limit allows the time of another one for disturbances of the machine.
          Metric(
            key: "wait99", name: "p99 of waiting", unit: "ms", scale: 1e6,
            target: .atMost(2e3 * Double(cores) / all)),
        ],
        ours: { try ours(workplace, picture, rate: all * 2) })
    }
    return rows
  }

  private func ours(_ workplace: Workplace, _ picture: Picture, rate: Double) throws -> Numbers {
    let node = try Node(workplace, picture, rate: Int(rate))
    let from = Clock.now + 1_000_000_000
    let until = from + Int64(workplace.seconds * 1e9)
    var numbers = try Child(
      workplace.bench,
      ["encode", "--control=\(node.control)", "--from=\(from)", "--until=\(until)"]
    ).result()
    let seconds = (numbers["nanoseconds"] ?? .nan) / 1e9
    numbers["rate"] = (numbers["encoded"] ?? .nan) / seconds
    numbers["late"] = (numbers["dropped"] ?? .nan) / seconds
    return numbers
  }

  /// Runs the floor; it has no camera if the rate is 0.
  static func floor(
    _ workplace: Workplace, _ picture: Picture, threads: Int, rate: Double = 0
  ) throws -> Numbers {
    let milliseconds = Int(workplace.seconds * 1000)
    var numbers = try Child(
      workplace.floor,
      [
        "encode", "--file=\(try workplace.pictures(picture))/picture.raw",
        "--format=\(picture.format)", "--threads=\(threads)", "--milliseconds=\(milliseconds)",
        "--rate=\(Int(rate))", "--buffers=\(picture.buffers(rate: Int(rate)))",
      ] + picture.sizeArguments
    ).result()
    numbers["rate"] = (numbers["frames"] ?? .nan) / workplace.seconds
    return numbers
  }
}
