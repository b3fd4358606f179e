import ArgumentParser
import CameraClient

/// Takes a burst, and measures it from the request until all of its files are in the library.
struct BurstRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "burst", shouldDisplay: false)

  @Option var control: String
  @Option var count: Int
  @Option(help: "jpeg or avif.") var format: String
  @Option var quality: Int

  func run() async throws {
    let bus = try CameraBus(control)
    let camera = try bus.camera("cam")
    guard let format = PhotoFormat(rawValue: format) else {
      throw ValidationError("no photo becomes \(self.format)")
    }
    // The first photo also starts what makes the files, and touches the memory.
    _ = try await camera.capture(.now, PhotoSettings([PhotoOutput(format)]))
    let asked = Clock.now
    let steps = camera.burst(
      count, PhotoSettings([PhotoOutput(format)], quality: quality), timeout: .seconds(60))
    var (processed, last) = (0, asked)
    for try await step in steps {
      guard case .didProcess = step else { continue }
      processed += 1
      last = Clock.now
      // The bytes are not fetched.
      if processed == count { break }
    }
    print("result rate=\(Double(processed) * 1e9 / Double(last - asked))")
    await bus.close()
  }
}
