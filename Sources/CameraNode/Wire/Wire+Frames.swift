import CameraProtocol
import Capture
import EventLoop
import Imaging

extension WireTimestamp {
  /// A moment of the monotonic clock, and the same by the wall clock.
  init(_ time: MonotonicTime, _ wallClock: WallClockSample) {
    self.init()
    monotonicNs = time.nanoseconds
    wallNs = time.nanoseconds + wallClock.offset
    wallErrorNs = wallClock.error == .max ? 0 : wallClock.error
  }
}

extension WireSize {
  init(_ size: ImageSize) {
    self.init()
    width = UInt32(size.width)
    height = UInt32(size.height)
  }
}

extension WireFrameHeader {
  init(_ frame: Frame) {
    self.init()
    let metadata = frame.metadata
    frameSequence = metadata.sequence
    timestamp = WireTimestamp(metadata.timestamp, metadata.wallClock)
    startOfExposure = metadata.marks == .startOfExposure
    size = WireSize(frame.layout.size)
    pixelFormat = frame.layout.pixelFormat.name
    dequeuedNs = metadata.dequeued.nanoseconds
    copiedNs = metadata.copied.nanoseconds
    if !frame.layout.pixelFormat.isCompressed {
      bytesPerLine = UInt32(frame.layout.bytesPerLine)
    }
    if metadata.encodeFinished > metadata.copied {
      encodeStartedNs = metadata.encodeStarted.nanoseconds
      encodeFinishedNs = metadata.encodeFinished.nanoseconds
    }
  }
}

extension WireResolvedCapture {
  init(_ photo: ResolvedPhoto) {
    self.init()
    frameSequence = photo.metadata.sequence
    timestamp = WireTimestamp(photo.metadata.timestamp, photo.metadata.wallClock)
    startOfExposure = photo.metadata.marks == .startOfExposure
    offsetNs = photo.offset
    uncertaintyNs = UInt64(photo.uncertainty)
    size = WireSize(photo.size)
    passthrough = photo.isPassthrough
    quality = UInt32(photo.quality ?? 0)
  }
}

extension WireFrameCounters {
  init(_ counters: FrameCounters) {
    self.init()
    delivered = counters.delivered
    lostByCamera = counters.lostByCamera
    corrupted = counters.corrupted
    truncated = counters.truncated
    skipped = counters.skipped
    poolExhausted = counters.poolExhausted
  }
}

extension WireStreamStatus {
  init(_ stream: StreamOutlet.Status) {
    self.init()
    name = stream.name
    subscribers = UInt32(clamping: stream.subscribers)
    encoded = stream.encoded
    published = stream.published
    droppedLate = stream.droppedLate
    droppedSlow = stream.droppedSlow
  }
}

extension WireFormat {
  init(_ format: CameraFormat) {
    self.init()
    pixelFormat = format.pixelFormat.name
    size = WireSize(format.size)
    frameRates = format.frameRates.map(\.framesPerSecond)
    summary = format.summary
  }
}

extension WireStreamFormat {
  init(_ format: StreamFormat) {
    self.init()
    pixelFormat = format.layout.pixelFormat.name
    size = WireSize(format.layout.size)
    frameRate = format.frameRate?.framesPerSecond ?? 0
    devicePixelFormat = format.devicePixelFormat.name
  }
}
