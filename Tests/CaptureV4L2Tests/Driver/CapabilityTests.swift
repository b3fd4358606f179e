import CVideo4Linux
import Testing

@testable import CaptureV4L2

@Suite struct CapabilityTests {
  @Test(
    "Only a node that captures and streams is a camera, and others have a reason",
    arguments: [
      ([V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_STREAMING], nil),
      ([V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_OUTPUT, V4L2_CAP_STREAMING], nil),
      ([V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_READWRITE], "only has read()"),
      ([V4L2_CAP_VIDEO_CAPTURE_MPLANE, V4L2_CAP_STREAMING], nil),
      ([V4L2_CAP_VIDEO_CAPTURE_MPLANE, V4L2_CAP_READWRITE], "only has read()"),
      ([V4L2_CAP_VIDEO_M2M, V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_STREAMING], "codec"),
      ([V4L2_CAP_META_CAPTURE, V4L2_CAP_STREAMING], "metadata"),
      ([V4L2_CAP_VIDEO_OUTPUT, V4L2_CAP_STREAMING], "takes no pictures"),
    ] as [([Int32], String?)]
  )
  func shortcoming(flags: [Int32], words: String?) {
    let capability = Capability(
      driver: "", card: "", busInfo: "", flags: flags.reduce(0) { $0 | $1.bits })
    if let words {
      #expect(capability.shortcoming?.contains(words) == true)
    } else {
      #expect(capability.shortcoming == nil)
    }
  }
}
