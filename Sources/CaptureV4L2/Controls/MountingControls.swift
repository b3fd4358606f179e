import Capture

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
  ///   - orientation: an item of the control's menu.
  ///   - rotation: the degrees by which pictures are to be turned counter-clockwise.
  static func mounting(orientation: Int64?, rotation: Int64?) -> DeviceMounting {
    let positions: [Int64: DevicePosition] = [0: .front, 1: .back, 2: .external]
    return DeviceMounting(
      position: orientation.flatMap { positions[$0] },
      rotation: rotation.flatMap { [0, 90, 180, 270].contains($0) ? Int((360 - $0) % 360) : nil })
  }
}
