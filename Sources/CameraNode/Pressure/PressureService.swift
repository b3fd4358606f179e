import CameraProtocol
import Capture
import EventLoop
import Logging
import OperatingSystem
import SwiftProtobuf

/// Makes the node do less while its machine is hard pressed, and all of it again afterwards.
@ControlLoop final class PressureService {
  private let cameras: CameraDirectory
  private let events: EventsService
  private let frames: FramesEndpoint
  private let deferrals: DeferredService
  private let log: Logger
  /// Nil if the node does not look at its machine.
  private var stalls: RecentStalls?
  /// Nil while the node does not know.
  private var state: PressureState?

  init(
    cameras: CameraDirectory, events: EventsService, frames: FramesEndpoint,
    deferrals: DeferredService, stalls: RecentStalls?, log: Logger
  ) {
    self.cameras = cameras
    self.events = events
    self.frames = frames
    self.deferrals = deferrals
    self.stalls = stalls
    self.log = log
  }

  /// For the status; nil if the node does not watch the pressure.
  var wire: WirePressure? {
    guard let state else { return nil }
    var wire = WirePressure(state, .now())
    if let waiting = stalls?.waiting(at: .now) { wire.waiting = waiting }
    return wire
  }

  func take(_ state: PressureState) {
    let before = self.state?.level
    self.state = state
    guard state.level != before ?? .nominal else { return }
    let cause = state.cause.isEmpty ? "" : ": \(state.cause)"
    // The end of a trouble is as important as its beginning.
    let isTrouble = max(state.level, before ?? .nominal) >= .serious
    log.log(
      level: isTrouble ? .warning : .info, "the pressure on the machine is \(state.level)\(cause)")
    frames.enter { $0.thin(to: state.level.thinning) }
    deferrals.take(state.level)
    events.publish(
      .pressure(WirePressure(state, .now())), .pressure, ofCamera: CameraName.node)
    for camera in cameras.all { update(camera) }
  }

  /// A recording of the camera has ended, or the pressure has changed.
  func update(_ camera: Camera) {
    guard let state else { return }
    let error =
      state.level.interrupts(recording: camera.isRecording)
      ? CaptureError(
        .interrupted,
        "the pressure on the machine is \(state.level) (\(state.cause)): wait until it has fallen")
      : nil
    let told = camera.part(ToldPressure.self)
    guard error != told.error else { return }
    told.error = error
    camera.session.enter { $0.press(error) }
  }
}

private final class ToldPressure: CameraPart {
  /// Why the camera's session may not run, as it was told last.
  var error: CaptureError?
}
