import Foundation
import Logging
import TestSupport
import Testing

@testable import CameraNode

/// All tests that run a node over real sockets.
@Suite(.timeLimit(.minutes(5))) enum NodeTests {}

/// A running node and a client of it.
struct TestNode: Sendable {
  static let camera = "cam=synthetic:320x240@60,format=YUYV"

  let node: Node
  let client: TestClient
  /// The path of the library's folder.
  let library: String

  /// Runs `body` with a node and a client, and closes both. Nothing stays on disk.
  static func run<R: Sendable>(
    _ cameras: [String] = [camera],
    configure: (inout NodeConfiguration) -> Void = { _ in },
    log: Logger = .silent,
    _ body: (TestNode) async throws -> R
  ) async throws -> R {
    let folder = try TemporaryFolder()
    var configuration = try NodeConfiguration.test(cameras, library: "\(folder.path)/library")
    configure(&configuration)
    let node = try await Node.start(configuration, log: log)
    return try await attempt {
      try await withClient(of: node) { client in
        try await body(TestNode(node: node, client: client, library: configuration.library))
      }
    } finally: {
      await node.stop()
    }
  }

  /// Runs `body` with one more client.
  func withClient<R: Sendable>(_ body: (TestClient) async throws -> R) async throws -> R {
    try await Self.withClient(of: node, body)
  }

  private static func withClient<R: Sendable>(
    of node: Node, _ body: (TestClient) async throws -> R
  ) async throws -> R {
    let endpoints = node.endpoints
    return try await TestClient.with(
      control: endpoints.control, events: endpoints.events, frames: endpoints.frames, body)
  }

  /// The bytes of a file in the library.
  func file(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(library)/\(path)")))
  }
}

extension NodeConfiguration {
  /// Sets the most connections of an endpoint.
  mutating func limitConnections(to count: Int) {
    limits.connections = ConnectionLimits()
    limits.connections?.connections = count
  }

  /// A configuration that listens on free ports.
  static func test(_ cameras: [String], library: String) throws -> NodeConfiguration {
    var configuration = NodeConfiguration(name: "test", library: library)
    configuration.control = "tcp://127.0.0.1:*"
    configuration.events = "tcp://127.0.0.1:0"
    configuration.frames = "tcp://127.0.0.1:*"
    // The machine may be busy with other tests.
    configuration.pressure = .off
    configuration.cameras = try cameras.map { try CameraConfiguration(argument: $0) }
    return configuration
  }
}

extension Logger {
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

  /// Adds the messages to `lines`.
  static func adding(to lines: Recorded<String>) -> Logger {
    Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
  }
}

private struct RecordingLogHandler: LogHandler {
  let lines: Recorded<String>
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.add("\(event.message)") }
}
