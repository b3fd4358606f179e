import Capture
import Glibc
import OperatingSystem
import TestSupport
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
    let (cause, path) = (SystemError(errno: number, operation: call), "/dev/video77")
    for remedy in [nil, NodeRemedy.lookUp(for: cause, on: path)] {
      let error = CaptureError(cause, on: path, remedy: remedy)
      #expect(error.code == code)
      #expect(error.message.contains(words), "\(error.message)")
      #expect(error.message.contains(path))
      #expect(error.message.count <= 300 && !error.message.contains("\n"))
    }
  }

  @Test(
    "Creating an error on the frame loop looks nothing up: the node's state does not change it",
    arguments: [ENOENT, EACCES, EPERM, EBUSY, ENOTTY, EISDIR])
  func readsNothing(number: Int32) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/video0"
    let cause = SystemError(errno: number, operation: "VIDIOC_DQBUF")
    let missing = CaptureError(cause, on: path)
    try folder.write("", to: "video0")
    for mode in [mode_t(0o600), 0o660] {
      try #require(unsafe chmod(path, mode) == 0)
      #expect(CaptureError(cause, on: path) == missing)
    }
  }
}
