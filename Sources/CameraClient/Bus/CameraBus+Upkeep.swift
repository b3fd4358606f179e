package import CameraProtocol
import SwiftProtobuf

/// Looking after the library. The node serves one such request at a time, and stores photos and
/// movies meanwhile.
extension CameraBus {
  /// Reads the files of photos and movies and compares them with what was stored. The task that
  /// waits can be cancelled, which ends the comparison.
  ///
  /// - Parameters:
  ///   - camera: Only those of this camera; nil for all.
  ///   - tags: Only those that have all of these tags.
  ///   - since: Only those from this moment on.
  ///   - timeout: How long to wait, at most a day.
  ///   - onProgress: Called at the beginning and at most four times a second.
  /// - Throws: When there was no answer.
  public func verify(
    camera: String? = nil, tags: Set<String> = [], since: WallInstant? = nil,
    timeout: Duration = .seconds(86_000), onProgress: (LibraryProgress) -> Void = { _ in }
  ) async throws(CameraBusError) -> LibraryVerification {
    let body = try Self.verifyRequest(camera: camera, tags: tags, since: since)
    guard case .libraryVerify(let reply) = try await work(.reading, body, timeout, onProgress)
    else { throw .unexpectedReply }
    return LibraryVerification(reply)
  }

  /// Lists files that the index of the library does not know, finds missing ones under other paths,
  /// and tries movies that were set aside again. No file is deleted or overwritten.
  ///
  /// - Parameters:
  ///   - droppingMissing: Whether assets whose files are gone are no longer listed. Protected ones
  ///     stay.
  ///   - timeout: How long to wait, at most a day.
  ///   - onProgress: Called at the beginning and at most four times a second.
  /// - Throws: When there was no answer.
  public func repair(
    droppingMissing: Bool = false, timeout: Duration = .seconds(86_000),
    onProgress: (LibraryProgress) -> Void = { _ in }
  ) async throws(CameraBusError) -> LibraryRepair {
    let body = WireLibraryRepairRequest.with { $0.dropMissing = droppingMissing }
    let answer = try await work(.changing, .libraryRepair(body), timeout, onProgress)
    guard case .libraryRepair(let reply) = answer else { throw .unexpectedReply }
    return LibraryRepair(reply)
  }

  /// A request for such a comparison, whose rules the node has.
  package static func verifyRequest(
    camera: String?, tags: Set<String>, since: WallInstant?
  ) throws(CameraBusError) -> WireRequest.OneOf_Body {
    var body = WireLibraryVerifyRequest()
    if let camera { body.camera = try Arguments.camera(camera) }
    body.tags = tags.sorted()
    body.sinceWallNs = since?.nanoseconds ?? 0
    return .libraryVerify(body)
  }

  private func work(
    _ resending: PendingRequests.Resending, _ body: WireRequest.OneOf_Body, _ timeout: Duration,
    _ onProgress: (LibraryProgress) -> Void
  ) async throws(CameraBusError) -> WireReply.OneOf_Body {
    let outcomes = connection.outcomes(
      of: body, .init(timeout: timeout, resending: resending), isEndedWithCaller: true)
    for await outcome in outcomes {
      switch outcome {
      case .progress(.libraryProgress(let progress), _): onProgress(LibraryProgress(progress))
      case .finished(let reply, _): return reply
      case .failed(let error): throw error
      case .progress: throw .unexpectedReply
      }
    }
    throw .cancelled
  }
}
