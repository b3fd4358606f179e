import Recording
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop

extension ControlService {
  /// Has a new request done.
  /// - Parameter asked: when the node read it.
  func serve(_ request: WireRequest, id: RequestID, asked: MonotonicTime) {
    let remaining =
      request.remainingNs == 0
      ? Self.defaultDeadline : .nanoseconds(Int64(clamping: request.remainingNs))
    let deadline = asked + remaining
    switch request.body {
    case .status(let body): status(body, id: id)
    case .sessionStart(let body): startSession(body, id: id)
    case .sessionStop(let body): stopSession(body, id: id)
    case .formats(let body): formats(body, id: id)
    case .controlsList(let body): listControls(body, id: id)
    case .controlsGet(let body): getControls(body, id: id)
    case .controlsSet(let body): setControls(body, id: id)
    case .capture(let body): capture(body, id: id, asked: asked, deadline: deadline)
    case .recordStart(let body): startRecording(body, id: id)
    case .recordStop(let body): stopRecording(body, id: id)
    case .assets(let body): listAssets(body, id: id)
    case .download(let body): download(body, id: id)
    case .replay(let body): replay(body, id: id)
    case .cancel(let body): cancel(body, id: id)
    case .downloadCredit, nil:
      fail(id, WireError(.unsupported, "this node does not know this kind of request: update it"))
    }
  }

  /// The camera a request names, or the only one there is; answers the request when there is none.
  func camera(_ name: String, for id: RequestID) -> CameraService? {
    if name.isEmpty, cameras.count == 1 { return cameras[0] }
    if let camera = cameras.first(where: { $0.name == name }) { return camera }
    let names = cameras.map(\.name).joined(separator: ", ")
    let problem = name.isEmpty ? "the request names no camera" : "there is no camera \(name)"
    fail(id, WireError(.noSuchCamera, "\(problem): this node has \(names)", field: "camera"))
    return nil
  }

  // MARK: Session

  private func startSession(_ body: WireSessionStartRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    let change: FormatRequest
    do throws(CaptureError) {
      change = try FormatRequest(body)
    } catch {
      return fail(id, error)
    }
    camera.session.perform { (session) throws(CaptureError) in
      try session.start(change)
    } then: { [self] result in
      finishSession(id, camera, result)
    }
  }

  private func stopSession(_ body: WireSessionStopRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    camera.session.perform { (session) throws(CaptureError) in
      session.stop()
    } then: { [self] result in
      finishSession(id, camera, result)
    }
  }

  private nonisolated func finishSession(
    _ id: RequestID,
    _ camera: CameraService,
    _ result: Result<Void, CaptureError>
  ) {
    enter { service in
      switch result {
      case .success:
        service.statuses(of: [camera]) { service, statuses in
          service.finish(id, .session(statuses[0]))
        }
      case .failure(let error): service.fail(id, error)
      }
    }
  }

  private func formats(_ body: WireFormatsRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    camera.session.perform { (session) throws(CaptureError) in
      try session.formats()
    } then: { [self] result in
      answer(id, result) { formats in
        .formats(.with { $0.formats = formats.map(WireFormat.init) })
      }
    }
  }

  // MARK: Controls

  private func listControls(_ body: WireControlsListRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    camera.session.perform { (session) throws(CaptureError) in
      try session.controls()
    } then: { [self] result in
      answer(id, result, WireReply.OneOf_Body.controls)
    }
  }

  private func getControls(_ body: WireControlsGetRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    let ids = body.ids.map(ControlID.init)
    camera.session.perform { (session) throws(CaptureError) in
      try session.controls(ids)
    } then: { [self] result in
      answer(id, result, WireReply.OneOf_Body.controls)
    }
  }

  private func setControls(_ body: WireControlsSetRequest, id: RequestID) {
    guard let camera = camera(body.camera, for: id) else { return }
    let settings: [CaptureSession.Setting]
    do throws(CaptureError) {
      settings = try body.settings.map { (setting) throws(CaptureError) in
        try CaptureSession.Setting(setting)
      }
    } catch {
      return fail(id, error)
    }
    camera.session.perform { (session) throws(CaptureError) in
      try session.set(settings)
    } then: { [self] result in
      answer(id, result, WireReply.OneOf_Body.controls)
    }
  }

  /// Gives the outcome of work on another thread as the final reply.
  nonisolated func answer<R: Sendable>(
    _ id: RequestID,
    _ result: Result<R, CaptureError>,
    _ body: @escaping @Sendable (R) -> WireReply.OneOf_Body
  ) {
    enter { service in
      switch result {
      case .success(let value): service.finish(id, body(value))
      case .failure(let error): service.fail(id, error)
      }
    }
  }

  // MARK: Cancel

  private func cancel(_ body: WireCancelRequest, id: RequestID) {
    guard let target = RequestID(bytes: body.request) else { return }
    if endDownload(target) { return finish(id, .cancel(.with { $0.outcome = .cancelled })) }
    guard let job = captures[target] else {
      return finish(id, .cancel(.with { $0.outcome = table.knows(target) ? .tooLate : .unknown }))
    }
    let (pipeline, ticket) = (job.camera.pipeline, job.ticket)
    frameLoop.perform { [self] in
      let outcome: WireCancelReply.Outcome = pipeline.photos.cancel(ticket) ? .cancelled : .tooLate
      enter { $0.finish(id, .cancel(.with { $0.outcome = outcome })) }
    }
  }
}

extension WireReply.OneOf_Body {
  fileprivate static func controls(_ states: [ControlState]) -> WireReply.OneOf_Body {
    .controls(.with { $0.controls = states.map(WireControl.init) })
  }
}
