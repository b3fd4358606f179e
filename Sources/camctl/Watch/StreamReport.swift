import CameraClient
import Words

/// The result of `watch`. Its property names are the JSON form.
struct StreamReport: Encodable {
  struct Latency: Encodable {
    var p50Nanoseconds: Duration
    var p99Nanoseconds: Duration
  }

  struct Losses: Encodable {
    /// By the camera's counters before and after the watch; after a restart of the node, since the
    /// restart; nil if the node does not answer at the end.
    var lostByCamera: UInt64?
    var droppedByNode: UInt64?
    var notPublished: UInt64
    var lostOnBus: UInt64
    var droppedByClient: UInt64
    /// Why frames were not published, by the node's counters as above.
    var omissions: StreamOmissions?
  }

  var camera: String
  var stream: String
  var frames: Int
  var byteCount: UInt64
  var durationNanoseconds: Duration
  var framesPerSecond: Double?
  /// The latencies by stage, without the stages that no frame had.
  var latency: [String: Latency]
  var losses: Losses
  /// On the node's machine at the end; nil if the node does not look, or does not answer.
  var pressure: SystemPressure?
  /// Why no frames came at the end; nil if they did.
  var trouble: String?
  private var order: [String]

  private enum CodingKeys: CodingKey {
    case camera, stream, frames, byteCount, durationNanoseconds, framesPerSecond, latency, losses
    case pressure, trouble
  }

  init(
    _ meter: StreamMeter, camera: String, stream: FrameStream, losses: LossCounters,
    trouble: String?
  ) {
    self.camera = camera
    self.stream = stream.description
    frames = meter.frames
    byteCount = meter.bytes
    durationNanoseconds = meter.duration
    framesPerSecond = meter.rate.map { $0.rounded(to: 3) }
    self.trouble = trouble
    self.losses = Losses(
      notPublished: losses.notPublished,
      lostOnBus: losses.lostOnBus,
      droppedByClient: losses.droppedByClient
    )
    latency = [:]
    order = []
    for (name, latencies) in meter.stages {
      guard let p50 = latencies.value(at: 0.5), let p99 = latencies.value(at: 0.99) else {
        continue
      }
      order.append(name)
      latency[name] = Latency(p50Nanoseconds: p50, p99Nanoseconds: p99)
    }
  }

  /// Adds what the node counted during the watch.
  mutating func addCounters(from before: NodeStatus, to after: NodeStatus) {
    pressure = after.pressure
    guard let end = after.cameras.first(where: { $0.name == camera }) else { return }
    let start =
      after.epoch == before.epoch ? before.cameras.first { $0.name == camera } : nil
    let frames = start.map { end.frames.counted(since: $0.frames, isSameStart: true) } ?? end.frames
    losses.lostByCamera = frames.lostByCamera
    losses.droppedByNode = frames.droppedByNode
    losses.omissions = StreamOmissions(of: stream, from: start, to: end)
  }

  func show() {
    let rate = framesPerSecond.map { ", \($0.words(to: 2))/s" } ?? ""
    StandardOutput.write(
      line:
        "\(camera) \(stream): \(frames.counted("frame")) in \(durationNanoseconds.words)\(rate), \(byteCount.byteWords)"
    )
    var table = Table("STAGE", "P50", "P99")
    for stage in order {
      guard let latency = latency[stage] else { continue }
      table.add(
        stage.separated, latency.p50Nanoseconds.words, latency.p99Nanoseconds.words)
    }
    table.print()
    StandardOutput.write(
      line:
        "lost by the camera \(Self.words(losses.lostByCamera)), "
        + "dropped by the node \(Self.words(losses.droppedByNode)), "
        + "not published \(losses.notPublished), lost on the bus \(losses.lostOnBus), "
        + "dropped here \(losses.droppedByClient)"
    )
    for line in losses.omissions?.words(under: pressure) ?? [] { StandardOutput.write(line: line) }
    if let trouble { StandardOutput.write(line: "no frames at the end: \(trouble)", style: .bad) }
  }

  private static func words(_ count: UInt64?) -> String { count.map { "\($0)" } ?? "unknown" }
}

/// What `watch --json --frames` prints of every frame.
struct FrameReport: Encodable {
  var sequence: UInt64
  var timestamp: Timestamp
  var exposure: ExposureBounds
  var size: FrameSize
  var orientation: Orientation
  var pixelFormat: String
  var byteCount: Int
  var deviceTime: DeviceTime?
  var stages: FrameStages

  init(_ frame: CameraFrame) {
    sequence = frame.sequence
    timestamp = frame.timestamp
    exposure = frame.exposure
    size = frame.size
    orientation = frame.orientation
    pixelFormat = frame.pixelFormat
    byteCount = frame.byteCount
    deviceTime = frame.deviceTime
    stages = frame.stages
  }
}
