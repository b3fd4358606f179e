import CameraProtocol
import Capture
import OperatingSystem

/// Where one named stream leaves for the frames socket.
// @unchecked: confined to the frame loop, but for the status, which has locks.
final class StreamOutlet: FrameConsumer, @unchecked Sendable {
  struct Status: Sendable {
    var name: String
    var subscribers: Int
    var encoded: UInt64
    var published: UInt64
    var droppedLate: UInt64
    var droppedSlow: UInt64
  }

  /// What any thread may ask, without a hop to the frame loop.
  private struct Told {
    var subscribers = 0
    var published: UInt64 = 0
    var droppedSlow: UInt64 = 0
  }

  let name: StreamName
  private let topic: Publisher.Topic
  /// Nil for raw frames.
  private let encoding: EncodedStream?
  private let pipeline: FramePipeline
  private let publisher: Publisher
  private let told = Mutex(Told())
  private var isOpen = false

  init(
    _ name: StreamName,
    topic: Publisher.Topic,
    pipeline: FramePipeline,
    encoding: EncodedStream?,
    publisher: Publisher
  ) {
    self.name = name
    self.topic = topic
    self.pipeline = pipeline
    self.encoding = encoding
    self.publisher = publisher
  }

  /// On any thread.
  var status: Status {
    let counters = encoding?.counters ?? EncodedStream.Counters()
    let told = told.withLock { $0 }
    return Status(
      name: name.description,
      subscribers: told.subscribers,
      encoded: counters.encoded,
      published: told.published,
      droppedLate: counters.droppedLate,
      droppedSlow: told.droppedSlow
    )
  }

  func open() {
    guard !isOpen else { return }
    isOpen = true
    if let encoding { encoding.add(self) } else { pipeline.add(self) }
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    if let encoding { encoding.remove(self) } else { pipeline.remove(self) }
  }

  /// Somebody subscribed or left.
  func countSubscribers() {
    let count = publisher.subscriptions.subscribers(of: topic.name)
    told.withLock { $0.subscribers = count }
  }

  func receive(_ frame: Frame) {
    // Before it leaves: who has the frame finds it counted.
    told.withLock { $0.published += 1 }
    publisher.publish(frame, on: topic)
    let overflows = topic.overflows
    if overflows > 0 { told.withLock { $0.droppedSlow = overflows } }
  }
}
