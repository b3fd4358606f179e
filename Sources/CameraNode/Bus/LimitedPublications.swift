import CameraProtocol
import Capture
import Keys
import OperatingSystem
import ZeroMQ

/// The sockets on which keys that are limited to some cameras get the publications of these. Each
/// set of cameras has a pair, which is opened when a key with this set asks for it.
actor LimitedPublications {
  /// Where the publications of some cameras are.
  struct Endpoints: Hashable, Sendable {
    var events: String
    var frames: String
  }

  /// The most sets of cameras at a time.
  static let limit = 16

  private let events: EventsService
  private let frames: FramesEndpoint
  private let connections: ConnectionWatch
  private let context: Context
  private let doors: Doors
  private let main: NodeEndpoints
  private let ports: ClosedRange<UInt16>?
  /// The pairs of endpoints that are open or being opened.
  private var pairs: [Set<String>: (opening: Task<Endpoints, any Error>, number: Int)] = [:]
  private var lastNumber = 0

  /// - Parameters:
  ///   - main: The endpoints of the other keys. The sockets have the same addresses.
  ///   - ports: The ports to use; nil for any free ones.
  init(
    events: EventsService, frames: FramesEndpoint, connections: ConnectionWatch, context: Context,
    doors: Doors, beside main: NodeEndpoints, ports: ClosedRange<UInt16>?
  ) {
    self.events = events
    self.frames = frames
    self.connections = connections
    self.context = context
    self.doors = doors
    self.main = main
    self.ports = ports
  }

  /// The endpoints for these cameras, which are opened if they are not yet.
  /// - Throws: `WireError` if there are too many sets of cameras, or no free port.
  func endpoints(for cameras: Set<String>) async throws -> Endpoints {
    if let pair = pairs[cameras] { return try await pair.opening.value }
    guard pairs.count < Self.limit else {
      throw WireError(
        .busy,
        "the keys of this node have \(Self.limit) different sets of cameras already: ask its "
          + "owner to give several keys the same set")
    }
    lastNumber += 1
    let number = lastNumber
    // A task, because other requests may come for the same cameras and wait for it too.
    let opening = Task(executorPreference: frames.loop) {
      try await self.open(cameras, number)
    }
    pairs[cameras] = (opening, number)
    do {
      return try await opening.value
    } catch {
      if pairs[cameras]?.number == number { pairs[cameras] = nil }
      throw error
    }
  }

  /// Closes the sockets of all other sets of cameras.
  func keep(_ sets: Set<Set<String>>) async {
    for (cameras, pair) in pairs where !sets.contains(cameras) {
      pairs[cameras] = nil
      _ = try? await pair.opening.value
      await close(cameras, pair.number)
    }
  }

  private func open(_ cameras: Set<String>, _ number: Int) async throws -> Endpoints {
    do throws(ZeroMQError) {
      let eventsWatch = try await connections.watch(
        WatchedEndpoint(kind: .events, number: number), in: context)
      let events = try await self.events.open(
        endpoints(beside: main.events), for: cameras, by: doors, connections: eventsWatch)
      let framesWatch = try await connections.watch(
        WatchedEndpoint(kind: .frames, number: number), in: context)
      let frames = try await self.frames.open(
        endpoints(beside: main.frames), for: cameras, by: doors, connections: framesWatch)
      return Endpoints(events: events, frames: frames)
    } catch {
      await close(cameras, number)
      throw WireError(
        .internal,
        "no socket for this key can be opened (\(error.message)): ask the node's owner, who may widen --limited-ports"
      )
    }
  }

  /// The endpoints to try, one after the other.
  private func endpoints(beside main: String) -> [String] {
    let host = main[..<(main.lastIndex(of: ":") ?? main.endIndex)]
    return ports.map { $0.map { "\(host):\($0)" } } ?? ["\(host):*"]
  }

  private func close(_ cameras: Set<String>, _ number: Int) async {
    await events.close(for: cameras)
    await frames.close(for: cameras)
    for kind in [WatchedEndpoint.Kind.events, .frames] {
      await connections.forget(WatchedEndpoint(kind: kind, number: number))
    }
  }
}
