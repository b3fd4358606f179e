import CameraProtocol
import Capture
import Imaging
import OperatingSystem

extension WireTimestamp {
  /// A moment of the monotonic clock, also given in wall-clock time.
  init(_ time: MonotonicTime, _ wallClock: WallClockSample) {
    self.init()
    let moment = PublicationHeader.Moment(time, wallClock)
    monotonicNs = moment.monotonic
    wallNs = moment.wall
    wallErrorNs = moment.wallError
  }
}

extension WireSize {
  init(_ size: ImageSize) {
    self.init()
    width = UInt32(size.width)
    height = UInt32(size.height)
  }
}

extension WireOrientation {
  init(_ orientation: Orientation) {
    self.init()
    rotation = UInt32(orientation.rotation.rawValue)
    mirrored = orientation.isMirrored
  }
}

extension PublicationHeader.Orientation {
  init(_ orientation: Orientation) {
    self.init(
      rotation: UInt32(orientation.rotation.rawValue), isMirrored: orientation.isMirrored)
  }
}

extension PublicationHeader.Moment {
  init(_ time: MonotonicTime, _ wallClock: WallClockSample) {
    self.init(
      monotonic: time.nanoseconds,
      wall: time.nanoseconds + wallClock.offset,
      wallError: wallClock.error == .max ? 0 : wallClock.error
    )
  }
}

extension PublicationHeader.Frame {
  init(_ frame: Frame, format: PixelFormatName) {
    self.init()
    let (layout, metadata) = (frame.layout, frame.metadata)
    sequence = metadata.sequence
    timestamp = .init(metadata.timestamp, metadata.wallClock)
    timestampMark = Int32(WireTimestampMark(metadata.marks).rawValue)
    earliestStart = metadata.exposure.earliestStart.nanoseconds
    latestEnd = metadata.exposure.latestEnd.nanoseconds
    exposure = UInt64(clamping: metadata.facts.exposure ?? 0)
    facts = PublicationHeader.Facts(metadata.facts, layout)
    width = UInt32(layout.size.width)
    height = UInt32(layout.size.height)
    pixelFormat = format
    dequeued = metadata.dequeued.nanoseconds
    copied = metadata.copied.nanoseconds
    if metadata.orientation != .upright { orientation = .init(metadata.orientation) }
    deviceTime = metadata.deviceTime.map(PublicationHeader.DeviceTime.init)
    isKeyPicture = metadata.dependence == .key
    if !layout.pixelFormat.isCompressed { bytesPerLine = UInt32(layout.bytesPerLine) }
    if metadata.encodeFinished > metadata.copied {
      encodeStarted = metadata.encodeStarted.nanoseconds
      encodeFinished = metadata.encodeFinished.nanoseconds
    }
  }
}

extension WireDeviceTime {
  init(_ time: DeviceTime) {
    self.init()
    ticks = time.ticks
    monotonicNs = time.time.nanoseconds
    errorNs = UInt64(clamping: time.error)
    basis = Basis(time.basis)
  }
}

extension PublicationHeader.DeviceTime {
  init(_ time: DeviceTime) {
    self.init()
    ticks = time.ticks
    monotonic = time.time.nanoseconds
    error = UInt64(clamping: time.error)
    basis = Int32(WireDeviceTime.Basis(time.basis).rawValue)
  }
}

extension PublicationHeader.Facts {
  /// Nil if nothing is known.
  init?(_ facts: FrameFacts, _ layout: ImageLayout) {
    self.init()
    (gain, focus, kelvin, zoom) = (facts.gain, facts.focus, facts.kelvin, facts.zoom)
    flash = facts.flash
    if layout.pixelFormat.hasColorCodes {
      colorRange = Int32((layout.range == .full ? WireColorRange.full : .limited).rawValue)
      colorMatrix = Int32((layout.matrix == .bt601 ? WireColorMatrix.bt601 : .bt709).rawValue)
    }
    if self == Self() { return nil }
  }
}

