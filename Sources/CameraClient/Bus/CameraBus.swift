import CameraProtocol
import EventLoop
import OperatingSystem
import ZeroMQ
import SwiftProtobuf

/// A connection to one node and its cameras.
///
/// Making one costs a thread and connects nowhere yet: the first request does. It connects again by
/// itself when the node goes and comes. What it hands out (cameras, sequences) keeps it alive;
/// ``close()`` ends all of it.
///
/// ```swift
/// let bus = try CameraBus()
/// let photo = try await bus.camera("cam").capture()
/// ```
public final class CameraBus: Sendable {
  /// Where a node listens unless it was told otherwise.
  public static let defaultControl = "tcp://127.0.0.1:5570"

  /// What can be chosen about a connection.
  public struct Configuration: Hashable, Sendable {
    /// Where the node publishes events; nil asks the node.
    public var events: String?
    /// Where the node publishes frames; nil asks the node.
    public var frames: String?
    /// How long a request waits for a connection before it fails as `unreachable`.
    public var connectTimeout: Duration
    /// How long a request waits for its answer unless it says otherwise.
    public var requestTimeout: Duration

    /// A configuration; without arguments, what suits nearly everybody.
    public init(
      events: String? = nil,
      frames: String? = nil,
      connectTimeout: Duration = .seconds(3),
      requestTimeout: Duration = .seconds(10)
    ) {
      self.events = events
      self.frames = frames
      self.connectTimeout = connectTimeout
      self.requestTimeout = requestTimeout
    }
  }

  /// What was chosen.
  public let configuration: Configuration
  let connection: ControlConnection
  let readiness: ReadinessBoard
  private let loop: EventLoop
  private let context: Context
  private let messageExecutor: MessageExecutor
  private let closing = BusClosing()

  /// Makes a connection to the node whose control endpoint this is.
  ///
  /// - Throws: `invalidArgument` for what is no endpoint. That nobody is there shows with the first
  ///   request.
  public init(
    _ control: String = CameraBus.defaultControl,
    configuration: Configuration = Configuration()
  ) throws(CameraBusError) {
    let endpoints = try EndpointLookup(control: control, configuration)
    do throws(ZeroMQError) {
      context = try Context()
    } catch {
      throw CameraBusError(error)
    }
    self.configuration = configuration
    loop = EventLoop(name: "camerabus", slices: .short)
    messageExecutor = MessageExecutor(loop)
    connection = ControlConnection(
      endpoints,
      on: loop,
      context,
      connectTimeout: configuration.connectTimeout
    )
    readiness = ReadinessBoard(connection, timeout: configuration.requestTimeout)
  }

  deinit {
    shutDown()
  }

  /// Runs tasks on the very thread that messages come in on, which saves what waking another thread
  /// costs.
  ///
  /// ```swift
  /// await withTaskExecutorPreference(bus.executor) {
  ///   for try await frame in camera.frames() { show(frame) }
  /// }
  /// ```
  /// Whatever takes long there holds up all that the connection does. After ``close()`` tasks go on
  /// elsewhere.
  public var executor: any TaskExecutor { messageExecutor }

  /// A camera of the node by its name. Whether there is one shows with the first request.
  public func camera(_ name: String) -> Camera {
    Camera(name: name, bus: self)
  }

  /// The node's only camera.
  ///
  /// - Throws: `noSuchCamera` when it has several, and lists their names, or none.
  public func camera() async throws(CameraBusError) -> Camera {
    let names = try await cameras().map(\.name)
    guard let name = names.first, names.count == 1 else {
      throw CameraBusError(
        .noSuchCamera,
        names.isEmpty
          ? "the node has no camera: add one to its configuration and restart it"
          : "the node has \(names.count) cameras: choose one of \(names.joined(separator: ", "))"
      )
    }
    return camera(name)
  }

  /// How the node's cameras are.
  public func cameras() async throws(CameraBusError) -> [CameraStatus] {
    try await status().cameras
  }

  /// How the node is.
  ///
  /// - Throws: `unreachable`, `timedOut`, `closed`; `cancelled` when the task is.
  public func status() async throws(CameraBusError) -> NodeStatus {
    try await connection.status(ofCamera: nil, timeout: configuration.requestTimeout)
  }

  /// What happens on the node from now on, beginning with how it is: see ``EventSequence``.
  ///
  /// - Parameter includingHistory: Whether to begin with what happened before, as far as the node
  ///   keeps it, and only then how it is.
  public func events(includingHistory: Bool = false) -> EventSequence {
    EventSequence(EventScope(), hasHistory: includingHistory, bus: self)
  }

  /// Ends all requests and sequences with `closed`, disconnects, and waits until that is done.
  ///
  /// It suspends the caller and blocks no thread of the caller's. Calling it again does nothing but
  /// wait.
  public func close() async {
    shutDown()
    await closing.finished()
  }

  /// Joins the loop's thread and waits for libzmq, which takes a tenth of a second at most: on a
  /// thread of its own, because the caller's may be the loop's, or one that runs other tasks too.
  private func shutDown() {
    guard closing.begin() else { return }
    loop.perform { [connection] in connection.assumeIsolated { $0.close() } }
    OwnThread.start { [loop, context, closing] in
      loop.stop()
      // It fails only when sockets are open, and the connection has closed them all.
      try? context.close()
      closing.finish()
    }
  }

  // MARK: Requests

  /// Makes a request that has one answer.
  func request(
    _ body: WireRequest.OneOf_Body,
    _ resending: PendingRequests.Resending,
    id: RequestID = .random()
  ) async throws(CameraBusError) -> WireReply.OneOf_Body {
    try await connection.request(
      body,
      .init(timeout: configuration.requestTimeout, resending: resending),
      id: id
    ).body
  }
}
