import Capture
import EventLoop
import Imaging
import OperatingSystem
import Testing

@testable import CaptureSynthetic

/// Tests the reader alone, with buffers made by hand.
struct MailboxReaderTests {
  private let layout = ImageLayout.compressed(.mjpeg, size: ImageSize(width: 4, height: 2))
  /// The shortest bytes that count as a complete JPEG: its beginning, a scan and its end.
  private static let whole: [UInt8] = [0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]

  private func buffer(
    _ number: UInt64,
    _ bytes: [UInt8] = Self.whole,
    isCorrupted: Bool = false
  ) throws -> DriverBuffer {
    let pool = FramePool(limit: 1, byteCount: 64, layout: layout)
    guard var draft = pool.take() else { throw RigError.noPicture }
    draft.withBytes { memory in unsafe memory.copyBytes(of: bytes.span.bytes) }
    let time = MonotonicTime(nanoseconds: Int64(number))
    let metadata = FrameMetadata(
      sequence: number,
      timestamp: time,
      marks: .exposureStart,
      exposure: ExposureBounds(earliestStart: time, latestEnd: time),
      dequeued: time,
      copied: time,
      wallClock: .now()
    )
    let frame = draft.seal(layout: layout, metadata: metadata, byteCount: bytes.count)
    return DriverBuffer(frame: frame, isCorrupted: isCorrupted)
  }

  /// The receiver's events for buffers that wait when the frame loop reads them, and for the end of
  /// the stream.
  private func events(of buffers: [DriverBuffer]) async -> [RecordingReceiver.Event] {
    let mailbox = DriverMailbox()
    for buffer in buffers { mailbox.post(buffer) }
    mailbox.post(ControlBank.breakdown)
    let format = StreamFormat(
      layout: layout,
      maximumByteCount: 16,
      frameRate: nil,
      devicePixelFormat: .mjpeg
    )
    let receiver = RecordingReceiver()
    let loop = EventLoop(name: "test frames")
    let reader = MailboxReader(from: mailbox, format: format, to: receiver)
    loop.perform { reader.start(on: loop) }
    let events = await receiver.events { if case .failed = $0 { true } else { false } }
    loop.perform { reader.stop() }
    loop.stop()
    return events
  }

  private func text(_ event: RecordingReceiver.Event) -> String {
    switch event {
    case .picture(let picture): "picture \(picture.metadata.sequence)"
    case .lost(let count, let reason): "lost \(count) \(reason)"
    case .controlChanged(let id): "\(id)"
    case .failed(let error): "\(error.code)"
    }
  }

  @Test func `The newest good buffer is delivered, and every other one is counted`()
    async throws
  {
    let buffers = [
      try buffer(2), try buffer(3), try buffer(6, isCorrupted: true), try buffer(7),
      try buffer(8, [0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3]), try buffer(9, [1, 2, 3, 4]),
      try buffer(10, Array(repeating: 0, count: 17)),
    ]
    let expected = [
      "lost 1 camera", "lost 1 skipped", "lost 2 camera", "lost 1 corrupted", "lost 1 skipped",
      "lost 1 truncated", "lost 1 corrupted", "lost 1 corrupted", "picture 7", "deviceFailed",
    ]
    #expect(await events(of: buffers).map(text) == expected)
  }

  @Test func `A mailbox accepts nothing after its end`() async throws {
    let mailbox = DriverMailbox()
    mailbox.post(ControlBank.breakdown)
    mailbox.post(ControlBank.disconnection)
    mailbox.post(try buffer(1))
    mailbox.post([.brightness])
    var post = DriverMailbox.Post()
    mailbox.collect(into: &post)
    #expect(post.failure == ControlBank.breakdown)
    #expect(post.buffers.isEmpty && post.changedControls.isEmpty && mailbox.isOver)
  }
}
