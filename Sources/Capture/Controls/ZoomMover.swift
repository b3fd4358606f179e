import EventLoop
import OperatingSystem

/// Moves the zoom smoothly, a step with each frame. Confined to the session's thread.
final class ZoomMover {
  /// A ramp of the zoom.
  struct Ramp {
    /// Where it will come to rest.
    let target: Double
    /// Doublings a second.
    let rate: Double
    /// The setting with which it comes to rest, of the driver's control or of the zoom that the
    /// node makes.
    let goal: CaptureSession.Setting
    /// What was set last.
    fileprivate(set) var last: CaptureSession.Setting?

    var control: ControlID { goal.control }
  }

  /// The ramp that is under way.
  private(set) var ramp: Ramp?
  /// Counts ramps, so that a late step of an earlier one is ignored.
  private var count = 0
  private let access: ControlAccess

  init(_ access: ControlAccess) { self.access = access }

  /// Finds out how the zoom among some settings moves. Changes nothing.
  /// - Parameter rate: Doublings a second, above 0.
  /// - Throws: What setting them would throw; `invalidArgument` without a zoom among the settings;
  ///   `notRunning` without frames.
  func ramp(_ settings: [CaptureSession.Setting], rate: Double) throws(CaptureError) -> Ramp {
    guard rate > 0, rate <= ZoomRamp.fastest,
      let wanted = settings.last(where: { $0.control == .zoom })
    else {
      throw CaptureError(
        .invalidArgument,
        "a ramp moves zoom, by at most \(Int(ZoomRamp.fastest)) doublings a second: set zoom with it",
        part: .rampRate)
    }
    guard access.input.format != nil else {
      throw CaptureError(
        .notRunning,
        "a zoom moves with the frames, and the camera delivers none: start its session, or set zoom without a ramp",
        part: .rampRate)
    }
    _ = try access.expanded(settings)
    guard let step = try access.expanded([wanted]).last, let target = try zoom(for: step) else {
      throw .noSuchControl(.zoom, among: [])
    }
    return Ramp(target: target, rate: rate, goal: step)
  }

  /// Begins to move the zoom from where it stands.
  func begin(_ ramp: Ramp) throws(CaptureError) {
    guard case .number(let start)? = try access.states(of: [.zoom]).first?.value else {
      throw CaptureError(.deviceFailed, "the camera does not say its zoom: set zoom without a ramp")
    }
    count += 1
    self.ramp = ramp
    let motion = ZoomRamp(from: start, to: ramp.target, rate: ramp.rate)
    let (pipeline, count) = (access.pipeline, count)
    pipeline.loop.performAndWait { pipeline.begin(motion, number: count, of: ramp.control) }
    access.zoomMoves(to: ramp.target)
  }

  /// Makes a ramp that has ended go on from where it stands, if the camera still delivers frames.
  func resume(_ ended: Ramp?) {
    guard let ended, ramp == nil, access.input.format != nil else { return }
    try? begin(ended)
  }

  /// Ends the ramp where it stands.
  /// - Returns: False if there was none.
  func stop() -> Bool {
    guard ramp != nil else { return false }
    let pipeline = access.pipeline
    pipeline.loop.performAndWait { pipeline.endRamp() }
    end()
    return true
  }

  /// A frame has brought the ramp to another zoom.
  /// - Returns: False if it was an earlier ramp.
  func take(_ step: ZoomStep) -> Bool {
    guard ramp != nil, step.ramp == count else { return false }
    let pipeline = access.pipeline
    if pipeline.crop == nil {
      do throws(CaptureError) {
        try move(to: step.zoom)
      } catch {
        access.report.send(.remark("the zoom does not move on: \(error.message)"))
        return stop()
      }
      pipeline.loop.perform { pipeline.stepIsMade(step) }
    }
    if step.isLast { end() }
    return true
  }

  /// Moves the driver's zoom.
  private func move(to zoom: Double) throws(CaptureError) {
    let settings = try access.expanded([CaptureSession.Setting(.zoom, to: .number(zoom))])
    for setting in settings where setting != ramp?.last {
      _ = try access.input.device.setValue(setting.value, of: setting.control)
      ramp?.last = setting
    }
  }

  private func end() {
    guard let ramp else { return }
    self.ramp = nil
    let crop = access.pipeline.crop.map { CaptureSession.Setting(.zoom, to: .number($0)) }
    access.zoomRests(at: crop ?? ramp.last, of: ramp.control)
  }

  /// The zoom that a setting of its control makes, which a driver may have rounded.
  private func zoom(for setting: CaptureSession.Setting) throws(CaptureError) -> Double? {
    let meanings = ControlMeanings(try access.input.device.controls())
    let state = meanings.state(of: try meanings.control(.zoom)) { id in
      id == setting.control ? setting.value : nil
    }
    guard case .number(let zoom)? = state.value else { return nil }
    return zoom
  }
}