extension WireFrameFacts {
  /// Nil if nothing is known.
  init?(_ facts: FrameFacts) {
    self.init()
    if let gain = facts.gain { self.gain = gain }
    if let focus = facts.focus { self.focus = focus }
    if let kelvin = facts.kelvin { self.kelvin = kelvin }
    if let zoom = facts.zoom { self.zoom = zoom }
    if let flash = facts.flash { self.flash = flash }
    if self == Self() { return nil }
  }
}

extension WireResolvedCapture {
  @ControlLoop init(_ photo: ResolvedPhoto, of camera: Camera) {
    self.init(photo, calibrationID: camera.options.mounting.calibration?.id)
  }

  init(_ photo: ResolvedPhoto, calibrationID: String?) {
    self.init()
    frameSequence = photo.metadata.sequence
    timestamp = WireTimestamp(photo.metadata.timestamp, photo.metadata.wallClock)
    timestampMark = WireTimestampMark(photo.metadata.marks)
    earliestStartNs = photo.metadata.exposure.earliestStart.nanoseconds
    latestEndNs = photo.metadata.exposure.latestEnd.nanoseconds
    exposureNs = UInt64(clamping: photo.metadata.facts.exposure ?? 0)
    if let facts = WireFrameFacts(photo.metadata.facts) { self.facts = facts }
    offsetNs = photo.offset
    size = WireSize(photo.size)
    passthrough = photo.isPassthrough
    gapNs = UInt64(clamping: photo.gap)
    mergedFrames = photo.mergedCount > 1 ? UInt32(photo.mergedCount) : 0
    prioritization = WirePhotoPrioritization(photo.prioritization)
    quality = UInt32(photo.quality ?? 0)
    self.calibrationID = calibrationID ?? ""
    if photo.orientation != .upright { orientation = WireOrientation(photo.orientation) }
    startNs = UInt64(clamping: photo.start)
    if let time = photo.metadata.deviceTime { deviceTime = WireDeviceTime(time) }
    if let shot = photo.shot { self.shot = WireResolvedShot(shot) }
    if let flash = photo.flash { self.flash = WireControlEffect.Basis(flash) }
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
    thinned = counters.thinned
  }
}

extension WireStreamStatus {
  /// - Parameter pictureRefusal: Why no pictures can be made of the camera's frames; nil if they
  ///   can.
  init(_ stream: StreamOutlet.Status, pictureRefusal: CaptureError?) {
    self.init()
    let refusal = (stream.isEncoded ? pictureRefusal : nil) ?? stream.refusal
    if let refusal { error = WireError(refusal) }
    name = stream.name
    subscribers = UInt32(clamping: stream.subscribers)
    encoded = stream.encoded
    published = stream.published
    droppedLate = stream.droppedLate
    droppedSlow = stream.droppedSlow
    encodingFailed = stream.encodingFailed
    thinnedByPressure = stream.thinnedByPressure
    thinnedByRate = stream.thinnedByRate
    encoder = stream.encoder ?? ""
  }
}

extension WireFormat {
  init(_ format: CameraFormat) {
    self.init()
    pixelFormat = format.pixelFormat.name
    size = WireSize(format.size)
    frameRates = format.frameRates.map(\.framesPerSecond)
    summary = format.summary
    problem = format.problem ?? ""
  }
}

extension WireStreamFormat {
  init(_ format: StreamFormat) {
    self.init()
    pixelFormat = format.layout.pixelFormat.name
    size = WireSize(format.layout.size)
    frameRate = format.frameRate?.framesPerSecond ?? 0
    devicePixelFormat = format.devicePixelFormat.name
    deviceFrameRate = format.deviceFrameRate?.framesPerSecond ?? 0
    if format.layout.orientation != .upright {
      orientation = WireOrientation(format.layout.orientation)
    }
  }
}

extension WireFramePace {
  init(_ pace: FramePace, _ wallClock: WallClockSample) {
    self.init()
    newest = WireTimestamp(pace.newest, wallClock)
    intervalNs = pace.interval
    deviationNs = pace.deviation
    frames = UInt32(clamping: pace.frames)
  }
}
