import CameraClient
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Live pictures as parts of one answer, each in the place of the one before (MJPEG).
enum StreamRoute {
  private static let rates = 0.01...1000.0

  static func answer(
    _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    let (stream, interval) = try settings(exchange.target)
    let (node, name) = try gateway.nodes.camera(path)
    let camera: Camera
    do throws(CameraBusError) {
      camera = try await node.camera(name)
    } catch {
      throw HTTPFailure(error)
    }
    let source = StreamHub.Source(node: node.name, camera: name, stream: stream)
    let viewer = try gateway.streams.join(source, of: camera, interval: interval)
    // The writer below does not notice it while the camera is stopped.
    exchange.channel.closeFuture.whenComplete { [streams = gateway.streams] _ in
      streams.leave(viewer)
    }
    let first: StreamPart?
    do {
      // An error comes before the first picture, and is the answer then.
      first = try await viewer.slot.next()
    } catch {
      gateway.streams.leave(viewer)
      throw error
    }
    let headers: HTTPFields = [.contentType: StreamPart.contentType]
    return Answer(
      .ok, headers,
      .stream { writer in
        defer { gateway.streams.leave(viewer) }
        guard var part = first else { return }
        try await writer.write(StreamPart.opening)
        while true {
          try await writer.write(part.bytes)
          guard let next = try await viewer.slot.next() else { return }
          part = next
        }
      })
  }

  static func settings(
    _ target: RequestTarget
  ) throws(HTTPFailure) -> (stream: FrameStream, interval: Duration?) {
    try target.requireQuery(of: ["size", "rate"])
    let stream = try target.query["size"].map { (text) throws(HTTPFailure) in
      guard let stream = FrameStream(text), stream != .raw, stream != .h264 else {
        throw .invalid("size", "write preview, full or a size from 16x16 to 8192x8192")
      }
      return stream
    }
    let interval = try target.query["rate"].map { (text) throws(HTTPFailure) in
      guard let rate = Double(text), rates.contains(rate) else {
        throw .invalid("rate", "write the most pictures a second, such as 5 or 0.5")
      }
      return Duration.seconds(1 / rate)
    }
    return (stream ?? .preview, interval)
  }
}
