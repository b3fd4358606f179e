import Capture
import CaptureSynthetic
import EventLoop
import OperatingSystem
import TestSupport

/// A camera that streams to a receiver on its own frame loop.
struct Rig: Sendable {
  let device: SyntheticDevice
  let receiver: RecordingReceiver
  let loop: EventLoop

  /// Runs `body` with a streaming camera and closes everything afterwards.
  ///
  /// - Parameter controls: Controls to set before the stream starts, in this order.
  static func run<R>(
    _ specification: String,
    controls: KeyValuePairs<String, Int64> = [:],
    receiver: RecordingReceiver = RecordingReceiver(),
    attachesAtOnce: Bool = true,
    _ body: (Rig) async throws -> R
  ) async throws -> R {
    let device = try SyntheticDevice(.parse(specification))
    let rig = Rig(device: device, receiver: receiver, loop: EventLoop(name: "test frames"))
    try rig.device.open()
    _ = try rig.device.configure(FormatRequest())
    for (name, value) in controls { try rig.set(name, value) }
    try rig.device.startStreaming()
    if attachesAtOnce { await rig.attach() }
    return try await attempt {
      try await body(rig)
    } finally: {
      await rig.loop.run { rig.device.detach() }
      rig.device.stopStreaming()
      rig.device.close()
      rig.loop.stop()
    }
  }

  func attach() async {
    await loop.run { device.attach(to: loop, receiver: receiver) }
  }

  @discardableResult
  func set(_ name: String, _ value: Int64) throws(CaptureError) -> ControlValue {
    try device.setValue(.integer(value), of: ControlID(rawValue: name))
  }

  func value(_ name: String) throws(CaptureError) -> ControlValue {
    try device.value(of: ControlID(rawValue: name))
  }

  /// The first picture exposed after this call.
  func freshPicture() async -> Picture? { await receiver.picture(since: .now) }

  /// Waits until another camera has delivered this many pictures, as a clock that counts events.
  static func letPass(pictures: Int) async throws {
    try await run("160x120@100,format=GREY") { rig in _ = await rig.receiver.pictures(pictures) }
  }
}

enum RigError: Error {
  case noPicture
}

extension SyntheticDevice {
  /// A camera that is open and configured but does not stream yet.
  static func configured() throws -> SyntheticDevice {
    let device = try SyntheticDevice(.parse("160x120@100,format=GREY"))
    try device.open()
    _ = try device.configure(FormatRequest())
    return device
  }
}
