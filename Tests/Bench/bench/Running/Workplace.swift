import Foundation

/// What a benchmark needs: the programs, a temporary folder, and how much to measure.
final class Workplace {
  let camerad: String
  let rounds: Int
  let isShort: Bool
  let folder: String

  init(camerad: String, rounds: Int, isShort: Bool) throws {
    self.camerad = camerad
    self.rounds = rounds
    self.isShort = isShort
    // The path is short because a socket's path has at most 107 bytes.
    folder = "/tmp/bench-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The path of this program, to start it in other roles.
  var bench: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
  var floor: String { beside("floor") }
  var allocations: String { beside("liballocations.so") }

  var transports: [Transport] { isShort ? [.tcp] : [.tcp, .ipc] }

  /// The duration of one measurement, seconds.
  var seconds: Double { isShort ? 0.7 : 2 }

  /// How long a round measures latencies: five to ten seconds, and a thousand frames if they fit.
  /// With fewer frames, disturbances of the machine alone would decide the p99.
  func latencySeconds(rate: Int) -> Double {
    isShort ? seconds : max(5, min(10, 1000 / Double(rate)))
  }

  private func beside(_ name: String) -> String {
    URL(fileURLWithPath: bench).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// The folder with the picture's file. The first call creates both.
  func pictures(_ picture: Picture) throws -> String {
    let path = "\(folder)/\(picture.name)"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let file = "\(path)/picture\(picture.format == "JPEG" ? ".jpg" : ".raw")"
    try Data().write(to: URL(fileURLWithPath: file))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: floor)
    process.arguments =
      ["picture", "--format=\(picture.format)", "--bytes=\(picture.byteCount)"]
      + picture.sizeArguments
    process.standardOutput = FileHandle(forWritingAtPath: file)
    try process.run()
    process.waitUntilExit()
    return path
  }

  /// A new path for a library's folder.
  func freshLibrary() -> String { "\(folder)/library-\(UUID().uuidString.prefix(8))" }
}

/// A picture that a camera of the benchmark plays.
struct Picture {
  var name: String
  /// "JPEG" or a raw format.
  var format: String
  var width: Int
  var height: Int
  var byteCount: Int

  static let small = Picture("200 kB", "JPEG", 1280, 720, 200_000)
  static let large = Picture("450 kB", "JPEG", 1920, 1080, 450_000)
  static let raw = Picture("6 MB", "YUYV", 2048, 1536, 2048 * 1536 * 2)
  static let yuyv = Picture("YUYV 1080p", "YUYV", 1920, 1080, 1920 * 1080 * 2)
  static let nv12 = Picture("NV12 1080p", "NV12", 1920, 1080, 1920 * 1080 * 3 / 2)

  private init(_ name: String, _ format: String, _ width: Int, _ height: Int, _ byteCount: Int) {
    self.name = name
    self.format = format
    self.width = width
    self.height = height
    self.byteCount = byteCount
  }

  var isRaw: Bool { format != "JPEG" }
  var sizeArguments: [String] { ["--width=\(width)", "--height=\(height)"] }
  /// The stream that carries the picture unchanged.
  var stream: String { isRaw ? "raw" : "full" }

  /// As many buffers as a node holds for this camera's past second, so that both sides use the same
  /// amount of memory.
  func buffers(rate: Int) -> Int { min(rate, (128 << 20) / byteCount, 1024) + 17 }

  /// The options of a camera that plays the picture.
  func options(rate: Int) -> String {
    isRaw ? "\(width)x\(height)@\(rate),format=\(format)" : "@\(rate)"
  }
}

enum Transport: String {
  case tcp, ipc
  /// tcp, encrypted.
  case curve

  /// An endpoint on which nobody listens yet.
  func endpoint(_ name: String, in folder: String) -> String {
    switch self {
    case .tcp, .curve: "tcp://127.0.0.1:*"
    case .ipc: "ipc://\(folder)/\(name)-\(UUID().uuidString.prefix(8))"
    }
  }
}
