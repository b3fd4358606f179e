import Capture
import OperatingSystem

/// The exposure time of an open camera. The session's thread reads it from the driver at the start
/// of the stream and after each change; the frame loop only looks at the result.
final class ExposureControls: Sendable {
  /// `V4L2_CID_EXPOSURE_AUTO` and `V4L2_CID_EXPOSURE_ABSOLUTE` of <linux/v4l2-controls.h>.
  private static let (modeIdentifier, timeIdentifier): (UInt32, UInt32) = (0x009a_0901, 0x009a_0902)

  private let mode: ControlID?
  private let time: ControlID?
  private let catalog: ControlCatalog
  private let transfer: ControlTransfer
  private let reading = Mutex(SettledExposure.Reading())

  init(of node: DeviceNode, controls: ControlCatalog) {
    mode = controls.names[Self.modeIdentifier]
    time = controls.names[Self.timeIdentifier]
    catalog = controls
    transfer = ControlTransfer(node: node)
  }

  var current: SettledExposure.Reading { reading.withLock { $0 } }

  /// Whether the exposure time depends on this control.
  func depend(on control: ControlID) -> Bool { control == mode || control == time }

  /// Forgets the exposure time until it is read again.
  func invalidate() {
    reading.withLock { reading in
      reading.duration = nil
      reading.changes += 1
    }
  }

  func read() {
    // A mode that cannot be read may be any.
    let duration = ExposureTime.nanoseconds(
      mode: mode.map { value(of: $0) ?? 0 }, absolute: time.flatMap(value))
    reading.withLock { reading in
      guard reading.duration != duration else { return }
      reading.duration = duration
      reading.changes += 1
    }
  }

  private func value(of name: ControlID) -> Int64? {
    guard let control = try? catalog.control(named: name),
      control.description.flags.isDisjoint(with: [.writeOnly, .inactive, .disabled]),
      case .integer(let number) = try? transfer.read(control)
    else { return nil }
    return number
  }
}
