import CameraProtocol
import EventLoop
import OperatingSystem
import SwiftProtobuf

/// A camera's part of a shot: it is ready to take a photo of a moment that is chosen later.
///
/// The node keeps a place for it, and nobody else changes the camera's settings meanwhile, until it
/// is committed or aborted, or until the node hears nothing under its lease for the term.
public struct PreparedShot: Sendable {
  /// The camera.
  public let camera: Camera
  /// Names the shot, on all cameras of a rig.
  public let shot: Identifier
  /// The lease under which it is prepared: the program's own, or one that ends with the shot.
  public let lease: Identifier
  /// What the node's clocks showed when it answered.
  public let time: Timestamp
  /// From one frame to the next; nil if that is not known yet.
  public let interval: Duration?
  /// When the newest frame was captured; nil while there is none.
  public let newest: Timestamp?
  /// How far back the frames reach that the node keeps: so late may a commit come.
  public let ringReach: Duration
  /// What a camera can have.
  private static let intervals = Duration.microseconds(1)...Duration.seconds(3600)

  private let settings: PhotoSettings
  private let ids: (shot: RequestID, lease: RequestID)
  /// When the answer was here, by this machine's clock.
  private let received = MonotonicInstant.now

  fileprivate init?(
    _ wire: WireShotPrepared, _ shot: RequestID, of camera: Camera, _ settings: PhotoSettings
  ) {
    guard let lease = RequestID(bytes: wire.lease), wire.hasNow else { return nil }
    self.camera = camera
    self.shot = Identifier(shot)
    self.lease = Identifier(lease)
    self.settings = settings
    ids = (shot, lease)
    time = Timestamp(wire.now)
    let interval = Duration.nanoseconds(Int64(clamping: wire.intervalNs))
    self.interval = Self.intervals.contains(interval) ? interval : nil
    newest = wire.hasNewest ? Timestamp(wire.newest) : nil
    ringReach = .nanoseconds(Int64(clamping: wire.ringNs))
  }

  /// Takes the photo of the frame nearest a moment, past or up to 10 s ahead, and reports every
  /// step of it, the last with its bytes. The request is sent at once.
  ///
  /// The errors are those of ``Camera/capture(_:_:timeout:)``; `conflict` if the shot's lease has
  /// ended.
  /// - Parameters:
  ///   - moment: `atMonotonic` or `atWall`, by the node's clocks.
  ///   - timeout: As that of a capture.
  public func commit(at moment: CaptureTime, timeout: Duration? = nil) -> CaptureSequence {
    CaptureSequence(
      CaptureOrder(
        time: moment, settings: settings, shot: (ids.shot, ids.lease), lead: lead(moment),
        timeout: timeout ?? camera.bus.configuration.requestTimeout),
      of: camera)
  }

  /// How far a moment of the node's clocks lies ahead, which may show something else than this
  /// machine's.
  private func lead(_ moment: CaptureTime) -> Duration {
    let ahead: Duration =
      switch moment {
      case .atMonotonic(let moment): moment - time.monotonic
      case .atWall(let moment): moment - time.wall
      case .now, .next, .past, .noOlderThan: .zero
      }
    return min(max(.zero, ahead - (.now - received)), .seconds(10))
  }

  /// Gives the shot up, unless it is committed.
  /// - Returns: Whether it was prepared and not committed.
  @discardableResult
  public func abort() async throws(CameraBusError) -> Bool {
    let body = WireShotAbortRequest.with {
      $0.camera = camera.name
      $0.shot = ids.shot.data
    }
    guard
      case .shotAbort(let reply) = try await camera.bus.connection.request(
        .shotAbort(body),
        .init(timeout: camera.bus.configuration.requestTimeout, resending: .changing),
        under: ids.lease
      ).body
    else { throw .unexpectedReply }
    return reply.aborted
  }
}

extension Camera {
  /// Prepares a photo of a moment that is chosen later, when all cameras of a rig are ready.
  ///
  /// It works under the program's lease of the camera, or under a new one that ends with the shot.
  /// - Parameters:
  ///   - shot: Names the shot on all cameras; nil for a new one.
  ///   - settings: What is taken: not of the largest size, without flash. A
  ///     ``PhotoSettings/tolerance`` is how far the frame may lie from the moment.
  ///   - wallError: How wrong the node's wall clock may be at most, if the moment will be one of
  ///     it.
  ///   - holder: How others know this program, if the lease is a new one.
  ///   - term: After how long a silence of this program that lease ends: a second to ten minutes.
  /// - Throws: `conflict` while another program has the camera, or with the reason
  ///   `noReferenceClock`; `busy` with the reason `overflow`; why the camera does not stream, with
  ///   the reason `notReady`; `invalidArgument`, `unsupportedFormat`, `storageFull`.
  public func prepareShot(
    _ shot: Identifier? = nil,
    _ settings: PhotoSettings = PhotoSettings(),
    wallError: Duration? = nil,
    as holder: String = "", term: Duration = .seconds(10)
  ) async throws(CameraBusError) -> PreparedShot {
    let timeout = bus.configuration.requestTimeout
    let id = shot.flatMap { RequestID(bytes: $0.bytes) } ?? .random()
    var body = WireShotPrepareRequest()
    body.shot = id.data
    body.capture = try CaptureOrder(time: .now, settings: settings, timeout: timeout)
      .description(name)
    body.wallErrorNs = try Arguments.limit(wallError, "wallError")
    body.holder = holder
    body.termNs = try Arguments.limit(term, "term")
    let request = RequestID.random()
    do throws(CameraBusError) {
      guard
        case .shotPrepared(let reply) = try await bus.request(
          .shotPrepare(body), .changing, id: request),
        let prepared = PreparedShot(reply, id, of: self, settings)
      else { throw .unexpectedReply }
      return prepared
    } catch {
      // The reply may be on its way. A new lease has the id of this request.
      if [.cancelled, .timedOut, .outcomeUnknown].contains(error.code) {
        let abort = WireShotAbortRequest.with {
          $0.camera = name
          $0.shot = id.data
        }
        bus.connection.enter { $0.post(.shotAbort(abort), under: request) }
      }
      throw error
    }
  }
}
