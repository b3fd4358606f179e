import ArgumentParser
import CameraClient

/// Records a movie and stops the camera, or downloads the newest movie.
struct DownloadRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "download", shouldDisplay: false)

  @Option var control: String
  @Option(help: "Records for this many seconds, and downloads nothing.") var record: Double?
  @Option var to: String = ""

  func run() async throws {
    let bus = try CameraBus(control)
    var samples = Samples()
    var byteCount: UInt64 = 0
    if let record {
      let camera = try bus.camera("cam")
      _ = try await camera.startRecording()
      try await Task.sleep(for: .seconds(record))
      byteCount = try await camera.stopRecording().asset.byteCount
      // Keep the node idle while its library is measured.
      _ = try await camera.stopSession()
    } else if let asset = try await bus.assets(limit: 1).first {
      byteCount = asset.byteCount
      let start = Clock.now
      try await bus.download(asset, to: to, overwrites: true)
      samples.add(Clock.now - start)
    }
    samples.printResult(cpu: Clock.cpu, ["bytes": Int64(byteCount)])
    await bus.close()
  }
}
