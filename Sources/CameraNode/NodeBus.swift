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
    let (frames, framesEndpoint) = try await FramesEndpoint.open(
      context, on: frameLoop, endpoint: configuration.frames, ipc: ipc?.frames, doors: doors,
      epoch: epoch,
      connections: try await watch.watch(.frames, in: context))
    teardown.add { await frames.close() }
    let (events, eventsEndpoint) = try await EventsService.open(
      context, endpoint: configuration.events, ipc: ipc?.events, doors: doors, epoch: epoch,
      queueLength: configuration.limits.eventQueueLength,
      connections: try await watch.watch(.events, in: context))
    teardown.add { await events.close() }
    let (router, controlEndpoint) = try await RequestRouter.open(
      context, endpoint: configuration.control, ipc: ipc?.control, doors: doors, epoch: epoch,
      limits: configuration.limits,
      connections: try await watch.watch(.control, in: context), log: log)
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
