import Foundation

/// JPEGs of raw pictures, beside turbojpeg alone: one picture at a time, and as many as all cores make.
///
/// The floor has the node's layout: a camera that is copied into a ring at the same rate, and threads that take the newest
/// picture, split it and compress it. The node also changes its range (the floor's was changed before it counts, so that
/// both make the same JPEG), stamps it and publishes it. Its subscriber takes few pictures, for what delivering costs is
/// measured elsewhere; the rest are published and dropped for it. What the node says that it encoded is its rate.
///
/// One at a time both are offered somewhat less than one core can do. On all cores they are offered somewhat more than
/// turbojpeg makes that has no camera and compresses one picture again and again: the copies of those that are dropped are
/// their cost too. The node's ratio to that is shown without a target. Then twice as many, which shows that those that
/// come too late do not wait.
struct Encoding: Benchmark {
  let name = "encoding"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    var rows: [Row] = []
    for picture in workplace.isShort ? [Picture.yuyv] : [.yuyv, .nv12] {
      let one = try floor(workplace, picture, threads: 1)["rate"] ?? 100
      rows += try await compare(
        workplace, "\(picture.name), alone",
        [
          Metric(
            key: "p50", name: "a picture", unit: "ms", scale: 1e6, target: .ratioAtMost(1 / 0.95))
        ],
        ours: { try ours(workplace, picture, rate: one * 0.8) },
        floor: { try floor(workplace, picture, threads: cores, rate: one * 0.8) })
      let all =
        try (0..<3).compactMap { _ in
          try floor(workplace, picture, threads: cores)["rate"]
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
          let bare = try floor(workplace, picture, threads: cores)
          return try floor(workplace, picture, threads: cores, rate: all * 1.15)
            .merging(["bare": bare["rate"] ?? .nan]) { $1 }
        })
      rows += try await compare(
        workplace, "\(picture.name), offered twice as many",
        [
          Metric(key: "late", name: "dropped", unit: "pictures/s", target: .atLeast(1)),
          // The newest waits for the first encoder that is done: a picture's time, and another one's for the machine.
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

  /// Without a rate it has no camera.
  private func floor(
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
