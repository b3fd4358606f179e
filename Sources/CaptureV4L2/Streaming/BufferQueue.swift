import CVideo4Linux
import EventLoop
import Glibc
import OperatingSystem

/// The driver's queue of buffers. The driver has all of them except the one being read.
///
/// The session's thread makes, starts and releases it. In between its ``BufferDrain`` uses it, and
/// the frame loop reads the buffers that it is lent.
final class BufferQueue {
  /// A buffer that the driver has filled.
  struct Filled {
    let index: UInt32
    /// The bytes of all its planes.
    let byteCount: Int
    let isFlawed: Bool
    let sequence: UInt32
    let stamp: DriverTimestamp
  }

  /// The kernel's `VB2_MAX_FRAME`.
  private static let most: UInt32 = 64

  private let node: DeviceNode
  private let type: UInt32
  private let planes: PlaneAnswers?
  /// The memory of each buffer's planes.
  private var buffers: [[MappedBuffer]] = []
  /// Where each buffer's planes have their pictures, since it was dequeued.
  private var filled: [[Range<Int>]] = []

  /// Has the driver allocate buffers, maps them and queues all of them.
  /// - Parameters:
  ///   - count: The wanted number. The driver may allocate more or fewer.
  ///   - type: Of pictures or of metadata.
  ///   - planeCount: Of a picture's planes that have memory of their own, in the multi-planar way.
  init(
    on node: DeviceNode, count: UInt32, type: v4l2_buf_type, planeCount: Int = 1
  ) throws(SystemError) {
    self.node = node
    self.type = type.rawValue
    let isPerPlane = type == PictureBuffers.perPlane.type
    planes = isPerPlane ? PlaneAnswers(count: planeCount) : nil
    let granted = try request(count)
    guard (1...Self.most).contains(granted) else {
      throw SystemError(errno: granted == 0 ? ENOMEM : EIO, operation: "VIDIOC_REQBUFS")
    }
    do throws(SystemError) {
      for index in 0..<granted {
        buffers.append(try map(index))
        filled.append(buffers[Int(index)].map { _ in 0..<0 })
        try enqueue(index)
      }
    } catch {
      release()
      throw error
    }
  }

  private func map(_ index: UInt32) throws(SystemError) -> [MappedBuffer] {
    var buffer = unsafe question(index)
    try unsafe node.perform(.queryBuffer, &buffer)
    guard let planes else {
      return [
        try unsafe MappedBuffer(byteCount: buffer.length, offset: buffer.m.offset, of: node)
      ]
    }
    guard unsafe Int(buffer.length) == planes.count else {
      throw SystemError(errno: EIO, operation: "VIDIOC_QUERYBUF")
    }
    var memory: [MappedBuffer] = []
    for plane in 0..<planes.count {
      let (length, offset) = planes.memory(plane)
      memory.append(try MappedBuffer(byteCount: length, offset: offset, of: node))
    }
    return memory
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
      byteCount: note(buffer),
      isFlawed: buffer.flags & V4L2_BUF_FLAG_ERROR.bits != 0,
      sequence: buffer.sequence,
      stamp: DriverTimestamp(
        seconds: Int64(buffer.timestamp.tv_sec),
        microseconds: Int64(buffer.timestamp.tv_usec),
        flags: buffer.flags
      )
    )
  }

  /// Keeps where the planes of a dequeued buffer have bytes.
  /// - Returns: How many.
  private func note(_ buffer: v4l2_buffer) -> Int {
    let index = unsafe Int(buffer.index)
    var byteCount = 0
    for plane in buffers[index].indices {
      let length = buffers[index][plane].byteCount
      let used = unsafe planes?.used(plane) ?? 0..<Int(buffer.bytesused)
      filled[index][plane] = used.clamped(to: 0..<length)
      byteCount += filled[index][plane].count
    }
    return byteCount
  }

  /// The bytes of one plane of a dequeued buffer.
  func byteCount(of buffer: Filled, plane: Int) -> Int { filled[Int(buffer.index)][plane].count }

  /// Gives a buffer back to the driver.
  func enqueue(_ index: UInt32) throws(SystemError) {
    var buffer = unsafe question(index)
    try unsafe node.perform(.enqueueBuffer, &buffer)
  }

  /// Calls `body` with the bytes of a plane of a dequeued buffer.
  func withBytes<R, E: Error>(
    of buffer: Filled,
    plane: Int = 0,
    _ body: (inout MutableRawSpan) throws(E) -> R
  ) throws(E) -> R {
    let index = Int(buffer.index)
    return try buffers[index][plane].withBytes(filled[index][plane], body)
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
    unsafe planes?.prepare(&buffer)
    return unsafe buffer
  }
}

/// The memory into which a driver writes about the planes of a buffer.
@safe private final class PlaneAnswers {
  private let answers: UnsafeMutableBufferPointer<v4l2_plane>

  init(count: Int) {
    unsafe answers = .allocate(capacity: count)
    unsafe answers.initialize(repeating: v4l2_plane())
  }

  deinit {
    unsafe answers.deallocate()
  }

  var count: Int { unsafe answers.count }

  func prepare(_ question: inout v4l2_buffer) {
    unsafe answers.update(repeating: v4l2_plane())
    unsafe question.m.planes = answers.baseAddress
    unsafe question.length = UInt32(answers.count)
  }

  func memory(_ plane: Int) -> (length: UInt32, offset: UInt32) {
    unsafe (answers[plane].length, answers[plane].m.mem_offset)
  }

  /// The picture's place in the plane's memory. What the driver counts includes what is before it.
  func used(_ plane: Int) -> Range<Int> {
    let start = unsafe Int(answers[plane].data_offset)
    return unsafe start..<max(start, Int(answers[plane].bytesused))
  }
}
