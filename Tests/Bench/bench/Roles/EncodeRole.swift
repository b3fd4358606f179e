import ArgumentParser
import CameraClient

/// Subscribes to a camera's JPEGs but takes few of them. The node still encodes as fast as it can,
/// and this process leaves the cores to the encoders. The node reports how many pictures it encoded
/// and how many it dropped.
struct EncodeRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "encode", shouldDisplay: false)

  @Option var control: String
  @Option var from: Int64
  @Option var until: Int64

  /// The pause between two frames that it takes, nanoseconds.
  private static let pause: Int64 = 50_000_000

  func run() async throws {
    let bus = try CameraBus(control)
    try await withTaskExecutorPreference(bus.executor) { try await follow(bus.camera("cam")) }
    await bus.close()
  }

  private func follow(_ camera: Camera) async throws {
    var (encodings, waits) = (Samples(), Samples())
    var start: (stream: StreamStatus, at: Int64)?
    for try await frame in camera.frames(.full, policy: .newest(1)) {
      guard Clock.now >= from else { continue }
      if start == nil { start = try await status(camera) }
      guard Clock.now < until else { break }
      let stages = frame.stages
      if let encoding = stages.encode, let wait = stages.encodeWait {
        encodings.add(Int64(encoding / .nanoseconds(1)))
        waits.add(Int64(wait / .nanoseconds(1)))
      }
      Clock.sleep(until: Clock.now + Self.pause)
    }
    let end = try await status(camera)
    guard let start else { throw ValidationError("no frame came") }
    encodings.printResult(
      cpu: 0,
      [
        "wait99": waits.percentile(99), "nanoseconds": end.at - start.at,
        "encoded": Int64(end.stream.encoded - start.stream.encoded),
        "dropped": Int64(end.stream.droppedLate - start.stream.droppedLate),
      ])
  }

  private func status(_ camera: Camera) async throws -> (stream: StreamStatus, at: Int64) {
    let streams = try await camera.status().streams
    guard let full = streams.first(where: { $0.name == "full" }) else {
      throw ValidationError("the stream is not encoded")
    }
    return (full, Clock.now)
  }
}
