import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

/// The events endpoint: publishes events, and sends monitors those that they lost.
@ControlLoop final class EventsService {
  private let publisher: Publisher

  private init(_ publisher: Publisher) { self.publisher = publisher }

  /// Binds the endpoint.
  /// - Returns: The service, and the endpoint with wildcards resolved.
  static func open(
    at place: EndpointPlace, queueLength: Int
  ) throws(ZeroMQError) -> (service: EventsService, endpoint: String) {
    let publisher = Publisher(
      place.context, on: ControlLoop.shared.loop, epoch: place.epoch, queueLength: queueLength)
    let bound = try publisher.open(
      [place.endpoint], ipc: place.ipc, by: place.doors, connections: place.connections)
    return (EventsService(publisher), bound)
  }

  /// Opens a socket for subscribers that are limited to some cameras.
  /// - Parameter endpoints: Of which the first one that is free is bound.
  /// - Returns: The endpoint with wildcards resolved.
  func open(
    _ endpoints: [String], for cameras: Set<String>, by doors: Doors, connections: EndpointWatch
  ) throws(ZeroMQError) -> String {
    try publisher.open(endpoints, for: cameras, by: doors, connections: connections)
  }

  /// Closes the socket for subscribers that are limited to these cameras.
  func close(for cameras: Set<String>) { publisher.close(for: cameras) }

  /// Starts to publish heartbeats.
  func start() { publisher.start() }

  func close() { publisher.close() }

  /// The number of the last publication of every topic.
  var lastSequences: [(topic: String, sequence: UInt64)] { publisher.lastSequences }

  /// How often an event was dropped because a monitor's queue had just become full.
  var overflows: UInt64 { publisher.overflows }

  // MARK: Subscribers

  /// - Parameter body: Called after subscriptions have begun or ended.
  func onSubscriptionsChanged(_ body: @escaping () -> Void) {
    publisher.onSubscriptionsChanged = body
  }

  func hasSubscribers(_ kind: EventKind, ofCamera name: String) -> Bool {
    publisher.subscriptions.subscribers(
      of: Topic.event(camera: name, kind: kind).name, camera: name) > 0
  }

  // MARK: Publishing

  /// Publishes nothing of a camera that the node has no more.
  func publishState(of camera: Camera) {
    guard !camera.hasLeft else { return }
    publish(.state(camera.status(.now())), .state, ofCamera: camera.name)
  }

  /// Publishes the last state of a camera that the node has no more.
  func publishEnd(of camera: Camera) {
    publish(.state(camera.status(.now())), .state, ofCamera: camera.name)
    publisher.retire(camera: camera.name)
  }

  func publish(captureOf id: RequestID, _ body: WireCaptureEvent.OneOf_Body, ofCamera name: String)
  {
    let event = WireCaptureEvent.with {
      $0.requestID = id.data
      $0.body = body
    }
    publish(.capture(event), .capture, ofCamera: name)
  }

  func publish(recording id: RequestID, _ body: WireRecordEvent.OneOf_Body, ofCamera name: String) {
    let event = WireRecordEvent.with {
      $0.requestID = id.data
      $0.body = body
    }
    publish(.recording(event), .recording, ofCamera: name)
  }

  func publish(_ body: WireEvent.OneOf_Body, _ kind: EventKind, ofCamera name: String) {
    let event = WireEvent.with {
      $0.camera = name
      $0.time = WireTimestamp(.now, .now())
      $0.body = body
    }
    publisher.publish(
      event.bytes, on: publisher.topic(Topic.event(camera: name, kind: kind).name))
  }

  /// Tells monitors who may use the node.
  func publish(_ news: KeyService.News) {
    let event = WireKeysEvent.with {
      $0.authorized = news.authorized
      $0.revoked = news.revoked
      $0.mistakes = news.mistakes
      $0.refusedConnections = UInt64(clamping: news.refusals)
    }
    publish(.keys(event), .keys, ofCamera: CameraName.node)
  }

  // MARK: Requests

  /// Sends a monitor the events that it lost, as far as they are still kept.
  func replay(_ body: WireReplayRequest, _ call: Call) {
    let ranges = body.ranges.filter { call.access.isFor(topic: $0.topic) }.map { range in
      EventLog.TopicRange(
        topic: range.topic, numbers: range.first...(range.last == 0 ? .max : range.last))
    }
    let (events, hasMore) = publisher.log.replay(ranges, upTo: WireLimits.replayByteCount)
    let reply = WireReplayReply.with { reply in
      reply.more = hasMore
      reply.events = events.map { event in
        .with {
          $0.topic = event.topic
          $0.header = Data(event.header)
          $0.payload = Data(event.payload)
        }
      }
    }
    call.finish(.replay(reply))
  }
}
