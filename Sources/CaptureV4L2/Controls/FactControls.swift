import Capture
import OperatingSystem

/// What an open camera's controls say of how it takes frames. The session's thread reads it from
/// the driver at the start of the stream and after each change; the frame loop only looks at the
/// result.
final class FactControls: Sendable {
  /// The controls that decide on the facts.
  private let controls: Set<ControlID>
  private let catalog: ControlCatalog
  private let transfer: ControlTransfer
  private let reading = Mutex(SettledFacts.Reading())

  init(of node: DeviceNode, controls catalog: ControlCatalog) {
    controls = Set(
      catalog.names.compactMap { identifier, name in
        StandardControl(rawValue: identifier).map(ControlMeanings.decideFacts) == true ? name : nil
      })
    self.catalog = catalog
    transfer = ControlTransfer(node: node)
  }

  var current: SettledFacts.Reading { reading.withLock { $0 } }

  /// Whether the facts depend on this control.
  func depend(on control: ControlID) -> Bool { controls.contains(control) }

  /// Forgets the facts until they are read again.
  func invalidate() {
    reading.withLock { reading in
      reading.facts = FrameFacts()
      reading.changes += 1
    }
  }

  func read() {
    let known = controls.compactMap { try? catalog.control(named: $0) }
    let facts = ControlMeanings(known.map(\.description)).facts { name in
      known.first { $0.description.id == name }.flatMap { try? transfer.read($0) }
    }
    reading.withLock { reading in
      guard reading.facts != facts else { return }
      reading.facts = facts
      reading.changes += 1
    }
  }
}

/// How a camera is built in, as the kernel's controls say
/// ([camera controls](https://docs.kernel.org/userspace-api/media/v4l/ext-ctrls-camera.html)).
enum MountingControls {
  /// `V4L2_CID_CAMERA_ORIENTATION` and `V4L2_CID_CAMERA_SENSOR_ROTATION` of
  /// <linux/v4l2-controls.h>.
  private static let (orientation, rotation): (UInt32, UInt32) = (0x009a_0922, 0x009a_0923)

  static func read(of camera: OpenCamera) -> DeviceMounting {
    func number(_ identifier: UInt32) -> Int64? {
      guard let name = camera.controlCatalog.names[identifier],
        case .integer(let number)? = try? camera.value(of: name)
      else { return nil }
      return number
    }
    return mounting(orientation: number(orientation), rotation: number(rotation))
  }

  /// - Parameters:
  ///   - orientation: An item of the control's menu.
  ///   - rotation: The degrees by which pictures are to be turned counter-clockwise.
  static func mounting(orientation: Int64?, rotation: Int64?) -> DeviceMounting {
    let positions: [Int64: DevicePosition] = [0: .front, 1: .back, 2: .external]
    return DeviceMounting(
      position: orientation.flatMap { positions[$0] },
      rotation: rotation.flatMap { [0, 90, 180, 270].contains($0) ? Int((360 - $0) % 360) : nil })
  }
}
