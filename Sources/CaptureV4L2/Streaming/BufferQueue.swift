import CVideo4Linux
import EventLoop
import Glibc
import OperatingSystem

/// The driver's queue of buffers. The driver has all of them except the one being read.
///
/// The session's thread makes, starts and releases it. In between only the frame loop uses it.
final class BufferQueue {
  /// A buffer that the driver has filled.
  struct Filled {
    let index: UInt32
    let byteCount: Int
    let isFlawed: Bool
    let sequence: UInt32
    let stamp: DriverTimestamp
  }

  /// The kernel's `VB2_MAX_FRAME`.
  private static let most: UInt32 = 64

  private let node: DeviceNode
  private let type: UInt32
  private var buffers: [MappedBuffer] = []

  /// Lets the driver allocate buffers, maps them and queues all of them.
  /// - Parameters:
  ///   - count: The wanted number. The driver may allocate more or fewer.
  ///   - type: Of pictures or of metadata.
  init(
    on node: DeviceNode, count: UInt32, type: v4l2_buf_type = V4L2_BUF_TYPE_VIDEO_CAPTURE
  ) throws(SystemError) {
    self.node = node
    self.type = type.rawValue
    let granted = try request(count)
    guard (1...Self.most).contains(granted) else {
      throw SystemError(errno: granted == 0 ? ENOMEM : EIO, operation: "VIDIOC_REQBUFS")
    }
    do throws(SystemError) {
      for index in 0..<granted {
        var buffer = unsafe question(index)
        try unsafe node.perform(.queryBuffer, &buffer)
        buffers.append(
          try unsafe MappedBuffer(byteCount: buffer.length, offset: buffer.m.offset, of: node)
        )
        try enqueue(index)
      }
    } catch {
      release()
      throw error
    }
  }

  var count: Int { buffers.count }

  func start() throws(SystemError) {
    var type = type
    try node.perform(.streamOn, &type)
  }

  /// Stops the stream and frees the buffers. If the device is gone, the driver may refuse, which is
  /// ignored.
  func release() {
    var type = type
    _ = node.attempt(.streamOff, &type)
    buffers.removeAll()
    _ = try? request(0)
  }

  /// Removes the oldest filled buffer from the queue; nil if there is none.
  func dequeue() throws(SystemError) -> Filled? {
    var buffer = unsafe question()
    guard try unsafe node.perform(.dequeueBuffer, &buffer, until: EAGAIN) else { return nil }
    guard unsafe buffers.indices.contains(Int(buffer.index)) else {
      throw SystemError(errno: EIO, operation: "VIDIOC_DQBUF")
    }
    return unsafe Filled(
      index: buffer.index,
      byteCount: min(Int(buffer.bytesused), buffers[Int(buffer.index)].byteCount),
      isFlawed: buffer.flags & V4L2_BUF_FLAG_ERROR.bits != 0,
      sequence: buffer.sequence,
      stamp: DriverTimestamp(
        seconds: Int64(buffer.timestamp.tv_sec),
        microseconds: Int64(buffer.timestamp.tv_usec),
        flags: buffer.flags
      )
    )
  }

  /// Gives a buffer back to the driver.
  func enqueue(_ index: UInt32) throws(SystemError) {
    var buffer = unsafe question(index)
    try unsafe node.perform(.enqueueBuffer, &buffer)
  }

  /// Calls `body` with the bytes of a dequeued buffer.
  func withBytes<R, E: Error>(
    of filled: Filled,
    _ body: (inout MutableRawSpan) throws(E) -> R
  ) throws(E) -> R {
    try buffers[Int(filled.index)].withBytes(count: filled.byteCount, body)
  }

  private func request(_ count: UInt32) throws(SystemError) -> UInt32 {
    var question = v4l2_requestbuffers()
    question.count = count
    question.type = type
    question.memory = V4L2_MEMORY_MMAP.rawValue
    try node.perform(.requestBuffers, &question)
    return question.count
  }

  private func question(_ index: UInt32 = 0) -> v4l2_buffer {
    var buffer = unsafe v4l2_buffer()
    unsafe buffer.index = index
    unsafe buffer.type = type
    unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return unsafe buffer
  }
}
