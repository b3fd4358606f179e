import Testing

@testable import Capture

struct ControlLedgerTests {
  private func control(
    _ name: String, _ kind: ControlDescription.Kind = .integer,
    flags: ControlDescription.Flags = []
  ) -> ControlDescription {
    ControlDescription(id: ControlID(rawValue: name), name: name, kind: kind, flags: flags)
  }

  private func state(
    _ name: String, _ value: Int64, flags: ControlDescription.Flags = []
  ) -> ControlState {
    ControlState(control: control(name, flags: flags), value: .integer(value))
  }

  private func setting(_ name: String, _ value: Int64) -> CaptureSession.Setting {
    CaptureSession.Setting(ControlID(rawValue: name), to: .integer(value))
  }

  @Test func `The latest setting of each control is kept, in the order in which they were made`() {
    var ledger = ControlLedger()
    for (name, value) in [("gain", Int64(1)), ("zoom", 2), ("gain", 3)] {
      ledger.want(setting(name, value), of: control(name))
    }
    #expect(ledger.wanted == [setting("zoom", 2), setting("gain", 3)])
  }

  @Test func `Buttons and controls that change by themselves are not set again`() {
    var ledger = ControlLedger()
    ledger.want(setting("push", 1), of: control("push", .button))
    ledger.want(setting("disconnect_for", 1), of: control("disconnect_for", flags: .volatile))
    #expect(ledger.wanted.isEmpty)
  }

  @Test func `What a bracket owes is older than what clients want, and is put back in reverse`() {
    var ledger = ControlLedger()
    ledger.want(setting("zoom", 4), of: control("zoom"))
    ledger.owe([setting("mode", 1), setting("zoom", 2), setting("gain", 3)])
    ledger.owe([setting("gain", 9)])
    #expect(ledger.settings == [setting("gain", 3), setting("mode", 1), setting("zoom", 4)])
    ledger.want(setting("mode", 7), of: control("mode"))
    #expect(ledger.owed.map(\.control) == ["zoom", "gain"])
    ledger.settle(except: ["gain"])
    #expect(ledger.owed == [setting("gain", 3)])
    ledger.settle()
    #expect(ledger.settings == ledger.wanted)
  }

  @Test func `A new value or description is reported once`() {
    var ledger = ControlLedger()
    let states = [
      state("gain", 1), state("gain", 2), state("gain", 2, flags: .inactive), state("zoom", 2),
      state("gain", 2, flags: .inactive), state("gain", 1),
    ]
    #expect(states.map { ledger.isNews($0) } == [true, true, true, true, false, true])
  }

  @Test func `An opened device reports only controls that had been reported and have changed`() {
    var ledger = ControlLedger()
    let news = [
      ledger.opened(with: [state("gain", 1), state("zoom", 1)]),
      ledger.opened(with: [state("gain", 1), state("zoom", 2)]),
      ledger.opened(with: [state("gain", 1), state("zoom", 2)]),
    ]
    #expect(news == [[], [state("zoom", 2)], []])
  }

  @Test func `What the configuration wants comes last, and clients' wishes join it when forgotten`()
  {
    var ledger = ControlLedger()
    ledger.found(on: [setting("mode", 1), setting("gain", 2), setting("zoom", 3)])
    ledger.want(setting("gain", 5), of: control("gain"))
    ledger.owe([setting("zoom", 4)])
    #expect(ledger.wanted == [setting("gain", 5)])
    #expect(ledger.settings == [setting("mode", 1), setting("zoom", 4), setting("gain", 5)])
    ledger.settle()
    ledger.forgetClients()
    #expect(ledger.wanted.isEmpty)
    #expect(ledger.settings == [setting("mode", 1), setting("zoom", 3), setting("gain", 5)])
  }
}
