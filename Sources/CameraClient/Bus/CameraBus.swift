import CameraProtocol
import EventLoop
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

/// A connection to one node and its cameras.
///
/// ``withCameraBus(_:configuration:_:)`` makes one and closes it again. It costs a thread, connects
/// at the first request, and connects again by itself when the node was away. Its cameras and
/// sequences keep it alive; ``close()`` ends them.
public final class CameraBus: Sendable {
  /// A node's control endpoint unless it was given another.
  public static let defaultControl = "tcp://127.0.0.1:5570"

  /// Endpoints and timeouts of a connection.
  public struct Configuration: Hashable, Sendable {
    /// Where the node publishes events; nil asks the node for it.
    public var events: String?
    /// Where the node publishes frames; nil asks the node for it.
    public var frames: String?
    /// The keys for a node that requires them; nil for one that does not.
    public var credentials: Credentials?
    /// How long a request waits for a connection before it fails as `unreachable`.
    public var connectTimeout: Duration
    /// How long a request waits for its answer, unless it has a timeout of its own.
    public var requestTimeout: Duration

    /// A configuration. The defaults suit nearly every program.
    public init(
      events: String? = nil,
      frames: String? = nil,
      credentials: Credentials? = nil,
      connectTimeout: Duration = .seconds(3),
      requestTimeout: Duration = .seconds(10)
    ) {
      self.events = events
      self.frames = frames
      self.credentials = credentials
      self.connectTimeout = connectTimeout
      self.requestTimeout = requestTimeout
    }
  }

  /// The endpoints and timeouts.
  public let configuration: Configuration
  let connection: ControlConnection
  let readiness: ReadinessBoard
  private let loop: EventLoop
  private let context: Context
  private let messageExecutor: MessageExecutor
  private let closing = BusClosing()

  /// Makes a connection to the node with this control endpoint.
  ///
  /// - Throws: `invalidArgument` for a text that is no endpoint, and for a timeout of 0. Whether a
  ///   node is there shows with the first request.
  public init(
    _ control: String = CameraBus.defaultControl,
    configuration: Configuration = Configuration()
  ) throws(CameraBusError) {
    try Arguments.checkPositive(configuration.connectTimeout, "connectTimeout")
    try Arguments.checkPositive(configuration.requestTimeout, "requestTimeout")
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

  /// Runs tasks on the thread that receives messages, which saves waking another thread.
  ///
  /// ```swift
  /// await withTaskExecutorPreference(bus.executor) {
  ///   for try await frame in camera.frames() { show(frame) }
  /// }
  /// ```
  /// Work that takes long there delays everything that the connection does. After ``close()`` tasks
  /// go on elsewhere.
  public var executor: any TaskExecutor { messageExecutor }

  /// The camera of this name. Whether the node has one shows with the first request.
  ///
  /// - Throws: `invalidArgument` for a text that is no camera's name, such as an empty one.
  public func camera(_ name: String) throws(CameraBusError) -> Camera {
    Camera(name: try Arguments.camera(name), bus: self)
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
          : "the node has \(names.count) cameras: choose one of \(names.joined(separator: ", "))",
        reason: names.isEmpty ? nil : .cameraNotNamed
      )
    }
    return Camera(name: name, bus: self)
  }

  /// The status of all cameras.
  public func cameras() async throws(CameraBusError) -> [CameraStatus] {
    try await status().cameras
  }

  /// All cameras of the node's machine, whether the node has them or not. The node opens each for a
  /// moment. A key that is limited to some cameras gets only the devices of these.
  public func devices() async throws(CameraBusError) -> [MachineDevice] {
    guard case .devices(let reply) = try await request(.devices(WireDevicesRequest()), .reading)
    else { throw .unexpectedReply }
    return reply.devices.map(MachineDevice.init)
  }

  /// The node's status.
  ///
  /// - Throws: `unreachable`, `timedOut`, `closed`; `cancelled` when the task is.
  public func status() async throws(CameraBusError) -> NodeStatus {
    try await connection.status(ofCamera: nil, timeout: configuration.requestTimeout)
  }

  /// The node's events from now on, beginning with its status: see ``EventSequence``.
  ///
  /// - Parameter includingHistory: Whether to begin with the events from before, as far as the node
  ///   keeps them. The status follows them.
  public func events(includingHistory: Bool = false) -> EventSequence {
    EventSequence(EventScope(), hasHistory: includingHistory, bus: self)
  }

  /// The node's events behind a position, beginning with the first that was not read there: see
  /// ``EventSequence``.
  ///
  /// Those that the node does not keep any more are a gap. If the node was restarted since, the
  /// rest of that start is lost, and nobody can tell how much it was:
  /// ``NodeEvent/nodeRestarted`` comes first, and then what the present start published, as far as
  /// the node keeps it. The status follows.
  ///
  /// The sequence fails with `invalidArgument` if the node has not published so many events, so
  /// that the position is another node's.
  public func events(after position: EventPosition) -> EventSequence {
    EventSequence(EventScope(), after: position, bus: self)
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
    connection.enter { $0.close() }
    OwnThread.start { [loop, context, closing] in
      loop.stop()
      // It fails only when sockets are open, and the connection has closed them all.
      try? context.close()
      closing.finish()
    }
  }

  // MARK: Requests

  /// Makes a request that has one answer.
  /// - Parameter wait: How much longer than usual the answer may take.
  func request(
    _ body: WireRequest.OneOf_Body,
    _ resending: PendingRequests.Resending,
    id: RequestID = .random(),
    wait: Duration = .zero
  ) async throws(CameraBusError) -> WireReply.OneOf_Body {
    try await connection.request(
      body,
      .init(timeout: configuration.requestTimeout + wait, resending: resending),
      id: id
    ).body
  }
}

/// Runs tasks on a connection's loop and, when the loop has ended, on the global executor.
final class MessageExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !loop.runUnlessStopped(job, of: self) { globalConcurrentExecutor.enqueue(job) }
  }
}

/// Connects to a node for as long as `body` runs, and closes the connection however it ends.
///
/// ```swift
/// try await withCameraBus("tcp://127.0.0.1:5570") { bus in
///   let photo = try await bus.camera("cam").capture()
///   try await photo.write(to: "still.jpg")
/// }
/// ```
/// - Parameters:
///   - control: The node's control endpoint.
///   - configuration: Where to find the rest of the node, and how long to wait for it.
///   - body: Uses the connection. Sequences and requests that it leaves behind end with `closed`.
/// - Returns: What `body` returns.
/// - Throws: `invalidArgument` for a text that is no endpoint; otherwise what `body` throws.
public func withCameraBus<R>(
  _ control: String = CameraBus.defaultControl,
  configuration: CameraBus.Configuration = .init(),
  _ body: (CameraBus) async throws -> R
) async throws -> R {
  let bus = try CameraBus(control, configuration: configuration)
  let result: R
  do {
    result = try await body(bus)
  } catch {
    await bus.close()
    throw error
  }
  await bus.close()
  return result
}
