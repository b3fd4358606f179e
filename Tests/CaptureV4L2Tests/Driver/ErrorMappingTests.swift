import Capture
import Glibc
import OperatingSystem
import Testing

@testable import CaptureV4L2

@Suite struct ErrorMappingTests {
  @Test(
    "An error number becomes a code and one short line with the remedy",
    arguments: [
      (ENOENT, "open", CaptureError.Code.deviceNotFound, "there is no /dev/video77"),
      (ENODEV, "VIDIOC_DQBUF", .deviceNotFound, "plug it in again"),
      (ENXIO, "open", .deviceNotFound, "plug it in again"),
      (EACCES, "open", .permissionDenied, "no permission for /dev/video77"),
      (EBUSY, "VIDIOC_S_FMT", .deviceBusy, "fuser -v /dev/video77"),
      (ENOSPC, "VIDIOC_STREAMON", .noBandwidth, "take MJPG"),
      (ENOSPC, "VIDIOC_REQBUFS", .deviceFailed, "VIDIOC_REQBUFS"),
      (ENOTTY, "VIDIOC_QUERYCAP", .unsuitableDevice, "is no V4L2 camera"),
      (EISDIR, "open", .unsuitableDevice, "is a folder"),
      (ENOMEM, "VIDIOC_REQBUFS", .deviceFailed, "lower the size"),
      (EMFILE, "open", .deviceFailed, "ulimit -n"),
      (EIO, "VIDIOC_DQBUF", .deviceFailed, "look at its cable"),
      (EPROTO, "VIDIOC_STREAMON", .deviceFailed, "look at its cable"),
      (EINVAL, "VIDIOC_QBUF", .deviceFailed, "VIDIOC_QBUF: Invalid argument"),
    ]
  )
  func mapping(number: Int32, call: String, code: CaptureError.Code, words: String) {
    let error = CaptureError(SystemError(errno: number, operation: call), on: "/dev/video77")
    #expect(error.code == code)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(error.message.contains("/dev/video77"))
    #expect(error.message.count <= 300 && !error.message.contains("\n"))
  }
}
