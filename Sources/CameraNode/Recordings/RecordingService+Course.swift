import CameraProtocol
import Capture
import EventLoop
import OperatingSystem
import Recording
import SwiftProtobuf

/// Pauses, and clips.
extension RecordingService {
  func pause(_ body: WireRecordPauseRequest, _ call: Call) throws {
    let (camera, movie) = try active(
      body.camera, body.recording, RequestField.RecordPause.recording, call)
    if let from = movie.recorder.plan.limits.from, from > .now {
      throw WireError(
        .conflict, "the recording of \(camera.name) has not begun: stop it instead",
        field: RequestField.RecordPause.recording)
    }
    guard !camera.recordingIsToEnd else {
      throw WireError(
        .conflict, "the recording of \(camera.name) is about to end: start another one later",
        field: RequestField.RecordPause.recording)
    }
    pause(camera, .requested)
    call.isDone = true
    answer(call, camera)
  }

  func resume(_ body: WireRecordResumeRequest, _ call: Call) throws {
    let (camera, movie) = try active(
      body.camera, body.recording, RequestField.RecordResume.recording, call)
    if movie.pause == .cameraLost {
      throw WireError(
        .conflict, "\(camera.name) is lost: the recording goes on when it is back",
        field: RequestField.RecordResume.recording)
    }
    if movie.outlivesCamera, camera.sessionStatus.state.isTrouble {
      // It is no longer paused by the request.
      setPause(.cameraLost, of: camera)
    } else {
      resume(camera)
    }
    call.isDone = true
    answer(call, camera)
  }

  func trigger(_ body: WireRecordTriggerRequest, _ call: Call) throws {
    let (camera, movie) = try active(
      body.camera, body.recording, RequestField.RecordTrigger.recording, call)
    guard case .clips(let clips) = movie.recorder.plan.cut else {
      throw WireError(
        .conflict, "\(camera.name) records no clips: start a recording with clips",
        field: RequestField.RecordTrigger.recording)
    }
    let moment = MonotonicTime(moment: body.atMonotonicNs) ?? call.asked
    try requireNear(moment, "the moment", RequestField.RecordTrigger.atMonotonicNs, call)
    guard moment >= call.asked - clips.before else {
      throw WireError(
        .frameUnavailable,
        "the moment has passed \(call.asked - moment) ago, and \(clips.before) are kept: trigger sooner, or keep more",
        field: RequestField.RecordTrigger.atMonotonicNs, reason: .late)
    }
    guard movie.recorder.trigger(at: moment) else {
      throw WireError(
        .busy,
        "\(MovieRecorder.maximumTriggers) triggers wait for their moment: trigger again when some have a clip",
        field: RequestField.RecordTrigger.atMonotonicNs)
    }
    call.isDone = true
    answer(call, camera)
  }

  /// Lets the changes of the subject areas of these cameras trigger the clips of a recording.
  /// - Throws: If such a camera is not the client's, or is not watched.
  func requireTriggers(_ clips: WireClipSettings, _ call: Call) throws {
    for name in clips.subjectAreas {
      let camera = try cameras.named(name, for: call.access)
      guard subjectAreas.threshold(of: camera) > 0 else {
        throw WireError(
          .conflict,
          "the subject area of \(name) is not watched: configure its threshold (camctl configure --subject-area)",
          field: RequestField.RecordStart.Clips.subjectAreas)
      }
    }
  }

  /// The camera's session is in another state.
  /// - Parameter reason: Why a recording ends that does not outlive it; nil if it runs.
  func take(_ reason: MovieSummary.EndReason?, of camera: Camera) {
    guard let movie = camera.recording, movie.outlivesCamera else {
      if let reason { end(of: camera, reason) }
      return
    }
    switch camera.sessionStatus.state {
    case .interrupted, .failed: if movie.pause == nil { pause(camera, .cameraLost) }
    case .running: if movie.pause == .cameraLost { resume(camera) }
    // It tries to come back.
    case .starting where movie.pause == .cameraLost: break
    default: if let reason { end(of: camera, reason) }
    }
  }

  private func pause(_ camera: Camera, _ reason: WireRecordingPause) {
    guard let movie = camera.recording, movie.pause != reason else { return }
    let wasPaused = movie.pause != nil
    setPause(reason, of: camera)
    if !wasPaused { remove(movie, from: camera) }
    publish(movie.id, of: camera) { .paused($0) }
    events.publishState(of: camera)
  }

  private func resume(_ camera: Camera) {
    guard let movie = camera.recording, movie.pause != nil else { return }
    setPause(nil, of: camera)
    camera.pipeline.loop.perform {
      movie.recorder.resume()
      movie.attach()
    }
    publish(movie.id, of: camera) { .resumed($0) }
    events.publishState(of: camera)
  }

  private func answer(_ call: Call, _ camera: Camera) {
    guard let movie = camera.recording else { return }
    call.finish(.recording(movie.status(camera.streams)))
  }
}
