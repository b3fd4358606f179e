import SwiftProtobuf

@testable import CameraClient
@testable import CameraNode
@testable import CameraProtocol

extension Fuzzer {
  /// The parts of a request, before its meaning.
  static let framing = Fuzzer { input in
    let parts = input.parts(Framing.maximumParts + 2)
    guard let (message, attachments) = try? Framing.split(parts, bytes: { $0 }) else { return }
    precondition(parts.count <= Framing.maximumParts, "a request has too many parts")
    precondition(parts[0] == Framing.signature && parts[1] == message)
    precondition(attachments.count == parts.count - 2)
  }

  /// What a node reads: the body of a request.
  static let request = Fuzzer { input in
    guard let request = try? Framing.decode(WireRequest.self, from: input.array),
      request.flaw == nil
    else { return }
    precondition(RequestID(bytes: request.id) != nil, "a valid request has no id")
    precondition(request.body != nil, "a valid request asks for nothing")
    let again = try? WireRequest(serializedBytes: request.bytes)
    precondition(again == request, "a request means something else when it is written again")
    _ = request.fingerprint
  }

  /// What a client reads: a reply, as the values that a program gets.
  static let reply = Fuzzer { input in
    guard let reply = try? Framing.decode(WireReply.self, from: input.array),
      let epoch = Epoch(bytes: reply.epoch)
    else { return }
    switch reply.body {
    case .error(let error)?: _ = CameraBusError(error)
    case .status(let status)?: _ = NodeStatus(status, epoch: epoch)
    case .devices(let reply)?: _ = reply.devices.map(MachineDevice.init)
    case .microphones(let reply)?:
      _ = (reply.microphones.map(Microphone.init), reply.devices.map(SoundDevice.init))
    case .lease(let reply)?: _ = RequestID(bytes: reply.id)
    case .configure(let reply)?:
      _ = CameraStatus(reply.camera)
      _ = reply.controls.map(Control.init)
      _ = ControlEffect(reply.effect)
    case .capabilities(let capabilities)?: _ = Capabilities(capabilities)
    case .calibration(let calibration)?: _ = Calibration(calibration)
    case .clock(let clock)?: _ = ClockReading(clock, sent: .now, received: .now)
    case .session(let camera)?: _ = CameraStatus(camera)
    case .controls(let reply)?:
      _ = reply.controls.map(Control.init)
      _ = ControlEffect(reply.effect)
    case .captureProgress(let progress)?:
      _ = ResolvedCapture(progress.resolved, picture: progress.picture)
      _ = (CaptureSettings(progress.settings), ProcessedFile(progress))
    case .capture(let result)?: _ = (ResolvedCapture(result.resolved), result.assets)
    case .recordStarted(let started)?: _ = RecordingStart(started)
    case .record(let result)?: _ = Movie(result)
    case .download(let result)?: _ = Asset(result.asset)
    case .formats(let reply)?: _ = reply.formats.map(CameraFormat.init)
    case .assets(let reply)?:
      var order = ListOrder()
      _ = order.allows(reply.assets.compactMap(Asset.init))
    case .delete(let reply)?: _ = reply.results.compactMap(AssetChange.init)
    case .protect(let reply)?: _ = reply.results.compactMap(AssetChange.init)
    case .tag(let reply)?: _ = reply.results.compactMap(AssetChange.init)
    case .recording(let status)?: _ = RecordingStatus(status)
    case .libraryProgress(let progress)?: _ = LibraryProgress(progress)
    case .libraryVerify(let reply)?: _ = LibraryVerification(reply)
    case .libraryRepair(let reply)?: _ = LibraryRepair(reply)
    case .replay(let reply)?:
      for event in reply.events {
        readPublication([Array(event.topic.utf8), Array(event.header), Array(event.payload)])
      }
    case .shotPrepared(let shot)?:
      _ = (RequestID(bytes: shot.lease), Timestamp(shot.now), Timestamp(shot.newest))
    case .chunk, .cancel, .shotAbort, nil: break
    }
  }

  /// What a subscriber reads: topic, header and payload.
  static let publication = Fuzzer { input in readPublication(input.parts(3)) }

  private static func readPublication(_ parts: [[UInt8]]) {
    guard parts.count == 3 else { return }
    let (topic, header, payload) = (parts[0], parts[1], parts[2])
    guard
      let publication = try? unsafe Publication(topic: topic.span.bytes, header: header.span.bytes)
    else { return }
    precondition(Array(publication.topic.name.utf8) == topic, "a topic has another spelling")
    switch publication.topic {
    case .heartbeat:
      try? unsafe HeartbeatReader.read(payload.span.bytes) { name, _ in
        _ = Topic(parsing: name.copy)
      }
    case .event:
      guard let event = try? Framing.decode(WireEvent.self, from: payload) else { return }
      switch event.body {
      case .state(let status)?: _ = CameraStatus(status)
      case .control(let control)?: _ = Control(control)
      case .recording(let recording)?:
        _ = Movie(recording.finished)
        _ = RecordedFile(recording.segment)
        for status in [recording.progress, recording.paused, recording.resumed] {
          _ = RecordingStatus(status)
        }
      case .keys(let keys)?: _ = keys.authorized.count
      case .capabilities(let capabilities)?: _ = Capabilities(capabilities)
      case .devices(let devices)?: _ = devices.appeared.map(MachineDevice.init)
      case .subjectArea(let change)?: _ = SubjectAreaChange(change).description
      case .library(let library)?: _ = Asset(library.removed)
      case .sound(let sound)?: _ = SoundChange(sound)?.description
      case .pressure(let pressure)?: _ = SystemPressure(pressure)
      case .deferred(let deferred)?:
        _ = (
          ResolvedCapture(deferred.finished.resolved),
          deferred.finished.files.map { Asset($0.asset) }
        )
      case .capture(let capture)?:
        _ = (ResolvedCapture(capture.completed.resolved), capture.completed.assets)
      case .shot(let shot)?:
        _ = (ResolvedCapture(shot.completed.resolved), shot.completed.assets)
        _ = Timestamp(shot.committed.moment)
      case nil: break
      }
    case .frame:
      precondition(publication.header.frame != nil, "a frame is not described")
    }
  }

  static let topic = Fuzzer { input in
    guard let topic = Topic(parsing: input.array) else { return }
    precondition(Array(topic.name.utf8) == input.array, "a topic has another spelling")
  }
}
