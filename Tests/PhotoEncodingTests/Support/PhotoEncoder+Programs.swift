import Foundation
import Imaging
@testable import PhotoEncoding

extension PhotoEncoder {
  /// An encoder with the camerad of this build, which is beside the test bundle.
  convenience init(_ change: (inout PhotoEncoderSettings) -> Void = { _ in }) {
    var settings = PhotoEncoderSettings()
    settings.program = Self.camerad
    change(&settings)
    self.init(settings)
  }

  /// An encoder whose process is a shell script. The standard input is the socket.
  convenience init(script: String, patience: Duration = .seconds(30)) {
    self.init {
      $0.program = "/bin/sh"
      $0.arguments = ["-c", script]
      $0.patience = patience
    }
  }

  static var camerad: String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "camerad")
      .path
  }

  /// Encodes on a thread that may wait.
  func result(_ job: PhotoJob) async -> Result<[UInt8], ImagingError> {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        do throws(ImagingError) {
          continuation.resume(returning: .success(try self.encode(job)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }

  /// Waits until there is a process, and lets it begin with its job.
  func busyProcess() async throws -> pid_t {
    while true {
      try await Task.sleep(for: .milliseconds(200))
      if let processID { return processID }
    }
  }
}

extension PhotoJob {
  /// A job that is done at once.
  static func small(_ format: HEIFFormat = .avif) throws -> PhotoJob {
    try PhotoJob(.patches(ImageSize(width: 64, height: 48), .yuv420), as: format, quality: 80)
  }

  /// A job that takes more than a second.
  static func large() throws -> PhotoJob {
    try PhotoJob(.noise(ImageSize(width: 4000, height: 3000)), as: .heic, quality: 90)
  }
}

/// What the kernel tells of a process.
enum ProcessFacts {
  /// Whether a program takes the memory that it needs. With a sanitizer it takes more.
  static var memoryIsTrue: Bool {
    ProcessInfo.processInfo.environment["CAMERABUS_SANITIZER"] == nil
  }

  static func text(_ process: pid_t, _ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
  }

  static func threadCount(_ process: pid_t) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
  }

  /// The bytes in the machine's memory.
  static func resident(_ process: pid_t) throws -> Int {
    let pages = try text(process, "statm").split(separator: " ")[1]
    return (Int(pages) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The files that it has open, by number.
  static func descriptors(_ process: pid_t) throws -> [Int: String] {
    let folder = "/proc/\(process)/fd"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        guard let number = Int(name),
          let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        else { return nil }
        return (number, file)
      })
  }
}
