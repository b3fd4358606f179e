import CameraProtocol
import EventLoop
import Logging
import ZeroMQ

/// The open endpoints of a node.
struct NodeBus: Sendable {
  let router: RequestRouter
  let events: EventsService
  let frames: FramesEndpoint
  let connections: ConnectionWatch
  /// For keys that are limited to some cameras.
  let limited: LimitedPublications
  /// The configured endpoints, with wildcards resolved.
  let endpoints: NodeEndpoints
  /// The additional endpoints on ipc, if the node has them.
  let ipc: NodeEndpoints?

  /// The threads that must never wait.
  var loops: [EventLoop] { [router.loop, frames.loop] }

  /// Opens the endpoints. Requests wait in the control socket until the router serves them.
  static func open(
    _ configuration: NodeConfiguration, ipc: NodeEndpoints?, frames frameLoop: EventLoop,
    connections watch: ConnectionWatch, doors: Doors, log: Logger,
    teardown: Teardown
  ) async throws -> NodeBus {
    let context = try Context()
    teardown.addBlocking { try? context.close() }
    teardown.add { await watch.close() }
    let handler = try await watch.judge(in: context)
    teardown.add { await watch.loop.run { handler.close() } }
    let epoch = Epoch.random()
    func place(
      _ endpoint: String, _ ipc: String?, _ kind: WatchedEndpoint
    ) async throws -> EndpointPlace {
      EndpointPlace(
        context: context, endpoint: endpoint, ipc: ipc, doors: doors, epoch: epoch,
        connections: try await watch.watch(kind, in: context))
    }
    let (frames, framesEndpoint) = try await FramesEndpoint.open(
      at: place(configuration.frames, ipc?.frames, .frames), on: frameLoop)
    teardown.add { await frames.close() }
    let (events, eventsEndpoint) = try await EventsService.open(
      at: place(configuration.events, ipc?.events, .events),
      queueLength: configuration.limits.eventQueueLength)
    teardown.add { await events.close() }
    let (router, controlEndpoint) = try await RequestRouter.open(
      at: place(configuration.control, ipc?.control, .control), limits: configuration.limits,
      log: log)
    teardown.add { await router.close() }
    let endpoints = NodeEndpoints(
      control: controlEndpoint, events: eventsEndpoint, frames: framesEndpoint)
    let limited = LimitedPublications(
      events: events, frames: frames, connections: watch, context: context, doors: doors,
      beside: endpoints, ports: configuration.limitedPorts)
    return NodeBus(
      router: router, events: events, frames: frames, connections: watch, limited: limited,
      endpoints: endpoints, ipc: ipc)
  }
}

/// Where an endpoint of a node listens, and who watches over it.
struct EndpointPlace: Sendable {
  let context: Context
  let endpoint: String
  /// The endpoint on the same machine, if there is one.
  let ipc: String?
  let doors: Doors
  let epoch: Epoch
  let connections: EndpointWatch
}
