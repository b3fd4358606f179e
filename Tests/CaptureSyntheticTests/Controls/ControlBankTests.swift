import Capture
import OperatingSystem
import Testing

@testable import CaptureSynthetic

struct ControlBankTests {
  private let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

  @Test func `Every control starts at its default and has its own description`() throws {
    var bank = ControlBank()
    let descriptions = SyntheticControl.allCases.map(bank.description(of:))
    #expect(Set(descriptions.map(\.name)).count == descriptions.count)
    for (control, description) in zip(SyntheticControl.allCases, descriptions) {
      #expect(description.id == control.id)
      #expect(description.minimum <= description.defaultValue)
      #expect(description.defaultValue <= description.maximum)
      // A region is that of the whole scene, and a description has one number for an array.
      if control != .region { #expect(bank[control] == description.defaultValue) }
    }
    #expect(try bank.value(of: .region, at: now) == .array([0, 0, 3840, 2160]))
    #expect(bank.takeFrame().picture == PictureSettings(), "defaults leave the scene as it is")
  }

  @Test func `Exposure and gain are inactive while the exposure is automatic`() throws {
    var bank = ControlBank()
    for control in [SyntheticControl.exposureTime, .gain] {
      #expect(bank.description(of: control).flags.contains(.inactive))
      let error = try #require(throws: CaptureError.self) {
        try bank.set(.integer(200), of: control, at: now)
      }
      #expect(error.code == .controlNotWritable)
    }
    _ = try bank.set(.string("Manual Mode"), of: .autoExposure, at: now)
    for control in [SyntheticControl.exposureTime, .gain] {
      #expect(!bank.description(of: control).flags.contains(.inactive))
      _ = try bank.set(.integer(200), of: control, at: now)
    }
    #expect(bank.takeFrame().picture.light == 4)
    _ = try bank.set(.integer(0), of: .autoExposure, at: now)
    #expect(bank.takeFrame().picture.light == 1, "the automatic exposes rightly")
  }

  @Test func `A change shows after as many frames as the camera takes to settle`() throws {
    var settling = Settling()
    settling.frames = 3...3
    var bank = ControlBank(settling: settling)
    _ = try bank.set(.integer(300), of: .zoom, at: now)
    #expect(try bank.value(of: .zoom, at: now) == .integer(300), "the driver has it at once")
    let frames = (1...4).map { _ in bank.takeFrame() }
    #expect(frames.map(\.picture.zoom) == [1, 1, 3, 3])
    #expect(frames.map(\.facts.zoom) == [1, 1, 3, 3])
  }

  @Test func `The facts are those of the sensor, and leave out what an automatic decides`() throws {
    var bank = ControlBank()
    var facts = bank.takeFrame().facts
    #expect(facts.exposure == nil)
    #expect(facts.gain == nil)
    #expect(facts.kelvin == nil)
    #expect(facts.focus == 1)
    for (control, value) in [
      (SyntheticControl.autoExposure, 1), (.exposureTime, 50), (.gain, 850),
      (.autoWhiteBalance, 0), (.whiteBalance, 4000), (.focus, 50),
    ] as [(SyntheticControl, Int64)] {
      _ = try bank.set(.integer(value), of: control, at: now)
    }
    facts = bank.takeFrame().facts
    #expect(facts.exposure == 5_000_000)
    #expect(facts.gain == 0.5)
    #expect(facts.kelvin == 4000)
    #expect(facts.focus == 0.8)
  }

  @Test func `Bias, torch and white balance change the picture`() throws {
    var bank = ControlBank()
    _ = try bank.set(.integer(6), of: .exposureBias, at: now)
    #expect(bank.takeFrame().picture.light == 2, "an EV is twice the light")
    _ = try bank.set(.integer(2), of: .ledMode, at: now)
    _ = try bank.set(.integer(100), of: .torchIntensity, at: now)
    #expect(bank.takeFrame().picture.light == 4)
    _ = try bank.set(.boolean(false), of: .autoWhiteBalance, at: now)
    _ = try bank.set(.integer(6000), of: .whiteBalance, at: now)
    let grey = bank.takeFrame().picture.expose(RGB(red: 20, green: 20, blue: 20))
    #expect(grey.red > grey.green)
    #expect(grey.green > grey.blue)
  }

  @Test func `The automatic exposure makes its region as bright as the scene was`() throws {
    var bank = ControlBank()
    _ = try bank.set(.integer(1), of: .regionAutomatics, at: now)
    func light(_ left: Int64, _ top: Int64) throws -> Double {
      _ = try bank.set(.array([left, top, 400, 400]), of: .region, at: now)
      return bank.takeFrame().picture.light
    }
    // The bars are white at the left and black at the right.
    let (left, right) = (try light(0, 500), try light(3400, 500))
    #expect(left < 0.9)
    #expect(right > 1.5)
    // Below, they run the other way.
    #expect(try light(0, 1760) > 1.5)
    _ = try bank.set(.integer(0), of: .regionAutomatics, at: now)
    #expect(bank.takeFrame().picture.light == 1)
    _ = try bank.set(.integer(1), of: .regionAutomatics, at: now)
    _ = try bank.set(.integer(1), of: .autoExposure, at: now)
    #expect(bank.takeFrame().picture.light == 1, "a locked exposure goes by no region")
  }

