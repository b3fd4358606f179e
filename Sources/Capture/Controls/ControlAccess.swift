import EventLoop
import OperatingSystem

/// The controls of the device in force: what clients want of them, and what was reported. Confined
/// to the session's thread.
final class ControlAccess {
  typealias Setting = CaptureSession.Setting

  let input: DeviceInput
  let pipeline: FramePipeline
  let meter = PictureMeter()
  let report: SessionReport
  private(set) var ledger = ControlLedger()
  /// What the controls of the device mean that streams.
  private(set) var meanings: ControlMeanings?
  /// Where the ramp of the zoom that is under way will come to rest.
  private(set) var zoomTarget: Double?

  init(_ input: DeviceInput, pipeline: FramePipeline, report: SessionReport) {
    (self.input, self.pipeline, self.report) = (input, pipeline, report)
  }

  /// Another device is in force.
  func use(_ ledger: ControlLedger) {
    self.ledger = ledger
    meanings = nil
    crop(by: wantedCrop)
  }

  // MARK: Setting

  /// Sets all controls or none: if one fails, those before it get their old values back.
  /// - Parameter effect: What to find out about the change's effect on the frames.
  /// - Returns: The controls with the values that took effect, and all that the driver was given.
  func set(
    _ settings: [Setting], effect: EffectRequest? = nil
  ) throws(CaptureError) -> (states: [ControlState], effective: [Setting]) {
    let raw = try expanded(settings)
    let owes = !ledger.owed.isEmpty
    let search = effect.flatMap { holdsPicture(settings, $0) ? nil : beginSearch(for: raw, $0) }
    let effective: [Setting]
    do throws(CaptureError) {
      effective = try apply(raw)
    } catch {
      search?.cancel()
      throw error
    }
    let states = try states(of: raw.map(\.control))
    for (setting, state) in zip(effective, states) { ledger.want(setting, of: state.control) }
    if owes, ledger.owed.isEmpty { report.send(.controlsPutBack) }
    for state in states { report(state) }
    search?.arm()
    if search == nil { effect?.onEnd(nil) }
    return (try self.states(of: settings.map(\.control)), effective)
  }

  /// Sets the driver's controls for one shot of a plan, which nobody wants to keep.
  /// - Parameter returns: What the shot before it has changed.
  func setForShot(
    _ returns: [Setting], _ changes: [Setting], effect: EffectRequest
  ) throws(CaptureError) {
    let all = returns + changes
    let search = beginSearch(for: all, effect)
    do throws(CaptureError) {
      // An automatic that is put back sets the others.
      if let error = put(returns).first(where: { !isInactive($0.key) })?.value { throw error }
      _ = try apply(changes)
      for state in try states(of: all.map(\.control)) { report(state) }
    } catch {
      search?.cancel()
      throw error
    }
    search?.arm()
    if search == nil { effect.onEnd(nil) }
  }

  /// A ramp moves the zoom now.
  func zoomMoves(to target: Double) {
    zoomTarget = target
    changed(.zoom)
  }

  /// The ramp is over.
  /// - Parameter last: What it has set last of a control, if anything.
  func zoomRests(at last: Setting?, of control: ControlID) {
    zoomTarget = nil
    if let last { ledger.want(last) }
    changed(control)
    changed(.zoom)
  }

  // MARK: Putting back

  /// What is to be put back if a change fails. The values are those of the driver's own controls:
  /// putting back what one with a meaning says would switch automatics off.
  func snapshot(of settings: [Setting]) throws(CaptureError) -> [Setting] {
    try expanded(settings).compactMap { setting in
      guard let value = try? states(of: [setting.control]).first?.value else { return nil }
      return Setting(setting.control, to: value)
    }
  }

  /// Puts the controls back, in the opposite order. What cannot be set now is set when the camera
  /// starts again.
  /// - Parameter wanted: What clients wanted before.
  func restore(_ snapshot: [Setting], wanted: [Setting]) {
    let refused = snapshot.reversed().filter { old in (try? set([old])) == nil }
    ledger.replaceWishes(by: wanted + refused)
  }

  func owe(_ settings: [Setting]) { ledger.owe(settings) }

  /// Gives the controls the values that they had before a plan, and reports when all have them.
  func putBackOwed() {
    let owed = Array(ledger.owed.reversed())
    // Photos of now wait until the old values show.
    let search = beginSearch(for: owed, EffectRequest(deadline: .now + .seconds(5)) { _ in })
    var refused = put(owed)
    for id in owed.map(\.control) {
      // Of a device that is being closed the next start tells what has changed.
      if input.format != nil { changed(id) }
      // An automatic that has been put back sets it.
      if isInactive(id) { refused[id] = nil }
    }
    search?.arm()
    ledger.settle(except: Set(refused.keys))
    if refused.isEmpty { report.send(.controlsPutBack) }
  }

  /// Wants these settings, the remembered ones for clients.
  func want(_ base: [Setting], remembered: [Setting]) {
    ledger.found(on: base)
    ledger.replaceWishes(by: remembered + ledger.wanted)
  }

  /// The camera stays as it is, but clients want nothing of it any more.
  func forgetClients() { ledger.forgetClients() }

  /// Sets the values that clients had set before, and reads them back. Values that the device
  /// refuses are left as they are, and noted.
  /// - Returns: The outcome in words; nil if there was nothing to set.
  func restore(_ beginning: SessionBeginning) -> String? {
    let (wanted, owes) = (ledger.settings, !ledger.owed.isEmpty)
    var refused = put(wanted)
    ledger.settle()
    if owes { report.send(.controlsPutBack) }
    let states = (try? states(of: input.device)) ?? []
    meanings = ControlMeanings(states.map(\.control))
    crop(by: meanings?.makesZoom == true ? pipeline.crop ?? 1 : nil)
    for state in ledger.opened(with: states) { report.send(.control(state)) }
    guard !wanted.isEmpty else { return nil }
    // An automatic that is wanted itself sets these, as it did before.
    for state in states where state.control.flags.contains(.inactive) {
      refused[state.control.id] = nil
    }
    let changed = states.filter { state in
      guard let value = state.value, !state.control.flags.contains(.inactive),
        refused[state.control.id] == nil
      else { return false }
      return wanted.contains { $0.control == state.control.id && $0.value != value }
    }
    _ = beginning.withdraw(wanted.map(\.control.rawValue))
    for (id, error) in refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      beginning.refuse(id.rawValue, error.message, "\(id) could not be put back: \(error.message)")
    }
    for id in changed.map(\.control.id) {
      beginning.refuse(
        id.rawValue, "the camera made another value of it",
        "\(id) was put back, and the camera made another value of it")
    }
    let failures = refused.count + changed.count
    let whole = wanted.count == 1 ? "1 control" : "\(wanted.count) controls"
    return failures == 0
      ? "put back \(whole)" : "put back \(wanted.count - failures) of \(whole)"
  }

  // MARK: Reporting

  /// Reports a control that the device says has changed. Drivers also say so after a control was
  /// set or read.
  func changed(_ id: ControlID) {
    if let state = try? states(of: [id]).first { report(state) }
  }

  /// Reports the state of a control of the driver's, and of those whose meaning changes with it,
  /// unless they were reported before.
  func report(_ state: ControlState) {
    guard ledger.isNews(state) else { return }
    report.send(.control(state))
    guard let dependents = meanings?.dependents(on: state.control.id),
      let states = try? states(of: dependents)
    else { return }
    for state in states where ledger.isNews(state) {
      report.send(.control(state))
      input.expectExposure(state)
    }
  }
}
