import Capture
import Testing

@testable import CaptureV4L2

struct MountingControlsTests {
  @Test(arguments: [
    (nil, nil, DeviceMounting()), (0, 0, DeviceMounting(position: .front, rotation: 0)),
    // The driver says how far to turn counter-clockwise.
    (1, 90, DeviceMounting(position: .back, rotation: 270)),
    (2, 270, DeviceMounting(position: .external, rotation: 90)),
    (3, 180, DeviceMounting(rotation: 180)), (-1, 45, DeviceMounting()),
  ])
  func `What the kernel says of the mounting`(
    orientation: Int64?, rotation: Int64?, mounting: DeviceMounting
  ) {
    #expect(MountingControls.mounting(orientation: orientation, rotation: rotation) == mounting)
  }
}
