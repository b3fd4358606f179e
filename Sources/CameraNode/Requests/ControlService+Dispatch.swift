import OperatingSystem
import Recording
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop

extension ControlService {
  /// Has a new request done.
  /// - Parameters:
  ///   - asked: when the node read it.
  ///   - deadline: when nobody waits for it any more.
  func serve(
    _ request: WireRequest, id: RequestID, asked: MonotonicTime, deadline: MonotonicTime
  ) {
    switch request.body {
    case .status(let body): status(body, id: id)
    case .sessionStart(let body): startSession(body, id: id, until: deadline)
    case .sessionStop(let body): stopSession(body, id: id, until: deadline)
    case .formats(let body): formats(body, id: id, until: deadline)
    case .controlsList(let body): listControls(body, id: id, until: deadline)
    case .controlsGet(let body): getControls(body, id: id, until: deadline)
    case .controlsSet(let body): setControls(body, id: id, until: deadline)
    case .capture(let body): capture(body, id: id, asked: asked, deadline: deadline)
    case .recordStart(let body): startRecording(body, id: id, until: deadline)
    case .recordStop(let body): stopRecording(body, id: id)
    case .assets(let body): listAssets(body, id: id, until: deadline)
    case .download(let body): download(body, id: id, until: deadline)
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

  private func startSession(
    _ body: WireSessionStartRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    let change: FormatRequest
    do throws(CaptureError) {
      change = try FormatRequest(body)
    } catch {
      return fail(id, error)
    }
    perform(id, on: camera.session, until: deadline) { (session) throws(CaptureError) in
      try session.start(change)
    } then: { service, result in
      service.finishSession(id, camera, result)
    }
  }

  private func stopSession(
    _ body: WireSessionStopRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    perform(id, on: camera.session, until: deadline) { (session) throws(CaptureError) in
      session.stop()
    } then: { service, result in
      service.finishSession(id, camera, result)
    }
  }

  private func finishSession(
    _ id: RequestID,
    _ camera: CameraService,
    _ result: Result<Void, CaptureError>
  ) {
    switch result {
    case .success: finish(id, .session(camera.status(.now())))
    case .failure(let error): fail(id, error)
    }
  }

  private func formats(
    _ body: WireFormatsRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    perform(id, on: camera.session, until: deadline) { (session) throws(CaptureError) in
      try session.formats()
    } then: { service, result in
      service.answer(id, result) { formats in
        .formats(.with { $0.formats = formats.map(WireFormat.init) })
      }
    }
  }

  // MARK: Controls

  private func listControls(
    _ body: WireControlsListRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    perform(id, on: camera.session, until: deadline) { (session) throws(CaptureError) in
      try session.controls()
    } then: { service, result in
      service.answer(id, result, WireReply.OneOf_Body.controls)
    }
  }

  private func getControls(
    _ body: WireControlsGetRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    let ids = body.ids.map(ControlID.init)
    perform(id, on: camera.session, until: deadline) { (session) throws(CaptureError) in
      try session.controls(ids)
    } then: { service, result in
      service.answer(id, result, WireReply.OneOf_Body.controls)
    }
  }

  private func setControls(
    _ body: WireControlsSetRequest, id: RequestID, until deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    let settings: [CaptureSession.Setting]
    do throws(CaptureError) {
      settings = try body.settings.map { (setting) throws(CaptureError) in
        try CaptureSession.Setting(setting)
      }
    } catch {
      return fail(id, error)
    }
    perform(id, on: camera.session, until: deadline) { (session) throws(CaptureError) in
      try session.set(settings)
    } then: { service, result in
      service.answer(id, result, WireReply.OneOf_Body.controls)
    }
  }
}

extension WireReply.OneOf_Body {
  fileprivate static func controls(_ states: [ControlState]) -> WireReply.OneOf_Body {
    .controls(.with { $0.controls = states.map(WireControl.init) })
  }
}
