import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Keys
import OperatingSystem
import SwiftProtobuf

/// Gives one client at a time the configuration and the controls of a camera.
@ControlLoop final class LeaseService: CameraReporter {
  static let standardTerm = Duration.seconds(10)

  private let cameras: CameraDirectory
  private let events: EventsService
  private let log: PacedLog
  private var table = LeaseTable()
  private var expiry: LoopTimer?
  /// Called after a lease has ended.
  var onEnd: (RequestID) -> Void = { _ in }

  init(cameras: CameraDirectory, events: EventsService, log: PacedLog) {
    self.cameras = cameras
    self.events = events
    self.log = log
  }

  func close() { expiry?.cancel() }

  // MARK: Requests

  func acquire(_ body: WireLeaseAcquireRequest, _ call: Call) throws {
    let camera = try cameras.named(body.camera, for: call.access)
    if let before = table[camera.name] {
      // The same request again, whose answer was lost, changes nothing.
      let isAgain =
        before.id == call.id && call.lease == nil && before.owner.isSame(client: call.holder)
      if isAgain {
        touch(before.id, by: call.holder)
        return finish(call, table[camera.name] ?? before, of: camera)
      }
      try require(camera, for: call)
    }
    finish(call, try put(camera, as: body.holder, term: body.termNs, call), of: camera)
  }

  /// The lease under which a request works: its own, or a new one with its id.
  /// - Parameters:
  ///   - holder: How others know the client; empty for the name of its key.
  ///   - term: Nanoseconds; 0 for the standard.
  /// - Returns: The lease's id, and whether it is new.
  /// - Throws: `conflict`, as `require`.
  func take(
    _ camera: Camera, as holder: String, term: UInt64, _ call: Call
  ) throws -> (id: RequestID, isNew: Bool) {
    try require(camera, for: call)
    if let lease = table[camera.name] { return (lease.id, false) }
    return (try put(camera, as: holder, term: term, call).id, true)
  }

  /// How others know who has the camera; empty if nobody has.
  func holder(of camera: Camera) -> String { table[camera.name]?.holder ?? "" }

  /// Ends a lease that `take` has given.
  func end(_ id: RequestID, of camera: String) {
    guard let lease = table[camera], lease.id == id, let camera = cameras[camera] else { return }
    table.end(on: camera.name)
    ended(lease, of: camera)
  }

  /// Gives the client the camera, or changes its lease.
  private func put(
    _ camera: Camera, as holder: String, term: UInt64, _ call: Call
  ) throws -> Lease {
    let before = table[camera.name]
    let now = MonotonicTime.now
    if before == nil, let other = table.camera(of: call.id, otherThan: camera.name) {
      throw WireError(
        .conflict,
        "the lease of \(other) has this request's id: acquire that of \(camera.name) with a new one",
        field: RequestField.id)
    }
    let term = term == 0 ? Self.standardTerm : .nanoseconds(Int64(clamping: term))
    let name = call.access == .unlimited ? "another client" : call.access.name
    let lease = Lease(
      id: before?.id ?? call.id, owner: before?.owner ?? call.holder,
      holder: holder.isEmpty ? name : holder, since: before?.since ?? now, term: term,
      expiry: now + term)
    table.put(lease, on: camera.name)
    changed(camera)
    if before == nil { log.info("camera \(camera.name)", "leased to \(lease.holder)") }
    return lease
  }

  func renew(_ body: WireLeaseRenewRequest, _ call: Call) throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try require(camera, for: call)
    guard let lease = table[camera.name] else { throw WireError.noLease(of: camera.name) }
    finish(call, lease, of: camera)
  }

  func release(_ body: WireLeaseReleaseRequest, _ call: Call) throws {
    let camera = try cameras.named(body.camera, for: call.access)
    guard !body.force || call.access.role >= .controller else {
      throw WireError.forbidden(call.kind, needs: .controller, call.access)
    }
    _ = try own(call, of: camera)
    guard let lease = table[camera.name] else { return finish(call, nil, of: camera) }
    if !body.force { try require(camera, for: call) }
    table.end(on: camera.name)
    ended(lease, of: camera)
    finish(call, nil, of: camera)
  }

  private func finish(_ call: Call, _ lease: Lease?, of camera: Camera) {
    call.finish(
      .lease(
        .with {
          $0.camera = camera.name
          guard let lease else { return }
          $0.id = lease.id.data
          $0.lease = WireLease(lease, .now())
        }))
  }

  // MARK: Other requests

  /// A request came with this lease, which renews it.
  func touch(_ id: RequestID, by client: Holder) {
    table.renew(id, by: client, at: .now)
    schedule()
  }

  /// - Throws: `conflict` if somebody else has the camera, or if the request's own lease has ended
  ///   or is another camera's: a client that counts on its lease must not act without one.
  func require(_ camera: Camera, for call: Call) throws(WireError) {
    if try own(call, of: camera) { return }
    if let lease = table[camera.name] {
      throw WireError(
        .conflict,
        "\(camera.name) is leased to '\(lease.holder)': wait, work under the lease with its"
          + " id, or let a controller end it",
        field: RequestField.lease, reason: .leased)
    }
    if call.lease != nil { throw .noLease(of: camera.name) }
  }

  /// Whether the request is under the camera's lease.
  /// - Throws: `conflict` if it is under the lease of another camera.
  private func own(_ call: Call, of camera: Camera) throws(WireError) -> Bool {
    guard let other = call.lease.flatMap({ table.camera(of: $0, for: call.holder) }) else {
      return false
    }
    guard other == camera.name else {
      throw WireError(
        .conflict, "the lease is that of \(other): use the one of \(camera.name), or none",
        field: RequestField.lease)
    }
    return true
  }

  // MARK: Ends

  /// A client may not use the node any more.
  func end(of client: Holder) { tell(table.end(of: client)) }

  /// The node has the camera no more.
  func end(of camera: Camera) {
    let lease = table[camera.name]
    table.end(on: camera.name)
    if let lease { onEnd(lease.id) }
    schedule()
  }

  private func changed(_ camera: Camera) {
    events.publishState(of: camera)
    schedule()
  }

  private func ended(_ lease: Lease, of camera: Camera) {
    log.info("camera \(camera.name)", "leased to \(lease.holder) no more")
    // Nobody else asked for the zoom to move on.
    camera.session.stopRampSoon()
    onEnd(lease.id)
    changed(camera)
  }

  private func tell(_ ends: [(camera: String, lease: Lease)]) {
    for (name, lease) in ends {
      if let camera = cameras[name] { ended(lease, of: camera) }
    }
    schedule()
  }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _ wallClock: WallClockSample) {
    if let lease = table[camera.name] { status.lease = WireLease(lease, wallClock) }
  }

  private func schedule() {
    expiry?.cancel()
    expiry = table.nextExpiry.map { moment in
      ControlLoop.schedule(at: moment) { [weak self] in
        guard let self else { return }
        tell(table.expire(at: .now))
      }
    }
  }
}

extension WireError {
  fileprivate static func noLease(of camera: String) -> WireError {
    WireError(
      .conflict, "the lease of \(camera) has ended: acquire it again", field: RequestField.lease,
      reason: .leaseEnded)
  }
}

extension WireLease {
  init(_ lease: Lease, _ wallClock: WallClockSample) {
    self.init()
    holder = lease.holder
    since = WireTimestamp(lease.since, wallClock)
    termNs = UInt64(clamping: lease.term.wholeNanoseconds)
    expiresMonotonicNs = lease.expiry.nanoseconds
  }
}
