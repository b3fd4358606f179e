import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import OperatingSystem
import SwiftProtobuf

/// Reports what the node and its cameras are doing now.
@ControlLoop final class StatusService {
  private let facts: NodeFacts
  private let bus: NodeBus
  private let cameras: CameraDirectory
  private let pressure: PressureService
  private let deferrals: DeferredService
  /// Says what the library takes and keeps.
  var describeLibrary: ((inout WireLibraryStatus, Access) -> Void)?
  /// Says what the microphones are like that a client may use.
  var describeMicrophones: ((Access) -> [WireMicrophoneStatus])?
  /// Whether the library can store more; nil before the first look.
  var room: LibraryRoom?

  init(
    _ facts: NodeFacts, _ bus: NodeBus, _ cameras: CameraDirectory, _ pressure: PressureService,
    _ deferrals: DeferredService
  ) {
    self.facts = facts
    self.bus = bus
    self.cameras = cameras
    self.pressure = pressure
    self.deferrals = deferrals
  }

  func status(_ body: WireStatusRequest, _ call: Call) async throws {
    let wanted =
      body.camera.isEmpty
      ? cameras.all(for: call.access) : [try cameras.named(body.camera, for: call.access)]
    var limited: LimitedPublications.Endpoints?
    if let cameras = call.access.cameras {
      limited = try await bus.limited.endpoints(for: cameras)
    }
    // Answer after the changes that other threads have already sent to this loop, so that a client
    // that knows of such a change finds it in the answer.
    bus.router.enter { [self, limited] in
      var status = snapshot(of: wanted, for: call.access, bus.router.counters)
      if let limited {
        (status.eventsEndpoint, status.framesEndpoint) = (limited.events, limited.frames)
        (status.eventsIpcEndpoint, status.framesIpcEndpoint) = ("", "")
      }
      call.finish(.status(status))
    }
  }

  /// Answers at once, so that the two moments lie close together.
  func clock(_ call: Call) {
    let source = WallClockError.shared.source.map(WireWallClockSource.init)
    call.finish(
      .clock(
        .with {
          $0.readMonotonicNs = call.asked.nanoseconds
          $0.wallSource = source ?? .unspecified
          $0.clockID = MonotonicTime.clockID
          $0.answered = WireTimestamp(.now, .now())
        }))
  }

  private func snapshot(
    of cameras: [Camera], for access: Access, _ counters: RequestRouter.Counters
  ) -> WireStatusReply {
    let wallClock = WallClockSample.now()
    return WireStatusReply.with { reply in
      reply.nodeName = facts.name
      reply.version = facts.version
      reply.now = WireTimestamp(.now, wallClock)
      reply.startedMonotonicNs = facts.started.nanoseconds
      reply.eventsEndpoint = bus.endpoints.events
      reply.framesEndpoint = bus.endpoints.frames
      reply.eventsIpcEndpoint = bus.ipc?.events ?? ""
      reply.framesIpcEndpoint = bus.ipc?.frames ?? ""
      reply.cameras = cameras.map { $0.status(wallClock) }
      for (topic, sequence) in bus.events.lastSequences where access.isFor(topic: topic) {
        reply.topics.append(
          .with {
            $0.topic = topic
            $0.lastSequence = sequence
          })
      }
      reply.malformedRequests = counters.malformed
      reply.busyReplies = counters.busy
      reply.undeliverableReplies = counters.undeliverable
      reply.eventsDropped = bus.events.overflows
      reply.forbiddenRequests = counters.forbidden
      reply.refusedConnections = bus.connections.refusals
      reply.role = WireRole(access.role)
      reply.roleCameras = (access.cameras ?? []).sorted()
      reply.roleExpiresWallNs = access.expiry ?? 0
      reply.library = library(for: access)
      reply.microphones = describeMicrophones?(access) ?? []
      if let pressure = pressure.wire { reply.pressure = pressure }
      reply.loops = bus.loops.map { loop in
        .with {
          $0.name = loop.name
          $0.longestTurnNs = loop.longestTurn.wireNanoseconds
        }
      }
    }
  }

  private func library(for access: Access) -> WireLibraryStatus {
    .with {
      describeLibrary?(&$0, access)
      $0.folder = facts.library
      if let free = room?.freeByteCount { $0.freeBytes = UInt64(clamping: free) }
      $0.reserveBytes = UInt64(clamping: room?.reserve ?? 0)
      if let error = room?.firstError { $0.error = WireError(error) }
      $0.deferredPhotos = UInt32(deferrals.count)
      $0.deferredBytes = UInt64(deferrals.byteCount)
    }
  }
}
