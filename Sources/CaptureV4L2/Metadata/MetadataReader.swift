import CVideo4Linux
import Capture
import OperatingSystem

/// The second node of a camera of `uvcvideo`, which says the camera's own time of each frame.
///
/// The driver fills a frame's metadata before its picture. So it is read with the picture,
/// without a wait. A failure ends the reading, never the stream.
// Confined as `BufferDrain` is, which owns it while it streams.
final class MetadataReader {
  /// Packets wait here while the camera's frames are skipped.
  private static let bufferCount: UInt32 = 8

  private var queue: BufferQueue?
  private var clock = DeviceClock()

  /// Starts the node's stream. It must start before the camera's own, so that the first frame has
  /// metadata too.
  init(path: String) throws(SystemError) {
    let node = try DeviceNode(path: path)
    var format = unsafe v4l2_format()
    unsafe format.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
    unsafe format.fmt.meta.dataformat = cvideo4linux_V4L2_META_FMT_UVC
    try unsafe node.perform(.setFormat, &format)
    let queue = try BufferQueue(
      on: node, count: Self.bufferCount, type: V4L2_BUF_TYPE_META_CAPTURE)
    do throws(SystemError) {
      try queue.start()
    } catch {
      queue.release()
      throw error
    }
    self.queue = queue
  }

  /// Takes all metadata up to the frame of this number by the driver.
  /// - Returns: The frame's time by the camera's clock, if it is known.
  func time(ofFrame sequence: UInt32, dequeued: MonotonicTime) -> DeviceTime? {
    guard let queue else { return nil }
    do throws(SystemError) {
      for _ in 0..<queue.count {
        guard let buffer = try queue.dequeue() else { break }
        let metadata = queue.withBytes(of: buffer) { UVCMetadata(reading: $0.bytes) }
        try queue.enqueue(buffer.index)
        if let reading = metadata.reading { clock.add(reading) }
        // The next frame's metadata may be there already, and stays for it.
        guard buffer.sequence == sequence else { continue }
        guard let captured = metadata.captured, let arrival = metadata.firstArrival,
          // The module's parameter `clock` may choose the wall clock.
          DriverTimestamp.plausibleAge.contains(dequeued - MonotonicTime(nanoseconds: arrival))
        else { break }
        return clock.time(of: captured, before: arrival)
      }
    } catch {
      // A node that is gone or broken; the camera's own node reports that.
      release()
    }
    return nil
  }

  func release() {
    queue?.release()
    queue = nil
  }
}
