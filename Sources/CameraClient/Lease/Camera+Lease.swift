import CameraProtocol
import EventLoop
import OperatingSystem
import SwiftProtobuf

extension Camera {
  /// Takes the camera's configuration and controls for this program alone. Photos, recordings and
  /// frames stay open to all.
  ///
  /// - Parameters:
  ///   - holder: How others know this program: at most 64 bytes on one line. Empty for the name of
  ///     its key.
  ///   - term: After how long a silence of this program the lease ends: a second to ten minutes.
  /// - Throws: `conflict`, with the holder's name, while another client has it. After `cancelled`,
  ///   `timedOut` and `outcomeUnknown` the node is told to end a lease that it may have given.
  public func acquireLease(
    as holder: String = "", term: Duration = .seconds(10)
  ) async throws(CameraBusError) -> CameraLease {
    let wireTerm = try Arguments.limit(term, "term")
    let body = WireLeaseAcquireRequest.with {
      $0.camera = name
      $0.holder = holder
      $0.termNs = wireTerm
    }
    let request = RequestID.random()
    do throws(CameraBusError) {
      guard
        case .lease(let reply) = try await bus.request(
          .leaseAcquire(body), .changing, id: request),
        let id = RequestID(bytes: reply.id), reply.hasLease
      else { throw .unexpectedReply }
      return CameraLease(id, of: self, term: .nanoseconds(Int64(clamping: reply.lease.termNs)))
    } catch {
      // The reply may be on its way. A new lease has the id of this request; any other stays.
      if [.cancelled, .timedOut, .outcomeUnknown].contains(error.code) {
        let release = WireLeaseReleaseRequest.with { $0.camera = name }
        bus.connection.enter { $0.post(.leaseRelease(release), under: request) }
      }
      throw error
    }
  }

  /// Runs `body` under a lease, and releases it however that ends.
  public func withLease<R>(
    as holder: String = "", term: Duration = .seconds(10), _ body: () async throws -> R
  ) async throws -> R {
    let lease = try await acquireLease(as: holder, term: term)
    let result: Result<R, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    // Also when the task was cancelled meanwhile.
    _ = await Task { try? await lease.release() }.value
    return try result.get()
  }

  /// Puts what this program asks of the camera, over the same ``CameraBus``, under a lease that
  /// another program holds and has told the id of.
  ///
  /// - Parameter id: ``CameraLease/id``; nil for no lease.
  public func useLease(_ id: Identifier?) {
    let lease = id.flatMap { RequestID(bytes: $0.bytes) }
    use(lease)
  }

  func use(_ lease: RequestID?) {
    bus.connection.enter { [name] in $0.use(lease, of: name) }
    bus.readiness.use(lease, of: name)
  }

  /// Renews the lease under which this program works. A ``CameraLease`` renews itself.
  ///
  /// - Throws: `conflict` if it has ended, or if it is another camera's.
  public func renewLease() async throws(CameraBusError) {
    let body = WireLeaseRenewRequest.with { $0.camera = name }
    guard case .lease = try await bus.request(.leaseRenew(body), .changing) else {
      throw .unexpectedReply
    }
  }

  /// Ends the camera's lease.
  ///
  /// - Parameter force: Whether it may be another program's, which needs the role controller.
  /// - Throws: `conflict` if another client has it.
  public func releaseLease(force: Bool = false) async throws(CameraBusError) {
    let body = WireLeaseReleaseRequest.with {
      $0.camera = name
      $0.force = force
    }
    guard case .lease = try await bus.request(.leaseRelease(body), .changing) else {
      throw .unexpectedReply
    }
  }
}
