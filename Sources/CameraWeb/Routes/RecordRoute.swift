import CameraClient
import HTTPTypes
import Reports
import Words

/// Starts, pauses and stops recordings.
enum RecordRoute {
  enum Action: String, CaseIterable {
    case start, pause, resume, trigger, stop
  }

  private struct Order: RequestDocument {
    enum CodingKeys: CodingKey, CaseIterable {
      case duration, maximumBytes, codec, container, quality, bitRate, name, tags
    }

    var duration: String?
    var maximumBytes: UInt64?
    var codec: VideoCodec?
    var container: MovieContainer?
    var quality: Int?
    var bitRate: UInt64?
    var name: String?
    var tags: [String]?
  }

  /// What needs no more words.
  private struct Nothing: RequestDocument {
    enum CodingKeys: CodingKey, CaseIterable {}

    init(from decoder: any Decoder) throws {}
  }

  static func answer(
    _ action: Action, _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let (node, camera) = try gateway.nodes.camera(path)
    if action == .start { return try await start(exchange, node, camera) }
    _ = try exchange.document(Nothing.self)
    if action == .stop {
      let movie = try await node.ask(camera) { (camera) throws(CameraBusError) in
        try await camera.stopRecording()
      }
      return .json(JSONText.data(of: movie))
    }
    let status = try await node.ask(camera) { (camera) throws(CameraBusError) in
      switch action {
      case .pause: try await camera.pauseRecording()
      case .resume: try await camera.resumeRecording()
      default: try await camera.triggerClip()
      }
    }
    return .json(JSONText.data(of: status))
  }

  private static func start(
    _ exchange: Exchange, _ node: ServedNode, _ camera: String
  ) async throws -> Answer {
    let order = try exchange.document(Order.self)
    let settings = MovieSettings(
      codec: order.codec, container: order.container, quality: order.quality,
      bitRate: order.bitRate, name: order.name ?? "", tags: order.tags ?? [])
    let duration = try order.duration.map { (text) throws(HTTPFailure) in
      guard let duration = DurationText.parse(text), duration > .zero else {
        throw .invalid("duration", "write a duration above 0, such as 10s")
      }
      return duration
    }
    let recording = try await node.ask(camera) { (camera) throws(CameraBusError) in
      try await camera.startRecording(
        settings, maximumDuration: duration, maximumBytes: order.maximumBytes)
    }
    return .json(JSONText.data(of: RecordingStart(recording)), status: .created)
  }
}
