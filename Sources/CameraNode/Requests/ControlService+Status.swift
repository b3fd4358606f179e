import Logging
import OperatingSystem
import Recording
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop

extension ControlService {
  func status(_ body: WireStatusRequest, id: RequestID) {
    let wanted: [CameraService]
    if body.camera.isEmpty {
      wanted = cameras
    } else {
      guard let camera = camera(body.camera, for: id) else { return }
      wanted = [camera]
    }
    // After what other threads have told already: who knows of it from elsewhere finds it in the
    // answer.
    enter { $0.finish(id, .status($0.snapshot(of: wanted))) }
  }

  private func snapshot(of cameras: [CameraService]) -> WireStatusReply {
    let wallClock = WallClockSample.now()
    return WireStatusReply.with { reply in
      reply.nodeName = facts.name
      reply.version = facts.version
      reply.now = WireTimestamp(.now, wallClock)
      reply.startedMonotonicNs = facts.started.nanoseconds
      reply.eventsEndpoint = endpoints.events
      reply.framesEndpoint = endpoints.frames
      reply.eventsIpcEndpoint = ipc?.events ?? ""
      reply.framesIpcEndpoint = ipc?.frames ?? ""
      reply.cameras = cameras.map { $0.status(wallClock) }
      reply.topics = (events?.lastSequences ?? []).map { topic, sequence in
        .with {
          $0.topic = topic
          $0.lastSequence = sequence
        }
      }
      reply.malformedRequests = counters.malformed
      reply.busyReplies = counters.busy
      reply.undeliverableReplies = counters.undeliverable
      reply.eventsDropped = events?.overflows ?? 0
      reply.library = facts.library
    }
  }

  // MARK: Events

  /// A camera's session tells of itself.
  func sessionEvent(_ event: SessionEvent, ofCamera name: String) {
    guard let camera = cameras.first(where: { $0.name == name }) else { return }
    switch event {
    case .state(let status):
      if status.state.summary != camera.sessionStatus.state.summary {
        log.info("camera \(camera.name): \(status.state.summary)")
      }
      camera.take(status)
      if let reason = status.state.endOfRecording { finishRecording(of: camera, reason: reason) }
      publishState(of: camera)
    case .firstFrame:
      camera.hasFrames = true
      publishState(of: camera)
    case .remark(let remark):
      log.warning("camera \(camera.name): \(remark)")
    case .control(let control):
      publish(.control(WireControl(control)), .control, of: camera)
    }
  }

  /// The number of photos under way changed.
  func loadChanged(_ load: PhotoLoad, ofCamera name: String) {
    guard let camera = cameras.first(where: { $0.name == name }) else { return }
    let before = camera.readiness
    camera.load = load
    if camera.readiness != before { publishState(of: camera) }
  }

  func publishState(of camera: CameraService) {
    publish(.state(camera.status(.now())), .state, of: camera)
  }

  func publish(_ body: WireEvent.OneOf_Body, _ kind: EventKind, of camera: CameraService) {
    publish(body, kind, ofCamera: camera.name)
  }

  func publish(_ body: WireEvent.OneOf_Body, _ kind: EventKind, ofCamera name: String) {
    guard let events else { return }
    let event = WireEvent.with {
      $0.camera = name
      $0.time = WireTimestamp(.now, .now())
      $0.body = body
    }
    events.publish(
      event.bytes,
      on: events.topic(Topic.event(camera: name, kind: kind).name)
    )
  }
}
