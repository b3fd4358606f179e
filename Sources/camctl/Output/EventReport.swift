import CameraClient
import CameraRig

/// The JSON of an event. `type` says which other fields there are.
struct EventReport: Encodable {
  var type: String
  /// Of many nodes: the node's name, when it happened by this machine's clock, and whether events
  /// of a later time came before it.
  var nodeName: String?
  var estimated: EstimatedTime?
  var isLate: Bool?
  /// For a snapshot.
  var node: NodeStatus?
  /// For a gap: the number of lost events of the camera, and their kind.
  var missed: Int?
  var kind: CameraEvent.Kind?
  /// For an event of a camera. The sequence counts the camera's events of this type in the epoch,
  /// from 1.
  /// For a history that is not whole: the first event that the node keeps.
  var epoch: Identifier?
  var sequence: UInt64?
  var camera: String?
  var time: Timestamp?
  /// For what is not an event of the node: when this machine noticed it.
  var noticedWallNanoseconds: WallInstant?
  /// For a state.
  var status: CameraStatus?
  var control: Control?
  /// For a photo or a recording: the request that asked for it, and its step.
  var requestID: Identifier?
  /// For the final photo of a proxy.
  var proxy: Identifier?
  /// For a camera's part of a shot, which is an event of the node itself.
  var shot: ShotReport?
  var step: String?
  var resolved: ResolvedCapture?
  /// What will be made.
  var settings: CaptureSettings?
  var mediaType: String?
  var byteCount: Int?
  /// Which part of a photo's depth it is; nil for the photo.
  var part: AssetPart?
  /// The only asset, or all if there are several.
  var asset: Asset?
  var assets: [Asset]?
  var recording: RecordingStart?
  /// How far the recording is, where it goes on, is paused or resumed.
  var recordingStatus: RecordingStatus?
  /// One of the files of a recording in segments or clips.
  var recordedFile: RecordedFile?
  var movie: Movie?
  var error: Problem?
  /// For a change of the scene.
  var subjectArea: SubjectAreaChange?
  var removal: AssetRemoval?
  var sound: SoundChange?
  /// For a change of the node's keys.
  var keys: KeysEvent?
  /// For a camera that can do something else than before.
  var capabilities: Capabilities?
  /// For cameras of the machine that come and go.
  var devices: DevicesEvent?
  /// For the pressure on the node's machine.
  var pressure: SystemPressure?

  /// - Parameter event: The first event of its camera and kind that the node keeps.
  init(historyFrom event: CameraEvent) {
    type = "history"
    epoch = event.epoch
    sequence = event.sequence
    camera = event.camera
    kind = event.kind
    time = event.time
  }

  init(_ event: NodeEvent) {
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

  init(_ event: MonitorEvent) {
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
struct ShotReport: Encodable {
  var shot: Identifier
  /// The camera that takes it.
  var camera: String
  /// Who has prepared it.
  var holder: String?
  /// The moment that was chosen.
  var moment: Timestamp?
}
