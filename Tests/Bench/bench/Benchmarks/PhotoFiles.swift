import Foundation

/// Compares the making of many photos' files with the libraries that make them alone.
///
/// A burst of YUYV pictures is offered a little more pictures than turbojpeg makes on all cores
/// without a camera, as in `Encoding`, and becomes JPEGs of the same quality. Each file also gets a
/// thumbnail and its facts, and is stored (in memory here, because a disk's speed is its own). The
/// floor compresses a camera's pictures alone.
///
/// AVIF files are made of a burst one after the other, by the node's process for that. The floor
/// makes the same of one picture again and again with libheif.
struct PhotoFiles: Benchmark {
  let name = "photo-files"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let picture = Picture.yuyv
    let all = try Encoding.floor(workplace, picture, threads: cores)["rate"] ?? 100
    let count = workplace.isShort ? 50 : 100
    let burst = try await compare(
      workplace, "burst of \(count), \(picture.name), \(cores) cores",
      [Metric(key: "rate", name: "", unit: "pictures/s", target: .ratioAtLeast(0.95))],
      ours: {
        try ours(
          workplace, picture, rate: Int(all * 1.15), count, ["--format=jpeg", "--quality=80"])
      },
      floor: { try Encoding.floor(workplace, picture, threads: cores, rate: all * 1.15) })
    let files = workplace.isShort ? 5 : 20
    let avif = try await compare(
      workplace, "AVIF 1080p, \(files) files",
      [Metric(key: "rate", name: "", unit: "files/s", target: .ratioAtLeast(0.95))],
      ours: {
        try ours(workplace, picture, rate: 30, files, ["--format=avif", "--quality=80"])
      },
      floor: {
        try Child(
          workplace.floor,
          [
            "heif", "--file=\(try workplace.pictures(picture))/picture.raw", "--count=\(files)",
            "--quality=80",
          ] + picture.sizeArguments
        ).result()
      })
    return burst + avif
  }

  private func ours(
    _ workplace: Workplace, _ picture: Picture, rate: Int, _ count: Int, _ options: [String]
  ) throws -> Numbers {
    let library = "/dev/shm/bench-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: library) }
    let node = try Node(workplace, picture, rate: rate, library: library)
    defer { node.child.end() }
    return try Child(
      workplace.bench, ["burst", "--control=\(node.control)", "--count=\(count)"] + options
    ).result()
  }
}
