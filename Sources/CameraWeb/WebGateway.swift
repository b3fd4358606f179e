package import CameraClient
package import CameraRig
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix

/// Shows the cameras of nodes to browsers and other programs that speak HTTP. It is an ordinary
/// client of the bus.
package struct WebGateway: Sendable {
  /// What the gateway serves, and to whom.
  package struct Configuration: Sendable {
    /// The nodes.
    package var nodes: [RigConnection]
    /// How long to wait for them.
    package var bus = CameraBus.Configuration()
    /// An address of this machine, or a name of it.
    package var address = "127.0.0.1"
    /// 0 takes any free port.
    package var port = 8080
    /// The path below which the gateway stands, as the proxy before it passes it on: its parts.
    package var prefix: [String] = []
    /// Names of the gateway beside addresses and localhost.
    package var hosts: [String] = []
    /// Those that let visitors in; nil lets everybody do everything.
    package var tokens: TokenFile?
    package var limits = WebLimits()

    package init(nodes: [RigConnection]) { self.nodes = nodes }
  }

  let configuration: Configuration
  let nodes: ServedNodes
  let access: AccessRules
  let streams: StreamHub
  let connections: ConnectionTable
  let requests = RequestCounters()
  let history: EventHistory
  let downloads: Places

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    let limits = configuration.limits
    nodes = ServedNodes(configuration.nodes, configuration.bus)
    access = AccessRules(tokens: configuration.tokens, hosts: configuration.hosts)
    history = EventHistory(nodes: configuration.nodes.map(\.name))
    downloads = Places(limits.downloads)
    streams = StreamHub(limit: limits.streams)
    connections = ConnectionTable(
      limit: limits.connections, limitByVisitor: limits.connectionsByAddress)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onReady: Called with the port when visitors may come.
  /// - Throws: The system's error if the address cannot be listened on.
  package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void) async throws {
    let server = server(onReady: onReady)
    let result: Result<Void, any Error>
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await streams.run() }
        group.addTask { try await history.follow(configuration.nodes, configuration.bus) }
        group.addTask { await beat() }
        group.addTask { try await server.run() }
        defer { group.cancelAll() }
        // The first to end: the server, or all that are cancelled.
        try await group.next()
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await nodes.close()
    try result.get()
  }

  /// How long a reader of events hears nothing at most. Proxies wait a minute.
  private static let heartbeat = Duration.seconds(15)

  private func beat() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.heartbeat)
      history.beat()
    }
  }

  private func server(
    onReady: @escaping @Sendable (_ port: Int) async -> Void
  ) -> Server<HTTP1Channel> {
    let (connections, limits) = (connections, configuration.limits)
    let channel = HTTP1Channel(
      responder: { request, writer, channel in
        try await respond(to: request, on: channel, with: writer)
      },
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [ConnectionGuard(connections, limits)],
        idleTimeout: TimeAmount(limits.idleTime),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
          maxHeaderFieldCount: limits.headers)))
    var logger = Logger(label: "camweb")
    logger.logLevel = .critical
    return Server(
      childChannelSetup: channel,
      configuration: ServerConfiguration(
        address: .hostname(configuration.address, port: configuration.port)),
      onServerRunning: { channel in
        await onReady(channel.localAddress?.port ?? configuration.port)
      },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
  }

  // MARK: Answers

  @concurrent private func respond(
    to request: Request, on channel: any Channel, with writer: consuming ResponseWriter
  ) async throws {
    let (route, answer) = await answer(request, on: channel)
    requests.count(route, answer.status.code)
    var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
    head.headerFields.secure()
    switch answer.body {
    case .whole(let bytes):
      // What was not modified has no body, and so no length of one.
      if answer.status != .notModified {
        head.headerFields[.contentLength] = "\(bytes.readableBytes)"
      }
      if request.method == .head || answer.status == .notModified {
        try await writer.writeResponse(head)
      } else {
        try await writer.write(response: head, body: ResponseBody(byteBuffer: bytes))
      }
    case .stream where request.method == .head:
      try await writer.writeResponse(head)
    case .stream(let write):
      var body: any ResponseBodyWriter = try await writer.writeHead(head)
      try await write(&body)
      try await body.finish(nil)
    }
  }

  /// - Returns: Also the route, by which requests are counted.
  private func answer(_ request: Request, on channel: any Channel) async -> (Route, Answer) {
    var route = Route.unknown
    do {
      let target = try RequestTarget(request.head.path ?? "", below: configuration.prefix)
      route = Route(target.path)
      let exchange = try await exchange(request, target, route, on: channel)
      return (route, try await route.answer(exchange, self))
    } catch {
      let failure = HTTPFailure(any: error)
      let isPerson = request.headers[.accept]?.contains("text/html") ?? false
      if failure.status == .unauthorized, route == .page, isPerson {
        return (route, .redirection(to: root + "login"))
      }
      return (route, Answer(failure))
    }
  }

  private func exchange(
    _ request: Request, _ target: RequestTarget, _ route: Route, on channel: any Channel
  ) async throws -> Exchange {
    let method = request.method == .head ? .get : request.method
    guard route.methods.contains(method) else {
      throw HTTPFailure.wrongMethod(
        allowed: route.methods.map(\.rawValue).sorted().joined(separator: ", "))
    }
    if request.method == .head, route.isEndless {
      throw HTTPFailure.wrongMethod(allowed: "GET")
    }
    try access.requireOwnSite(request.head)
    if let needed = route.role(for: method) {
      guard try access.role(of: request.head) >= needed else { throw HTTPFailure.operatorRequired }
    }
    let body: ByteBuffer
    if method == .post {
      try route.requireMediaType(request.headers[.contentType])
      body = try await collect(request)
    } else {
      body = ByteBuffer()
    }
    return Exchange(head: request.head, target: target, body: body, channel: channel)
  }

  private func collect(_ request: Request) async throws -> ByteBuffer {
    let limit = configuration.limits.bodyBytes
    let tooLong = HTTPFailure(
      .contentTooLarge, "tooLarge", "the body of a request has at most \(limit) bytes")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw tooLong
    }
    do {
      return try await request.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw tooLong
    }
  }
}

/// A request that may be answered.
struct Exchange: Sendable {
  var head: HTTPRequest
  var target: RequestTarget
  /// The whole body of a POST.
  var body: ByteBuffer
  var channel: any Channel

  var query: [String: String] { target.query }
}

extension HTTPFields {
  /// Adds what keeps browsers from doing more with an answer than its page should.
  fileprivate mutating func secure() {
    self[.xContentTypeOptions] = "nosniff"
    self[.crossOriginResourcePolicy] = "same-origin"
    // With less, browsers would send forms of the gateway's own pages without their origin.
    self[.unchecked("Referrer-Policy")] = "same-origin"
    if self[.cacheControl] == nil { self[.cacheControl] = "no-store" }
    if self[.contentSecurityPolicy] == nil {
      self[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
  }
}
