import CameraProtocol
import Capture
import EventLoop
import Imaging
import OperatingSystem
import SwiftProtobuf

/// One camera of the node: its parts and its current state.
@ControlLoop final class Camera {
  let name: String
  let session: CaptureSession
  /// The requests that need the session.
  private let turns = RequestQueue(ofQuestions: false)
  let pipeline: FramePipeline
  let streams: CameraStreams
  /// The thread that movies are written on.
  let recordingLoop: EventLoop
  /// Why the camera is simulated although a real one was wanted; nil if it is the wanted one.
  private let standInReason: String?
  /// Whether a rule made a camera of its device, with which it goes.
  let isAdopted: Bool

  /// The input of the configuration, which the camera has until a client chooses another one.
  let ownInput: SessionInput
  private var ownOptions: CameraOptions
  private let reports: CameraReports
  private var parts = CameraParts()

  /// The session's latest status.
  private(set) var sessionStatus: SessionStatus
  /// Whether the stream has delivered a frame.
  private(set) var hasFrames = false
  /// Whether the node has it no more.
  private(set) var hasLeft = false
  let formatChanges = FormatChanges()
  /// The devices to which requests in progress switch it.
  private var claims: [RequestID: DeviceDescription] = [:]

  init(
    name: String, session: CaptureSession, streams: CameraStreams, recordingLoop: EventLoop,
    sessionStatus: SessionStatus, ownInput: SessionInput, ownOptions: CameraOptions,
    reports: CameraReports, standInReason: String?, isAdopted: Bool
  ) {
    self.name = name
    self.session = session
    self.pipeline = session.pipeline
    self.streams = streams
    self.recordingLoop = recordingLoop
    self.sessionStatus = sessionStatus
    self.ownInput = ownInput
    self.ownOptions = ownOptions
    self.reports = reports
    self.standInReason = standInReason
    self.isAdopted = isAdopted
  }

  /// Whether no device of the machine is behind it.
  var isSimulated: Bool { sessionStatus.device.isSimulated }

  /// What the operator says of it. How a device is built in is said of the configured one alone.
  var options: CameraOptions {
    var options = ownOptions
    if !hasOwnInput { options.mounting = DeviceMounting() }
    return options
  }

  /// What the calling service keeps of it.
  func part<Part: CameraPart>(_ type: Part.Type) -> Part { parts.part(type) }

  /// The operator says something else of it.
  func take(_ options: CameraOptions) { ownOptions = options }

  private var hasOwnInput: Bool {
    let (own, present) = (ownInput.device.identification, sessionStatus.device)
    return own.identity == present.identity || own.isSameDevice(as: present)
  }

  /// Whether it has this device of the machine, or is about to.
  func has(_ device: DeviceDescription) -> Bool {
    ([sessionStatus.device] + claims.values).contains { $0.isSameDevice(as: device) }
  }

  /// A request is about to switch it to this device, until `endClaim`.
  func claim(_ device: DeviceDescription, for request: RequestID) { claims[request] = device }

  func endClaim(of request: RequestID) { claims[request] = nil }

  /// Throws unless photos and movies can be made of the camera's frames, which an idle camera will
  /// have.
  /// - Throws: As `pictureFormat`.
  func requirePictures() throws {
    try requireStream()
    if let refusal = sessionStatus.format?.pictureRefusal { throw refusal }
  }

  /// The format of the running stream, of which photos and movies can be made.
  /// - Throws: As `streamFormat`; `unsupportedFormat` for frames of which no picture can be made.
  var pictureFormat: StreamFormat {
    get throws {
      let format = try streamFormat
      if let refusal = format.pictureRefusal { throw refusal }
      return format
    }
  }

  /// Throws unless the camera streams, or is idle and will.
  /// - Throws: As `streamFormat`.
  func requireStream() throws {
    if !sessionStatus.isAwaited { _ = try streamFormat }
  }

  /// The format of the running stream.
  /// - Throws: The session's error while it is interrupted or has failed; `notRunning` while it is
  ///   stopped, idle or starts.
  private var streamFormat: StreamFormat {
    get throws {
      switch (sessionStatus.state, sessionStatus.format) {
      case (.running, let format?):
        return format
      case (.interrupted(let interruption), _):
        throw trouble("is interrupted", interruption.failure.error)
      case (.failed(let failure), _): throw trouble("has failed", failure.error)
      case (.stopped, _):
        throw stopped
      case (.starting, _), (.running, nil), (.idle, _):
        throw WireError(.notRunning, "\(name) is starting: ask again when it runs")
      }
    }
  }

