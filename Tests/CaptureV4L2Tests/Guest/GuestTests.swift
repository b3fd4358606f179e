import Foundation
import Testing

/// Tests that need real drivers: vivid at /dev/video0 and 1, and v4l2loopback at /dev/video9, as in
/// the guest.
///
/// They run one at a time, because they share the devices.
@Suite(
  "V4L2 on real drivers",
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["CAMERABUS_GUEST"] == "1",
    "needs a guest with vivid and v4l2loopback (CAMERABUS_GUEST=1)"
  ),
  .timeLimit(.minutes(5))
)
enum GuestTests {
  static let camera = "/dev/video0"
  static let secondCamera = "/dev/video1"
  static let loopback = "/dev/video9"
}