  @Test func `A region lies within the sensor, and is that of the whole scene after a return`()
    throws
  {
    var bank = ControlBank()
    let (value, _) = try bank.set(.array([3800, 2160, 50, 3840]), of: .region, at: now)
    #expect(value == .array([3680, 0, 160, 2160]))
    #expect(try bank.value(of: .region, at: now) == value)
    _ = try bank.set(.boolean(true), of: .disconnect, at: now)
    #expect(try bank.value(of: .region, at: now) == value, "nobody knows better")
    _ = try bank.set(.boolean(false), of: .disconnect, at: now)
    #expect(try bank.value(of: .region, at: now) == .array([0, 0, 3840, 2160]))
    for wrong in [[0, 0, 1], [0, 0, 1, 1, 1], [-1, 0, 1, 1], [0, 0, 1, 1 << 40]] as [[Int64]] {
      let error = #expect(throws: CaptureError.self) {
        try bank.set(.array(wrong), of: .region, at: now)
      }
      #expect(error?.code == .invalidControlValue)
    }
  }

  @Test func `Integers are rounded to their step, and the result is returned`() throws {
    var bank = ControlBank()
    let (value, _) = try bank.set(.integer(13), of: .focus, at: now)
    #expect(value == .integer(15))
    #expect(try bank.value(of: .focus, at: now) == .integer(15))
  }

  @Test(arguments: [
    (SyntheticControl.brightness, ControlValue.integer(256)), (.testPattern, .integer(5)),
    (.horizontalFlip, .integer(2)), (.zoom, .string("far")), (.errorBuffers, .integer(-1)),
  ])
  func `An invalid value is refused and changes nothing`(
    control: SyntheticControl,
    value: ControlValue
  ) throws {
    var bank = ControlBank()
    let before = try bank.value(of: control, at: now)
    let error = try #require(throws: CaptureError.self) {
      try bank.set(value, of: control, at: now)
    }
    #expect(error.code == .invalidControlValue)
    #expect(try bank.value(of: control, at: now) == before)
  }

  @Test func `A button has no value to read`() {
    #expect(throws: CaptureError.self) { try ControlBank().value(of: .fatalError, at: now) }
  }

  @Test func `Counting faults affect their number of frames and then end`() throws {
    var bank = ControlBank()
    for control in [SyntheticControl.frameLoss, .errorBuffers, .truncated] {
      _ = try bank.set(.integer(2), of: control, at: now)
    }
    let fates = (0..<7).map { _ in bank.takeFate(at: now) }
    #expect(
      fates.map(\.fate)
        == [.lost, .lost, .corrupted, .corrupted, .truncated, .truncated, .delivered]
    )
    #expect(fates.last?.changed == nil)
    #expect(try bank.value(of: .frameLoss, at: now) == .integer(0))
  }

  @Test func `A timed disconnection counts down and ends by itself`() throws {
    var bank = ControlBank()
    let (_, effect) = try bank.set(.integer(250), of: .disconnectFor, at: now)
    #expect(effect == .disconnected)
    #expect(try bank.value(of: .disconnect, at: now) == .boolean(true))
    let later = now + .milliseconds(100)
    #expect(try bank.value(of: .disconnectFor, at: later) == .integer(150))
    #expect(bank.takeFate(at: later).fate == .stalled)
    let end = now + .milliseconds(250)
    #expect(bank.isConnected(at: end) && !bank.isConnected(at: end - .nanoseconds(1)))
    #expect(try bank.value(of: .disconnect, at: end) == .boolean(false))
    #expect(try bank.value(of: .disconnectFor, at: end) == .integer(0))
  }

  @Test func `Unplugging resets the picture's controls, and keeps the faults`() throws {
    var bank = ControlBank()
    _ = try bank.set(.integer(10), of: .brightness, at: now)
    _ = try bank.set(.boolean(true), of: .busy, at: now)
    _ = try bank.set(.boolean(true), of: .disconnect, at: now)
    #expect(bank[.brightness] == 10, "nobody knows better")
    #expect(throws: CaptureError.self) { try bank.checkConnection(at: now) }
    #expect(try bank.set(.boolean(false), of: .disconnect, at: now).effect == .returned)
    #expect(bank.isConnected(at: now))
    #expect(bank[.brightness] == 128 && bank[.busy] == 1)

    // A camera that comes back by itself has lost them when it is opened.
    _ = try bank.set(.integer(10), of: .brightness, at: now)
    _ = try bank.set(.integer(100), of: .disconnectFor, at: now)
    try bank.checkConnection(at: now + .milliseconds(100))
    #expect(bank[.brightness] == 128)
  }

  @Test func `The end of a fault is reported, and the time of a reconnection is known`()
    throws
  {
    var bank = ControlBank()
    for fault in [SyntheticControl.busy, .stall] {
      #expect(try bank.set(.boolean(true), of: fault, at: now).effect == .none)
      #expect(try bank.set(.boolean(false), of: fault, at: now).effect == .returned)
    }
    #expect(bank.reconnection(after: now) == nil)
    _ = try bank.set(.integer(250), of: .disconnectFor, at: now)
    #expect(bank.reconnection(after: now) == now + .milliseconds(250))
    _ = try bank.set(.boolean(true), of: .disconnect, at: now)
    #expect(bank.reconnection(after: now) == nil, "nobody knows when")
  }
}
