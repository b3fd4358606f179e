package import CameraProtocol

extension CameraEvent {
  /// Nil for an event that names nothing: no photo, no recording.
  package init?(_ wire: WireEvent, _ header: PublicationHeader) {
    let body: Body?
    switch wire.body {
    case .state(let status): body = .state(CameraStatus(status))
    case .control(let control): body = .control(Control(control))
    case .capture(let capture): body = Body(capture)
    case .recording(let recording): body = Body(recording)
    case .capabilities(let capabilities): body = .capabilities(Capabilities(capabilities))
    case .subjectArea(let change): body = .subjectArea(SubjectAreaChange(change))
    case .library(let event):
      guard let removal = AssetRemoval(event) else { return nil }
      body = .library(removal)
    case .sound(let event):
      guard let change = SoundChange(event) else { return nil }
      body = .sound(change)
    case .keys(let keys): body = .keys(KeysEvent(keys))
    case .devices(let devices): body = .devices(DevicesEvent(devices))
    case .pressure(let pressure): body = .pressure(SystemPressure(pressure))
    case .deferred(let deferred): body = Body(deferred)
    case .shot(let shot): body = Body(shot)
    case nil: body = .unknown
    }
    guard let body else { return nil }
    self.init(
      epoch: Identifier(header.epoch),
      sequence: header.sequence,
      camera: wire.camera,
      time: Timestamp(wire.time),
      body: body
    )
  }
}

extension CameraEvent.Body {
  fileprivate init?(_ wire: WireCaptureEvent) {
    guard let id = Identifier(bytes: wire.requestID) else { return nil }
    switch wire.body {
    case .progress(let progress): self = .capture(requestID: id, CaptureEvent(progress))
    case .completed(let result):
      self = .capture(
        requestID: id, .completed(ResolvedCapture(result.resolved), result.assets))
    case .failed(let error): self = .capture(requestID: id, .failed(Problem(error)))
    case nil: self = .capture(requestID: id, .unknown)
    }
  }

  fileprivate init?(_ wire: WireRecordEvent) {
    guard let id = Identifier(bytes: wire.requestID) else { return nil }
    switch wire.body {
    case .started(let started):
      guard let start = RecordingStart(started) else { return nil }
      self = .recording(id: id, .started(start))
    case .finished(let result):
      let ended = Movie(result).map(RecordingEvent.finished)
      self = .recording(id: id, ended ?? .failed(.noFrameRecorded))
    case .failed(let error): self = .recording(id: id, .failed(Problem(error)))
    case .segment(let file): self = .recording(id: id, .file(RecordedFile(file)))
    case .progress(let status): self = .recording(id: id, Self.event(status, { .progress($0) }))
    case .paused(let status): self = .recording(id: id, Self.event(status, { .paused($0) }))
    case .resumed(let status): self = .recording(id: id, Self.event(status, { .resumed($0) }))
    case nil: self = .recording(id: id, .unknown)
    }
  }

  private static func event(
    _ status: WireRecordingStatus, _ event: (RecordingStatus) -> RecordingEvent
  ) -> RecordingEvent {
    RecordingStatus(status).map(event) ?? .unknown
  }
}

extension CameraEvent.Body {
  fileprivate init?(_ wire: WireDeferredEvent) {
    guard let id = Identifier(bytes: wire.requestID), let proxy = Identifier(bytes: wire.proxy)
    else { return nil }
    switch wire.body {
    case .finished(let picture):
      let assets = picture.files.compactMap { $0.hasAsset ? Asset($0.asset) : nil }
      self = .deferred(
        requestID: id, proxy: proxy, .finished(ResolvedCapture(picture.resolved), assets))
    case .failed(let error):
      self = .deferred(requestID: id, proxy: proxy, .failed(Problem(error)))
    case nil: self = .deferred(requestID: id, proxy: proxy, .unknown)
    }
  }
}

extension CameraEvent.Body {
  fileprivate init?(_ wire: WireShotEvent) {
    guard let shot = Identifier(bytes: wire.shot) else { return nil }
    let event: ShotEvent
    switch wire.body {
    case .prepared(let prepared): event = .prepared(holder: prepared.holder)
    case .committed(let commit):
      guard let id = Identifier(bytes: commit.requestID) else { return nil }
      event = .committed(requestID: id, Timestamp(commit.moment))
    case .completed(let result):
      event = .completed(ResolvedCapture(result.resolved), result.assets)
    case .failed(let error): event = .failed(Problem(error))
    case .aborted: event = .aborted
    case .expired: event = .expired
    case nil: event = .unknown
    }
    self = .shot(shot, camera: wire.camera, event)
  }
}

extension KeysEvent {
  fileprivate init(_ wire: WireKeysEvent) {
    self.init(
      authorized: wire.authorized, revoked: wire.revoked, mistakes: wire.mistakes,
      refusedConnections: wire.refusedConnections)
  }
}

extension DevicesEvent {
  fileprivate init(_ wire: WireDevicesEvent) {
    self.init(
      appeared: wire.appeared.map(MachineDevice.init),
      disappeared: wire.disappeared.map(MachineDevice.init))
  }
}

extension SubjectAreaChange {
  package init(_ wire: WireSubjectAreaEvent) {
    self.init(
      threshold: wire.threshold, change: wire.change, frameSequence: wire.frameSequence,
      timestamp: Timestamp(wire.timestamp))
  }
}

extension CaptureEvent {
  fileprivate init(_ wire: WireCaptureProgress) {
    let resolved = ResolvedCapture(wire.resolved, picture: wire.picture)
    switch wire.step {
    case .willBegin: self = .willBegin(CaptureSettings(wire.settings))
    case .willCapture: self = .willCapture
    case .didCapture: self = .didCapture(resolved)
    case .didProcess: self = .didProcess(resolved, ProcessedFile(wire))
    case .didRecordMovie: self = .didRecordMovie(resolved)
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}
