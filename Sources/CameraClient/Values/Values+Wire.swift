package import CameraProtocol

// How the wire's messages become the values that users see: the camera's part.

extension ClockInstant {
  /// Nil for 0, which says on the wire that there is no such moment.
  init?(unlessZero nanoseconds: Int64) {
    guard nanoseconds != 0 else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension Duration {
  /// Nil for 0, which says on the wire that there is no such duration.
  static func unlessZero(_ nanoseconds: some BinaryInteger) -> Duration? {
    nanoseconds == 0 ? nil : .nanoseconds(nanoseconds)
  }
}

extension Timestamp {
  package init(_ wire: WireTimestamp) {
    self.init(
      monotonic: MonotonicInstant(nanoseconds: wire.monotonicNs),
      wall: WallInstant(nanoseconds: wire.wallNs), wallError: .unlessZero(wire.wallErrorNs))
  }

  init(_ moment: PublicationHeader.Moment) {
    self.init(
      monotonic: MonotonicInstant(nanoseconds: moment.monotonic),
      wall: WallInstant(nanoseconds: moment.wall), wallError: .unlessZero(moment.wallError))
  }
}

extension FrameSize {
  package init(_ wire: WireSize) {
    self.init(width: Int(wire.width), height: Int(wire.height))
  }
}

extension Device {
  package init(_ wire: WireDevice) {
    self.init(
      identity: wire.identity,
      model: wire.model,
      location: wire.location,
      driver: wire.driver,
      standInReason: wire.standInReason.isEmpty ? nil : wire.standInReason
    )
  }
}

extension CameraFormat {
  package init(_ wire: WireFormat) {
    self.init(
      pixelFormat: wire.pixelFormat,
      size: FrameSize(wire.size),
      // JSON has no infinite number, and no camera such a rate.
      frameRates: wire.frameRates.filter(\.isFinite),
      summary: wire.summary,
      problem: wire.problem.isEmpty ? nil : wire.problem
    )
  }
}

extension StreamFormat {
  package init(_ wire: WireStreamFormat) {
    self.init(
      pixelFormat: wire.pixelFormat,
      size: FrameSize(wire.size),
      frameRate: wire.frameRate.asRate,
      devicePixelFormat: wire.devicePixelFormat,
      deviceFrameRate: wire.deviceFrameRate.asRate,
      orientation: Orientation(wire.orientation)
    )
  }
}

extension FrameCounters {
  package init(_ wire: WireFrameCounters) {
    self.init(
      delivered: wire.delivered,
      lostByCamera: wire.lostByCamera,
      corrupted: wire.corrupted,
      truncated: wire.truncated,
      skipped: wire.skipped,
      poolExhausted: wire.poolExhausted,
      thinned: wire.thinned
    )
  }
}

extension StreamStatus {
  package init(_ wire: WireStreamStatus) {
    self.init(
      name: wire.name,
      subscribers: Int(wire.subscribers),
      encoded: wire.encoded,
      published: wire.published,
      droppedLate: wire.droppedLate,
      droppedSlow: wire.droppedSlow,
      encodingFailed: wire.encodingFailed,
      thinnedByPressure: wire.thinnedByPressure,
      thinnedByRate: wire.thinnedByRate,
      error: wire.hasError ? Problem(wire.error) : nil,
      encoder: wire.encoder.isEmpty ? nil : wire.encoder
    )
  }
}

extension RecordingStatus {
  /// Nil when it has no id.
  package init?(_ wire: WireRecordingStatus) {
    guard let id = Identifier(bytes: wire.requestID) else { return nil }
    self.init(
      id: id,
      started: Timestamp(wire.started),
      frames: wire.frames,
      bytes: wire.bytes,
      dropped: wire.dropped,
      codec: VideoCodec(wire.codec),
      container: MovieContainer(wire.container),
      encoder: wire.encoder.isEmpty ? nil : wire.encoder,
      sound: RecordingSound(wire),
      duration: .nanoseconds(wire.durationNs),
      pause: Pause(wire.pause),
      files: Int(wire.segments),
      reach: .unlessZero(wire.reachNs)
    )
  }
}

extension Problem {
  package init(_ wire: WireError) {
    let error = CameraBusError(wire)
    self.init(code: error.code, message: error.message)
  }
}

extension CameraStatus {
  package init(_ wire: WireCameraStatus) {
    self.init(
      name: wire.name,
      device: wire.hasDevice ? Device(wire.device) : nil,
      state: SessionState(wire.state),
      since: Timestamp(wire.since),
      interruption: wire.state == .interrupted ? InterruptionReason(wire.interruption) : nil,
      error: wire.hasError ? Problem(wire.error) : nil,
      readiness: Readiness(wire.readiness),
      format: wire.hasFormat ? StreamFormat(wire.format) : nil,
      frames: FrameCounters(wire.frames),
      streams: wire.streams.map(StreamStatus.init),
      recording: wire.hasRecording ? RecordingStatus(wire.recording) : nil,
      attempts: Int(wire.attempts),
      lastAttempt: wire.lastAttempt.isEmpty ? nil : wire.lastAttempt,
      lastAttemptTime: MonotonicInstant(unlessZero: wire.lastAttemptMonotonicNs),
      nextAttemptTime: MonotonicInstant(unlessZero: wire.nextAttemptMonotonicNs),
      ring: .nanoseconds(wire.ringDurationNs),
      lease: wire.hasLease ? Lease(wire.lease) : nil,
      configuration: CameraConfiguration(wire.configuration),
      idleAfter: .unlessZero(wire.idleAfterNs),
      subjectAreaThreshold: wire.subjectAreaThreshold > 0 ? wire.subjectAreaThreshold : nil,
      livePhotos: wire.hasLivePhotos ? LivePhotoStatus(wire.livePhotos) : nil,
      configuredInput: wire.configuredInput.isEmpty ? nil : wire.configuredInput,
      adoption: CameraAdoption(wire.adoption),
      refusals: wire.refusals.map { RefusedSetting(setting: $0.setting, reason: $0.reason) },
      remembered: wire.hasRemembered ? RememberedChanges(wire.remembered) : nil,
      pace: wire.hasPace ? FramePace(wire.pace) : nil
    )
  }
}

extension FramePace {
  /// Nanoseconds between frames that a camera can have: from a microsecond to an hour.
  private static let intervals = 1e3...3.6e12

  /// Nil for numbers that no camera has.
  fileprivate init?(_ wire: WireFramePace) {
    guard Self.intervals.contains(wire.intervalNs),
      (0...Self.intervals.upperBound).contains(wire.deviationNs)
    else { return nil }
    self.init(
      newest: Timestamp(wire.newest), interval: wire.intervalNs, deviation: wire.deviationNs,
      frames: Int(wire.frames))
  }
}

extension Lease {
  fileprivate init(_ wire: WireLease) {
    self.init(
      holder: wire.holder, since: Timestamp(wire.since), term: .nanoseconds(wire.termNs),
      expires: MonotonicInstant(nanoseconds: wire.expiresMonotonicNs))
  }
}

extension WireStatusReply {
  /// The number of the last event of each topic that the status includes.
  var eventNumbers: [String: UInt64] {
    Dictionary(
      topics.prefix(EventPosition.limit).map { ($0.topic, $0.lastSequence) },
      uniquingKeysWith: max)
  }
}

extension NodeStatus {
  package init(_ wire: WireStatusReply, epoch: Epoch) {
    self.init(
      name: wire.nodeName,
      version: wire.version,
      epoch: Identifier(epoch),
      now: Timestamp(wire.now),
      started: MonotonicInstant(nanoseconds: wire.startedMonotonicNs),
      eventsEndpoint: wire.eventsEndpoint,
      framesEndpoint: wire.framesEndpoint,
      cameras: wire.cameras.map(CameraStatus.init),
      malformedRequests: wire.malformedRequests,
      busyReplies: wire.busyReplies,
      undeliverableReplies: wire.undeliverableReplies,
      eventsDropped: wire.eventsDropped,
      forbiddenRequests: wire.forbiddenRequests,
      refusedConnections: wire.refusedConnections,
      access: KeyAccess(
        role: KeyRole(wire.role), cameras: wire.roleCameras.isEmpty ? nil : wire.roleCameras,
        expires: WallInstant(unlessZero: wire.roleExpiresWallNs)),
      library: LibraryStatus(wire.library),
      loops: wire.loops.map { loop in
        LoopStatus(name: loop.name, longestTurn: .nanoseconds(loop.longestTurnNs))
      },
      pressure: wire.hasPressure ? SystemPressure(wire.pressure) : nil,
      microphones: wire.microphones.map(Microphone.init),
      eventPosition: EventPosition(wire.eventNumbers, of: Identifier(epoch))
    )
  }
}

extension LibraryStatus {
  init(_ wire: WireLibraryStatus) {
    self.init(
      folder: wire.folder,
      freeBytes: wire.hasFreeBytes ? wire.freeBytes : nil,
      reserveBytes: wire.reserveBytes,
      error: wire.hasError ? Problem(wire.error) : nil,
      deferredPhotos: Int(wire.deferredPhotos),
      deferredBytes: wire.deferredBytes,
      usage: wire.usage.map { LibraryUsage(camera: $0.camera, assets: $0.assets, bytes: $0.bytes) },
      quota: wire.hasQuota ? LibraryQuota(wire.quota) : nil,
      quotaProblem: wire.hasQuotaError ? Problem(wire.quotaError) : nil,
      unlistedFiles: wire.unlistedFiles,
      damagedIndex: wire.damagedIndex.isEmpty ? nil : wire.damagedIndex
    )
  }
}
