import HTTPTypes

/// What the gateway has at an address.
enum Route: Hashable, Sendable {
  case page
  case style
  case login
  case health
  case readiness
  case status
  case events
  case metrics
  /// A photo: `snapshot/CAMERA.jpg`.
  case snapshot([String])
  /// A live picture: `stream/CAMERA.mjpg`.
  case stream([String])
  /// `capture/CAMERA`
  case capture([String])
  /// `record/start/CAMERA` and so on.
  case record(RecordRoute.Action, [String])
  /// `session/start/CAMERA` and so on.
  case session(SessionRoute.Action, [String])
  case assets
  /// `assets/ID` or `assets/NODE/ID`
  case asset([String])
  /// `controls/CAMERA`
  case controls([String])
  case unknown

  /// - Parameter path: The parts of the path, behind the gateway's prefix.
  init(_ path: [String]) {
    let rest = Array(path.dropFirst())
    self =
      switch (path.first, rest.count) {
      case (nil, 0): .page
      case ("page.css"?, 0): .style
      case ("login"?, 0): .login
      case ("healthz"?, 0): .health
      case ("readyz"?, 0): .readiness
      case ("api"?, 1) where rest[0] == "status": .status
      case ("events"?, 0): .events
      case ("metrics"?, 0): .metrics
      case ("snapshot"?, 1...2): Self.name(rest, ".jpg").map(Route.snapshot) ?? .unknown
      case ("stream"?, 1...2): Self.name(rest, ".mjpg").map(Route.stream) ?? .unknown
      case ("assets"?, 0): .assets
      case ("assets"?, 1...2): .asset(rest)
      case ("capture"?, 1...2): .capture(rest)
      case ("controls"?, 1...2): .controls(rest)
      case ("record"?, 2...3):
        RecordRoute.Action(rawValue: rest[0]).map { .record($0, Array(rest[1...])) } ?? .unknown
      case ("session"?, 2...3):
        SessionRoute.Action(rawValue: rest[0]).map { .session($0, Array(rest[1...])) } ?? .unknown
      default: .unknown
      }
  }

  /// The path without the ending of its last part; nil if that has another ending.
  private static func name(_ path: [String], _ ending: String) -> [String]? {
    guard let last = path.last, last.hasSuffix(ending), last.count > ending.count else {
      return nil
    }
    return path.dropLast() + [String(last.dropLast(ending.count))]
  }

  /// What the route is called in metrics.
  var name: String {
    switch self {
    case .page: "page"
    case .style: "style"
    case .login: "login"
    case .health: "healthz"
    case .readiness: "readyz"
    case .status: "status"
    case .events: "events"
    case .metrics: "metrics"
    case .snapshot: "snapshot"
    case .stream: "stream"
    case .capture: "capture"
    case .record(let action, _): "record_\(action)"
    case .session(let action, _): "session_\(action)"
    case .controls: "controls"
    case .assets: "assets"
    case .asset: "asset"
    case .unknown: "unknown"
    }
  }

  /// The methods that it takes. What takes GET takes HEAD too, unless it has no end.
  var methods: Set<HTTPRequest.Method> {
    switch self {
    case .login, .controls: [.get, .post]
    case .capture, .record, .session: [.post]
    default: [.get]
    }
  }

  /// Whether its answer goes on until the visitor leaves.
  var isEndless: Bool {
    switch self {
    case .events, .stream: true
    default: false
    }
  }

  /// The least role that may use it; nil for everybody.
  func role(for method: HTTPRequest.Method) -> WebRole? {
    switch self {
    case .style, .login, .health, .readiness: nil
    default: method == .post ? .operator : .viewer
    }
  }

  /// Forms of other sites can send other types of bodies without asking, and JSON not.
  func requireMediaType(_ text: String?) throws(HTTPFailure) {
    let expected = self == .login ? "application/x-www-form-urlencoded" : "application/json"
    let type = text?.prefix { $0 != ";" }.lowercased().split(separator: " ").first ?? ""
    guard type == expected else {
      throw HTTPFailure(
        .unsupportedMediaType, "unsupportedMediaType", "send the body as Content-Type: \(expected)")
    }
  }

  func answer(_ exchange: Exchange, _ gateway: WebGateway) async throws -> Answer {
    switch self {
    case .page: return try await Page.answer(exchange, gateway)
    case .style: return Page.style
    case .login: return try LoginPage.answer(exchange, gateway)
    case .health: return Answer(type: "text/plain", "ok\n")
    case .readiness: return await StatusRoute.readiness(gateway)
    case .status: return try await StatusRoute.answer(exchange, gateway)
    case .events: return try EventsRoute.answer(exchange, gateway)
    case .metrics: return try await MetricsRoute.answer(exchange, gateway)
    case .snapshot(let path): return try await SnapshotRoute.answer(exchange, path[...], gateway)
    case .stream(let path): return try await StreamRoute.answer(exchange, path[...], gateway)
    case .capture(let path): return try await CaptureRoute.answer(exchange, path[...], gateway)
    case .record(let action, let path):
      return try await RecordRoute.answer(action, exchange, path[...], gateway)
    case .session(let action, let path):
      return try await SessionRoute.answer(action, exchange, path[...], gateway)
    case .controls(let path): return try await ControlsRoute.answer(exchange, path[...], gateway)
    case .assets: return try await AssetsRoute.list(exchange, gateway)
    case .asset(let path): return try await AssetsRoute.asset(exchange, path[...], gateway)
    case .unknown: throw HTTPFailure.noSuchPage
    }
  }
}
