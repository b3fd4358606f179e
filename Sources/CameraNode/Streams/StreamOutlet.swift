import Capture

/// Where one named stream leaves for the frames socket. Confined to the frame loop.
final class StreamOutlet: FrameConsumer {
  let topic: Publisher.Topic
  /// Nil for raw frames.
  let encoding: EncodedStream?
  private(set) var isOpen = false
  private(set) var published: UInt64 = 0
  private let pipeline: FramePipeline
  private let publisher: Publisher

  init(
    topic: Publisher.Topic,
    pipeline: FramePipeline,
    encoding: EncodedStream?,
    publisher: Publisher
  ) {
    self.topic = topic
    self.pipeline = pipeline
    self.encoding = encoding
    self.publisher = publisher
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

  func receive(_ frame: Frame) {
    published += 1
    publisher.publish(frame, on: topic)
  }
}
