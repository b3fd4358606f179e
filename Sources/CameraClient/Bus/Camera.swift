import CameraProtocol
import SwiftProtobuf

/// One camera of a node. It is cheap to make and to copy, and keeps its ``CameraBus`` alive.
public struct Camera: Sendable {
  /// The camera's name on its node.
  public let name: String
  /// The connection to the node.
  public let bus: CameraBus

  init(name: String, bus: CameraBus) {
    self.name = name
    self.bus = bus
  }

  /// The camera's status.
  ///
  /// - Throws: `noSuchCamera`, which lists the node's cameras; `unreachable`, `timedOut`, `closed`;
  ///   `cancelled`.
  public func status() async throws(CameraBusError) -> CameraStatus {
    let timeout = bus.configuration.requestTimeout
    let status = try await bus.connection.status(ofCamera: name, timeout: timeout)
    guard let camera = status.cameras.first, camera.name == name else { throw .unexpectedReply }
    return camera
  }

  /// The camera's events from now on, beginning with its status: see ``EventSequence``.
  ///
  /// - Parameter includingHistory: Whether to begin with the events from before, as far as the node
  ///   keeps them. The status follows them.
  public func events(includingHistory: Bool = false) -> EventSequence {
    EventSequence(EventScope(camera: name), hasHistory: includingHistory, bus: bus)
  }

  /// The camera's events behind a position, as for ``CameraBus/events(after:)``.
  public func events(after position: EventPosition) -> EventSequence {
    EventSequence(EventScope(camera: name), after: position, bus: bus)
  }

  /// The camera's frames from now on, for as long as the sequence is held.
  ///
  /// The node encodes a stream only while a program is subscribed to it.
  /// - Parameters:
  ///   - stream: Which of the camera's streams.
  ///   - policy: How frames are dropped when they come faster than they are taken.
  public func frames(
    _ stream: FrameStream = .preview,
    policy: FramePolicy = .newest(1)
  ) -> FrameSequence {
    FrameSequence(stream, policy, of: self)
  }

  /// The sizes, pixel formats and rates that the camera offers.
  public func formats() async throws(CameraBusError) -> [CameraFormat] {
    let reply = try await bus.request(.formats(.with { $0.camera = name }), .reading)
    guard case .formats(let formats) = reply else { throw .unexpectedReply }
    return formats.formats.map(CameraFormat.init)
  }

  // MARK: Session

  /// Starts the camera's session in the format that it has: see
  /// ``configure(_:findsEffect:endsRecording:)``. A session that runs goes on.
  ///
  /// - Parameter moment: A moment of the node's monotonic clock, at most 3 s ahead, at which the
  ///   stream begins: that of a session that runs ends, and begins again then. Nil is now.
  /// - Throws: `conflict` if the session is suspended, or with a moment while the camera records;
  ///   `deviceNotFound`, `deviceBusy`, `permissionDenied`, `noBandwidth` and other errors of
  ///   devices, each with its remedy; `frameUnavailable`, with the session running, if the device
  ///   was ready only after the moment.
  @discardableResult
  public func startSession(
    at moment: MonotonicInstant? = nil
  ) async throws(CameraBusError) -> CameraStatus {
    let moment = try Arguments.moment(moment, "moment")
    let body = WireSessionStartRequest.with {
      $0.camera = name
      $0.atMonotonicNs = moment
    }
    return try await session(.sessionStart(body), mustNotBe: .stopped)
  }

  /// Stops the camera's session. If it records, this returns when its movie is complete.
  @discardableResult
  public func stopSession() async throws(CameraBusError) -> CameraStatus {
    try await session(.sessionStop(.with { $0.camera = name }), mustNotBe: .running)
  }

  /// Closes the camera until ``resumeSession()`` or ``stopSession()``, so that another program may
  /// have it. Meanwhile the session is interrupted by an operator. If it records, this returns when
  /// its movie is complete.
  /// - Parameter reason: For those who wait for the camera: at most 200 bytes on one line.
  /// - Throws: `notRunning` if the session is stopped.
  @discardableResult
  public func suspendSession(reason: String = "") async throws(CameraBusError) -> CameraStatus {
    let body = WireSessionSuspendRequest.with {
      $0.camera = name
      $0.reason = reason
    }
    return try await session(.sessionSuspend(body), mustNotBe: .running)
  }

  /// Ends a suspension, and nothing else. If the camera cannot be started, the status says why, and
  /// the node tries again by itself.
  /// - Throws: `notRunning` if the session is stopped.
  @discardableResult
  public func resumeSession() async throws(CameraBusError) -> CameraStatus {
    try await session(.sessionResume(.with { $0.camera = name }), mustNotBe: .stopped)
  }

  private func session(
    _ body: WireRequest.OneOf_Body,
    mustNotBe opposite: WireSessionState
  ) async throws(CameraBusError) -> CameraStatus {
    guard case .session(let status) = try await bus.request(body, .changing),
      status.name == name, status.state != opposite
    else { throw .unexpectedReply }
    return CameraStatus(status)
  }
}

extension Camera {
  /// What the camera can do now. An event of the kind `capabilities` comes whenever that changes.
  public func capabilities() async throws(CameraBusError) -> Capabilities {
    let body = WireCapabilitiesRequest.with { $0.camera = name }
    guard case .capabilities(let reply) = try await bus.request(.capabilities(body), .reading)
    else { throw .unexpectedReply }
    return Capabilities(reply)
  }

  /// The calibration that the node is configured with.
  ///
  /// - Throws: `unsupported` if it has none.
  public func calibration() async throws(CameraBusError) -> Calibration {
    let body = WireCalibrationRequest.with { $0.camera = name }
    guard case .calibration(let reply) = try await bus.request(.calibration(body), .reading)
    else { throw .unexpectedReply }
    return Calibration(reply)
  }
}
