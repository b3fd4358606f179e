package import CameraClient
package import CameraRig

/// The JSON of an event. `type` says which other fields there are.
package struct EventReport: Encodable {
  package var type: String
  /// Of many nodes: the node's name, when it happened by this machine's clock, and whether events
  /// of a later time came before it.
  package var nodeName: String?
  package var estimated: EstimatedTime?
  package var isLate: Bool?
  /// For a snapshot.
  package var node: NodeStatus?
  /// For a gap: the number of lost events of the camera, and their kind.
  package var missed: Int?
  package var kind: CameraEvent.Kind?
  /// For an event of a camera. The sequence counts the camera's events of this type in the epoch,
  /// from 1.
  /// For a history that is not whole: the first event that the node keeps.
  package var epoch: Identifier?
  package var sequence: UInt64?
  package var camera: String?
  package var time: Timestamp?
  /// For what is not an event of the node: when this machine noticed it.
  package var noticedWallNanoseconds: WallInstant?
  /// For a state.
  package var status: CameraStatus?
  package var control: Control?
  /// For a photo or a recording: the request that asked for it, and its step.
  package var requestID: Identifier?
  /// For the final photo of a proxy.
  package var proxy: Identifier?
  /// For a camera's part of a shot, which is an event of the node itself.
  package var shot: ShotReport?
  package var step: String?
  package var resolved: ResolvedCapture?
  /// What will be made.
  package var settings: CaptureSettings?
  package var mediaType: String?
  package var byteCount: Int?
  /// Which part of a photo's depth it is; nil for the photo.
  package var part: AssetPart?
  /// The only asset, or all if there are several.
  package var asset: Asset?
  package var assets: [Asset]?
  package var recording: RecordingStart?
  /// How far the recording is, where it goes on, is paused or resumed.
  package var recordingStatus: RecordingStatus?
  /// One of the files of a recording in segments or clips.
  package var recordedFile: RecordedFile?
  package var movie: Movie?
  package var error: Problem?
  /// For a change of the scene.
  package var subjectArea: SubjectAreaChange?
  package var removal: AssetRemoval?
  package var sound: SoundChange?
  /// For a change of the node's keys.
  package var keys: KeysEvent?
  /// For a camera that can do something else than before.
  package var capabilities: Capabilities?
  /// For cameras of the machine that come and go.
  package var devices: DevicesEvent?
  /// For the pressure on the node's machine.
  package var pressure: SystemPressure?

  /// - Parameter event: The first event of its camera and kind that the node keeps.
  package init(historyFrom event: CameraEvent) {
    type = "history"
    epoch = event.epoch
    sequence = event.sequence
    camera = event.camera
    kind = event.kind
    time = event.time
  }

  /// A gap in what a program passes on to its reader.
  /// - Parameter missed: How many events the reader did not get; nil if nobody knows.
  package init(missedByReader missed: Int?) {
    self.init(type: "gap", noticedWallNanoseconds: .now)
    self.missed = missed
  }

  package init(_ event: NodeEvent) {
    switch event {
    case .gap, .nodeRestarted, .disconnected, .reconnected:
      noticedWallNanoseconds = .now
    default: break
    }
    switch event {
    case .snapshot(let node):
      type = "snapshot"
      self.node = node
    case .event(let event):
      type = "state"
      epoch = event.epoch
      sequence = event.sequence
      camera = event.camera
      time = event.time
      fill(event.body)
    case .gap(let missed, let camera, let kind):
      type = "gap"
      self.missed = missed
      self.camera = camera
      self.kind = kind
    case .nodeRestarted: type = "nodeRestarted"
    case .disconnected(let reason):
      type = "disconnected"
      error = reason
    case .reconnected: type = "reconnected"
    }
  }

  package init(_ event: MonitorEvent) {
    switch event.body {
    case .node(let own): self.init(own)
    case .awaited(let problem):
      self.init(type: "awaited", noticedWallNanoseconds: event.time.wall, error: problem)
    case .clockChanged:
      self.init(type: "clockChanged", noticedWallNanoseconds: event.time.wall)
    @unknown default: self.init(type: "unknown")
    }
    nodeName = event.node
    estimated = event.time
    isLate = event.isLate
    if noticedWallNanoseconds != nil { noticedWallNanoseconds = event.time.wall }
  }

  private init(
    type: String, noticedWallNanoseconds: WallInstant? = nil, error: Problem? = nil
  ) {
    self.type = type
    self.noticedWallNanoseconds = noticedWallNanoseconds
    self.error = error
  }

  private mutating func fill(_ body: CameraEvent.Body) {
    switch body {
    case .state(let status):
      type = "state"
      self.status = status
    case .control(let control):
      type = "control"
      self.control = control
    case .capture(let id, let event):
      type = "capture"
      requestID = id
      fill(event)
    case .recording(let id, let event):
      type = "recording"
      requestID = id
      fill(event)
    case .deferred(let id, let proxy, let event):
      type = "deferred"
      requestID = id
      self.proxy = proxy
      fill(event)
    case .shot(let shot, let camera, let event):
      type = "shot"
      self.shot = ShotReport(shot: shot, camera: camera)
      fill(event)
    case .subjectArea(let change):
      type = "subjectArea"
      subjectArea = change
    case .library(let removal):
      type = "library"
      self.removal = removal
    case .sound(let change):
      type = "sound"
      sound = change
    case .keys(let keys):
      type = "keys"
      self.keys = keys
    case .capabilities(let capabilities):
      type = "capabilities"
      self.capabilities = capabilities
    case .devices(let devices):
      type = "devices"
      self.devices = devices
    case .pressure(let pressure):
      type = "pressure"
      self.pressure = pressure
    case .unknown: type = "unknown"
    }
  }

  private mutating func fill(_ event: CaptureEvent) {
    switch event {
    case .willBegin(let settings):
      step = "willBegin"
      self.settings = settings
    case .willCapture: step = "willCapture"
    case .didCapture(let resolved):
      step = "didCapture"
      self.resolved = resolved
    case .didProcess(let resolved, let file):
      step = "didProcess"
      self.resolved = resolved
      mediaType = file.mediaType
      byteCount = file.byteCount
      part = file.part
    case .didRecordMovie(let resolved):
      step = "didRecordMovie"
      self.resolved = resolved
    case .completed(let resolved, let assets):
      step = "completed"
      fill(resolved, assets)
    case .failed(let problem):
      step = "failed"
      error = problem
    case .unknown: step = "unknown"
    }
  }

  private mutating func fill(_ event: DeferredEvent) {
    switch event {
    case .finished(let resolved, let assets):
      step = "finished"
      fill(resolved, assets)
    case .failed(let problem):
      step = "failed"
      error = problem
    case .unknown: step = "unknown"
    }
  }

  private mutating func fill(_ event: ShotEvent) {
    switch event {
    case .prepared(let holder):
      step = "prepared"
      shot?.holder = holder
    case .committed(let id, let moment):
      step = "committed"
      requestID = id
      shot?.moment = moment
    case .completed(let resolved, let assets):
      step = "completed"
      fill(resolved, assets)
    case .failed(let problem):
      step = "failed"
      error = problem
    case .aborted: step = "aborted"
    case .expired: step = "expired"
    case .unknown: step = "unknown"
    }
  }

  private mutating func fill(_ resolved: ResolvedCapture?, _ assets: [Asset]) {
    self.resolved = resolved
    if assets.count > 1 { self.assets = assets } else { asset = assets.first }
  }

  private mutating func fill(_ event: RecordingEvent) {
    switch event {
    case .started(let recording):
      step = "started"
      self.recording = recording
    case .progress(let status):
      step = "progress"
      recordingStatus = status
    case .file(let file):
      step = "file"
      recordedFile = file
    case .paused(let status):
      step = "paused"
      recordingStatus = status
    case .resumed(let status):
      step = "resumed"
      recordingStatus = status
    case .finished(let movie):
      step = "finished"
      self.movie = movie
    case .failed(let problem):
      step = "failed"
      error = problem
    case .unknown: step = "unknown"
    }
  }
}

/// The JSON of a camera's part of a shot.
package struct ShotReport: Encodable {
  package var shot: Identifier
  /// The camera that takes it.
  package var camera: String
  /// Who has prepared it.
  package var holder: String?
  /// The moment that was chosen.
  package var moment: Timestamp?
}

extension EstimatedTime {
  /// The same moment by this machine's wall clock.
  package var wall: WallInstant { .now - (.now - moment) }
}
