import CameraClient
import HTTPTypes
import Words

/// A photo of a moment, which the node's library does not keep.
enum SnapshotRoute {
  /// How far ahead the moment may lie. Until then the request keeps a place on the node.
  private static let farthest = Duration.seconds(60)

  static func answer(
    _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    let (time, settings) = try order(exchange.target)
    let (node, camera) = try gateway.nodes.camera(path)
    let photo: Photo
    do throws(CameraBusError) {
      photo = try await node.ask(camera) { (camera) throws(CameraBusError) in
        try await camera.capture(time, settings)
      }
    } catch {
      guard error.code == .tooLarge else { throw HTTPFailure(error) }
      throw HTTPFailure(
        .unprocessableContent, "tooLarge",
        "\(error.message): ask for a smaller picture with size=1280x720, or for a lower quality",
        field: "size")
    }
    var headers = HTTPFields()
    if let shot = photo.resolved {
      for (name, value) in FrameHeaders.of(shot) { headers[.unchecked(name)] = value }
    }
    headers[.eTag] = "\"\(photo.sha256)\""
    return Answer(type: "image/jpeg", photo.data, headers: headers)
  }

  static func order(
    _ target: RequestTarget
  ) throws(HTTPFailure) -> (CaptureTime, PhotoSettings) {
    try target.requireQuery(of: ["when", "tolerance", "size", "quality"])
    let when = try target.query["when"].map(time)
    if case .atWall(let moment)? = when, moment - .now > farthest {
      throw .invalid("when", "a snapshot is at most a minute ahead: ask later")
    }
    var settings = PhotoSettings(isKept: false)
    settings.tolerance = try target.query["tolerance"].map(tolerance)
    settings.dimensions = try target.query["size"].map(size)
    settings.quality = try target.query["quality"].map { (text) throws(HTTPFailure) in
      guard let quality = Int(text), (1...100).contains(quality) else {
        throw .invalid("quality", "write a quality from 1 to 100")
      }
      return quality
    }
    return (when ?? .now, settings)
  }

  static func time(_ text: String) throws(HTTPFailure) -> CaptureTime {
    do throws(CameraBusError) {
      return try CaptureTime(words: text)
    } catch {
      throw HTTPFailure(error)
    }
  }

  static func tolerance(_ text: String) throws(HTTPFailure) -> Duration {
    guard let tolerance = DurationText.parse(text), tolerance > .zero else {
      throw .invalid("tolerance", "write a duration above 0, such as 20ms")
    }
    return tolerance
  }

  static func size(_ text: String) throws(HTTPFailure) -> FrameSize {
    guard let sides = SizeText.sides(of: text) else {
      throw .invalid("size", "write a size such as 1280x720")
    }
    return FrameSize(width: sides.width, height: sides.height)
  }
}

extension HTTPFailure {
  static func invalid(_ field: String, _ message: String) -> HTTPFailure {
    HTTPFailure(.badRequest, "invalidArgument", message, field: field)
  }
}