  /// Whether it is idle, or starts again from there.
  var isIdle: Bool { sessionStatus.state == .idle || sessionStatus.isAwaited }

  /// Runs `body` on the camera's session, when it is the request's turn.
  /// - Throws: What `body` throws; `cancelled`, `deadlineExceeded` or `interrupted` when `body` was
  ///   not run.
  func work<R: Sendable>(
    for call: Call, _ body: @escaping @Sendable (isolated CaptureSession) throws -> R
  ) async throws -> R {
    try await inTurn(for: call) { try await call.work(on: self, body) }
  }

  /// Runs `body` on the session. What the session has reported by then has come here too.
  /// - Throws: As `CaptureSession.run`.
  func run<R: Sendable>(
    _ body: @escaping @Sendable (isolated CaptureSession) async throws -> R
  ) async throws -> R {
    let result: Result<R, any Error>
    do { result = .success(try await session.run(body)) } catch { result = .failure(error) }
    await ControlLoop.turn()
    return try result.get()
  }

  /// Stops the session for good.
  /// - Parameter words: What photos that wait are told.
  /// - Returns: False if its driver does not come back, so that its thread cannot end.
  @discardableResult
  func end(_ teardown: Teardown, because words: String) async -> Bool {
    do {
      try await run { $0.stop(forGood: words) }
      return true
    } catch {
      teardown.leaveThreads()
      return false
    }
  }

  /// Runs `body` when it is the request's turn at the session. No other request has it meanwhile.
  /// - Parameter pictures: For how many the camera is changed. Each keeps the session for some
  ///   frames, so requests of others that take a moment go before.
  func inTurn<R>(
    for call: Call, pictures: Int = 0, _ body: () async throws -> R
  ) async throws -> R {
    try await turns.run(call, cost: 1 + 10 * Double(pictures), body)
  }

  /// - Throws: `notRunning` if the session is stopped.
  func requireStarted() throws(WireError) {
    if sessionStatus.state == .stopped { throw stopped }
  }

  /// Not worth trying again: it stays stopped until somebody starts it.
  private var stopped: WireError {
    var error = WireError(
      .notRunning, "\(name) is stopped: start its session", reason: .sessionStopped)
    error.camera = name
    error.retryable = false
    return error
  }

  /// How its frames are to be turned so that they are upright.
  var ownOrientation: Orientation { sessionStatus.format?.layout.orientation ?? .upright }

  /// How its pictures are turned.
  var orientations: Orientations { sessionStatus.configuration.orientations }

  /// The error for a request that the camera's trouble prevents. It is worth trying again, because
  /// the node tries to get the camera back.
  private func trouble(_ state: String, _ cause: CaptureError) -> WireError {
    var error = WireError(cause)
    error.message = "\(name) \(state): \(cause.message)"
    error.field = ""
    error.retryable = true
    return error
  }

  /// The session has another status.
  func take(_ status: SessionStatus) {
    sessionStatus = status
    if status.state != .running { hasFrames = false }
  }

  /// The stream has delivered its first frame.
  func takeFirstFrame() { hasFrames = true }

  /// The node has it no more.
  func leave() { hasLeft = true }

  /// The camera's status now, with times also given by this wall clock.
  func status(_ wallClock: WallClockSample) -> WireCameraStatus {
    WireCameraStatus.with { status in
      status.name = name
      status.describe(sessionStatus, wallClock)
      if hasOwnInput {
        status.device.standInReason = standInReason ?? ""
      } else {
        status.configuredInput = ownInput.device.identification.identity
      }
      if let time = options.idleAfter {
        status.idleAfterNs = UInt64(clamping: time.wholeNanoseconds)
      }
      status.frames = WireFrameCounters(pipeline.counters)
      status.streams = streams.status.map {
        WireStreamStatus($0, pictureRefusal: sessionStatus.format?.pictureRefusal)
      }
      status.ringDurationNs = pipeline.ringReach
      if let pace = pipeline.pace { status.pace = WireFramePace(pace, wallClock) }
      reports.describe(self, in: &status, wallClock)
      if hasLeft { status.adoption = .ended } else if isAdopted { status.adoption = .adopted }
    }
  }
}
