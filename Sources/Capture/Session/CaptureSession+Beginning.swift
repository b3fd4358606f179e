/// How the session's own device begins: as the node's configuration wants it, and then as clients
/// left it. What it refuses is reported, and it starts all the same.
extension CaptureSession {
  /// Call it before the session starts for the first time.
  /// - Parameter remembered: What clients have changed before; nil if nobody remembers that.
  package func prepare(_ start: SessionStart, remembered: SessionMemory? = nil) {
    var new = setup
    new.configuration = beginning.prepare(start, remembered: remembered, from: configuration)
    adopt(new)
  }

  /// Begins as the node's configuration wants it now. What clients have chosen stays, and so does
  /// what the configuration no longer wants of a format and of controls.
  /// - Parameter obstacle: Why a movie must not end for it.
  package func begin(anew start: SessionStart, unlessMovieEnds obstacle: CaptureError? = nil) {
    let change = beginning.replace(by: start, isOpen: format != nil && input.isOwn)
    // What a movie does not mind comes by itself.
    var (free, rest) = (SessionConfiguration(), change)
    (free.preview, free.streams) = (change.preview, change.streams)
    (rest.preview, rest.streams) = (OrientationChange(), [:])
    for part in [free, rest] {
      do throws(CaptureError) {
        _ = try make(part, unlessMovieEnds: obstacle, effect: nil)
      } catch {
        let setting = "\(error.part ?? .format)"
        beginning.refuse(
          setting, error.message, "\(setting) is not as it is configured: \(error.message)")
      }
    }
    guard format != nil, input.isOwn else { return }
    let (before, owed) = (ledger.settings, ledger.owed)
    readStartControls()
    let new = ledger.settings.filter { !before.contains($0) && !owed.contains($0) }
    for (control, error) in access.put(new).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      beginning.refuse(
        control.rawValue, error.message,
        "\(control) is not as it is configured: \(error.message)")
    }
    for state in (try? controls(new.map(\.control))) ?? [] { access.report(state) }
    noteZoom()
    announce()
  }

  /// Reports from now on what is to be remembered, or nothing any more.
  package func setKept(_ isKept: Bool) {
    beginning.setKept(isKept)
    reportMemory()
  }

  // MARK: What clients have chosen

  /// What is to be remembered now.
  var memory: SessionMemory {
    var ledger = ledger
    if let ramp = zoom.ramp { ledger.want(ramp.goal) }
    return beginning.memory(of: ownDevice, ledger)
  }

  /// The session's own device, if that is in force.
  private var ownDevice: DeviceDescription? { input.isOwn ? device.identification : nil }

  /// What is to be remembered now; nil if nobody keeps it, or it is as it was taken last.
  package func takeMemory() -> SessionMemory? { beginning.take(memory) }

  /// Reports what is to be remembered after a change that no request has asked for.
  func reportMemory() {
    if let memory = takeMemory() { report.send(.memory(memory)) }
  }

  /// What controls have now that a change is about to set, if nothing would put them back after a
  /// crash in the middle of it: drivers keep what they were given.
  package func undo(of settings: [Setting]) throws(CaptureError) -> [Setting] {
    guard beginning.isKept, input.isOwn else { return [] }
    let known = Set(ledger.settings.map(\.control))
    return try access.snapshot(of: settings).filter { !known.contains($0.control) }
  }

  /// Forgets what clients have chosen. The camera stays as it is until the node's next start.
  package func forget() {
    beginning.forget()
    access.forgetClients()
  }

  /// Clients have made this change.
  func chose(_ change: SessionConfiguration) {
    if input.isOwn, change.choosesFormat {
      beginning.choseFormat(setup, of: ownDevice)
      announce()
    }
    beginning.chose(change, configuration, isOwn: input.isOwn)
  }

  // MARK: At the first opening

  /// Chooses the format in which the device, which is open, starts for the first time.
  func recall() {
    guard input.isOwn, !beginning.gaveFormatUp, let start = beginning.start else { return }
    if start.change.choosesFormat {
      let device = device
      do throws(CaptureError) {
        let wanted = try start.change.request(from: setup.request, running: nil) {
          () throws(CaptureError) in try device.formats()
        }
        var new = setup
        new.configuration = configuration.merged(with: start.change)
        new.request = wanted
        try ask(for: new.format)
      } catch {
        beginning.refuse("\(error.part ?? .format)", error.message)
      }
    }
    guard beginning.chosen.isFor(device.identification) else {
      let model = beginning.chosen.device?.model ?? ""
      let words = "the format and the controls that are remembered are those of a \(model)"
      beginning.refuse("remembered", words, "\(words): they are not put back")
      beginning.setAside()
      return
    }
    guard let format = beginning.chosen.format else { return }
    do throws(CaptureError) {
      try ask(for: format)
    } catch {
      beginning.refuse("format", error.message)
    }
  }

  private func ask(for format: SessionMemory.Format) throws(CaptureError) {
    try device.check(format.request)
    beginning.leftFormat(setup.request)
    var new = setup
    new.format = format
    adopt(new)
  }

  /// Takes the camera's own format after an attempt that another one may have let fail.
  /// - Returns: Whether another attempt is worth it.
  func giveFormatUp(because error: CaptureError) -> Bool {
    guard error.mayComeFromFormat, let own = beginning.giveFormatUp() else { return false }
    beginning.refuse("format", error.message)
    var new = SessionSetup(request: own, configuration: configuration)
    new.format = SessionMemory.Format(mode: .photo, preset: .inputPriority, request: own)
    adopt(new)
    return true
  }

  /// Reads the controls that the configuration wants, now that the device says what it has, and
  /// takes those that are remembered.
  func readStartControls() {
    guard input.isOwn, let start = beginning.takeStart() else { return }
    var (accepted, raw): ([Setting], [Setting]) = ([], [])
    let controls = (try? device.controls()) ?? []
    let meanings = ControlMeanings(controls)
    for wanted in start.controls {
      do throws(CaptureError) {
        let known = meanings.controls + controls
        guard let control = known.first(where: { $0.id == wanted.id }) else {
          throw .noSuchControl(wanted.id, among: known.map(\.id))
        }
        // An automatic that another setting ends may have it still.
        var free = control
        free.flags.remove(.inactive)
        let setting = Setting(wanted.id, to: try free.value(of: wanted.text))
        raw = try meanings.expand(accepted + [setting]) { try? access.value(of: $0) }
        accepted.append(setting)
      } catch {
        beginning.refuse(wanted.id.rawValue, error.message)
      }
    }
    access.want(raw, remembered: beginning.chosen.settings)
  }
}
