import Capture
import EventLoop
import Imaging
import OperatingSystem

/// Reads the driver's mailbox on the frame loop: copies the newest good buffer and counts the
/// others as lost.
// @unchecked: only the frame loop makes and uses it.
final class MailboxReader: @unchecked Sendable {
  private let mailbox: DriverMailbox
  private let format: StreamFormat
  /// Nil after `stop`.
  private var receiver: (any FrameReceiver)?
  private var post = DriverMailbox.Post()
  private var lastNumber: UInt64 = 0

  init(from mailbox: DriverMailbox, format: StreamFormat, to receiver: any FrameReceiver) {
    self.mailbox = mailbox
    self.format = format
    self.receiver = receiver
  }

  func start(on loop: EventLoop) {
    mailbox.connect(to: loop) { [self] in collect() }
  }

  func stop() {
    mailbox.disconnect()
    receiver = nil
  }

  private func collect() {
    mailbox.collect(into: &post)
    defer { post.removeAll() }
    for control in post.changedControls { receiver?.controlChanged(control) }
    if let newest = drain(post.buffers) { deliver(newest) }
    if let failure = post.failure { receiver?.failed(failure) }
  }

  /// Returns the newest good buffer and counts all others.
  private func drain(_ buffers: [DriverBuffer]) -> Frame? {
    var newest: Frame?
    for buffer in buffers {
      let number = buffer.frame.metadata.sequence
      count(Int(number - lastNumber) - 1, .camera)
      lastNumber = number
      if let defect = defect(of: buffer) {
        count(1, defect)
      } else {
        if newest != nil { count(1, .skipped) }
        newest = buffer.frame
      }
    }
    return newest
  }

  private func count(_ frames: Int, _ reason: FrameLoss) {
    if frames > 0 { receiver?.lost(frames, reason) }
  }

  private func defect(of buffer: DriverBuffer) -> FrameLoss? {
    if buffer.isCorrupted || buffer.frame.byteCount > format.maximumByteCount { return .corrupted }
    guard format.layout.pixelFormat.isCompressed else {
      return buffer.frame.byteCount < format.layout.byteCount ? .corrupted : nil
    }
    return buffer.frame.withBytes { bytes in
      switch JPEGIntegrity.check(bytes) {
      case .complete: nil
      case .truncated: .truncated
      case .notJPEG: .corrupted
      }
    }
  }

  private func deliver(_ source: Frame) {
    let dequeued = MonotonicTime.now
    guard receiver?.wants(frameOf: source.metadata.timestamp) == true,
      var draft = receiver?.draft(byteCount: source.byteCount)
    else { return }
    source.withBytes { draft.copyBytes(of: $0) }
    var metadata = source.metadata
    metadata.dequeued = dequeued
    metadata.copied = .now
    metadata.encodeStarted = metadata.copied
    metadata.encodeFinished = metadata.copied
    metadata.wallClock = .now()
    receiver?.receive(
      draft.seal(layout: format.layout, metadata: metadata, byteCount: source.byteCount)
    )
  }
}
