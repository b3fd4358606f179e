import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf

/// Prepares pictures whose moment a controller chooses when all cameras of its rig are ready.
///
/// A shot that is prepared has a place among the camera's photos, and lives as long as its lease. A
/// commit is a capture that takes this place.
@ControlLoop final class ShotService {
  private let cameras: CameraDirectory
  private let leases: LeaseService
  private let captures: CaptureService
  private let events: EventsService
  private var table = ShotTable()

  init(
    cameras: CameraDirectory, leases: LeaseService, captures: CaptureService, events: EventsService
  ) {
    self.cameras = cameras
    self.leases = leases
    self.captures = captures
    self.events = events
    leases.onEnd = { [weak self] in self?.expire(under: $0) }
  }

  // MARK: Requests

  func prepare(_ body: WireShotPrepareRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.capture.camera, for: call.access)
    guard let shot = RequestID(bytes: body.shot) else { throw WireError.noSuchShot(of: camera) }
    let key = ShotTable.Key(camera: camera.name, shot: shot)
    guard table[key] == nil else {
      throw WireError(
        .conflict, "the shot is prepared on \(camera.name) already: commit or abort it",
        field: RequestField.ShotPrepare.shot)
    }
    let wall: (error: Int64, sample: WallClockSample)? =
      body.wallErrorNs == 0 ? nil : (Int64(clamping: body.wallErrorNs), .now())
    if let wall {
      try Self.require(wall.error, wall.sample, field: RequestField.ShotPrepare.wallErrorNs)
    }
    let lease = try leases.take(camera, as: body.holder, term: body.termNs, call)
    table[key] = ShotTable.Entry(
      reservation: call.id, lease: lease.id, ownsLease: lease.isNew,
      order: CaptureOrder(body.capture, asked: call.asked), wall: wall)
    do {
      try await reserve(key, camera, call)
    } catch {
      end(key)
      throw WireError.notReady(error, in: call.kind)
    }
    publish(.prepared(.with { $0.holder = leases.holder(of: camera) }), key)
    let pipeline = camera.pipeline
    let (newest, interval) = await pipeline.loop.run {
      (pipeline.ring.newest?.metadata.timestamp, pipeline.interval)
    }
    call.finish(
      .shotPrepared(
        .with {
          let wallClock = WallClockSample.now()
          $0.camera = camera.name
          $0.lease = lease.id.data
          $0.now = WireTimestamp(.now, wallClock)
          $0.intervalNs = UInt64(clamping: interval)
          if let newest { $0.newest = WireTimestamp(newest, wallClock) }
          $0.ringNs = UInt64(clamping: camera.pipeline.ringReach)
        }))
  }

  func commit(_ body: WireShotCommitRequest, _ call: Call) async throws {
    let (key, entry) = try entry(body.camera, body.shot, call)
    guard entry.stage == .prepared else {
      throw WireError(
        .conflict, "the shot is being \(entry.stage == .preparing ? "prepared" : "taken"): wait",
        field: RequestField.ShotCommit.shot)
    }
    let moment = try Self.moment(body, entry)
    guard moment <= call.asked + PhotoPlaces.lateness else {
      throw WireError(
        .invalidArgument,
        "the moment lies more than 10 s ahead: prepare the shot, and commit it when the moment is nearer",
        field: RequestField.ShotCommit.when)
    }
    table[key]?.stage = .committed
    publish(
      .committed(
        .with {
          $0.requestID = call.id.data
          $0.moment = WireTimestamp(moment, .now())
        }), key)
    var order = entry.order
    (order.camera, order.timing) = (key.camera, .at(moment))
    let result: Result<WireCaptureResult, any Error>
    do {
      result = try await captures.capture(order, call, inPlaceOf: entry.reservation)
    } catch {
      result = .failure(error)
    }
    end(key)
    switch result {
    case .success(let photo): publish(.completed(photo.withoutDepth), key)
    case .failure(let error):
      publish(.failed(WireError(error, in: call.kind)), key)
      throw error
    }
  }

  func abort(_ body: WireShotAbortRequest, _ call: Call) throws {
    let found: (key: ShotTable.Key, entry: ShotTable.Entry)
    do {
      found = try entry(body.camera, body.shot, call)
    } catch let error as WireError where error.reason == .noSuchShot {
      return call.finish(.shotAbort(WireShotAbortReply()), isDone: false)
    }
    let (key, entry) = found
    guard entry.stage != .committed else {
      return call.finish(.shotAbort(WireShotAbortReply()), isDone: false)
    }
    end(key)
    publish(.aborted(.init()), key)
    call.finish(.shotAbort(.with { $0.aborted = true }))
  }

  // MARK: What is reserved

  private func reserve(_ key: ShotTable.Key, _ camera: Camera, _ call: Call) async throws {
    guard let order = table[key]?.order else { return }
    let job = try captures.reserve(order, of: camera, call)
    table[key]?.cameras = job.cameras
    try await captures.await(job)
    guard table[key]?.reservation == call.id else {
      throw WireError(
        .conflict, "the lease of \(camera.name) has ended meanwhile: prepare the shot again",
        field: RequestField.lease, reason: .leaseEnded)
    }
    table[key]?.stage = .prepared
  }

  /// The shot that a request is about.
  /// - Throws: `conflict` if there is none, or if the request is not under its lease.
  private func entry(
    _ camera: String, _ shot: Data, _ call: Call
  ) throws -> (key: ShotTable.Key, entry: ShotTable.Entry) {
    let camera = try cameras.named(camera, for: call.access)
    let shot = RequestID(bytes: shot)
    guard let key = shot.map({ ShotTable.Key(camera: camera.name, shot: $0) }),
      let entry = table[key]
    else { throw WireError.noSuchShot(of: camera) }
    try leases.require(camera, for: call)
    return (key, entry)
  }

  /// Gives back what a shot has, and ends its own lease.
  private func end(_ key: ShotTable.Key) {
    guard let entry = table[key] else { return }
    table[key] = nil
    release(entry, of: key.camera)
  }

  private func release(_ entry: ShotTable.Entry, of camera: String) {
    captures.release(entry.reservation, of: entry.cameras)
    if entry.ownsLease { leases.end(entry.lease, of: camera) }
  }

  private func expire(under lease: RequestID) {
    for (key, entry) in table.end(under: lease) {
      release(entry, of: key.camera)
      if entry.stage == .prepared { publish(.expired(.init()), key) }
    }
  }

  private func publish(_ body: WireShotEvent.OneOf_Body, _ key: ShotTable.Key) {
    events.publish(
      .shot(
        .with {
          $0.shot = key.shot.data
          $0.camera = key.camera
          $0.body = body
        }), .shot, ofCamera: CameraName.node)
  }

  // MARK: The moment

  private static func moment(
    _ body: WireShotCommitRequest, _ entry: ShotTable.Entry
  ) throws(WireError) -> MonotonicTime {
    switch body.when {
    case .atMonotonicNs(let moment): return MonotonicTime(nanoseconds: moment)
    case .atWallNs(let moment):
      guard let wall = entry.wall else {
        throw WireError(
          .invalidArgument,
          "the shot was prepared for a moment of the monotonic clock: prepare it with `wall_error_ns`",
          field: RequestField.ShotCommit.when)
      }
      let wallClock = WallClockSample.now()
      try require(wall.error, wallClock, field: RequestField.ShotCommit.atWallNs)
      guard wallClock.agrees(with: wall.sample) else {
        throw WireError(
          .conflict,
          "the node's wall clock was changed since the shot was prepared: abort it, and prepare it again",
          field: RequestField.ShotCommit.atWallNs, reason: .noReferenceClock)
      }
      return MonotonicTime(nanoseconds: moment &- wallClock.offset)
    case nil:
      throw WireError(
        .invalidArgument, "a commit names a moment", field: RequestField.ShotCommit.when)
    }
  }

  private static func require(
    _ error: Int64, _ wallClock: WallClockSample, field: String
  ) throws(WireError) {
    guard wallClock.error > error else { return }
    let known =
      wallClock.error == .max
      ? "nobody knows how wrong the node's wall clock is"
      : "the node's wall clock may be wrong by \(Duration.nanoseconds(wallClock.error))"
    throw WireError(
      .conflict,
      "\(known), and \(Duration.nanoseconds(error)) are allowed: name a moment of its monotonic clock, or let "
        + "chronyd or ntpd keep the clock",
      field: field, reason: .noReferenceClock)
  }
}

extension WireError {
  fileprivate static func noSuchShot(of camera: Camera) -> WireError {
    WireError(
      .conflict,
      "\(camera.name) has no such shot, or its lease has ended: prepare it again",
      field: RequestField.ShotCommit.shot, reason: .noSuchShot)
  }

  /// Why a shot cannot be prepared. What has no reason of its own is that the camera is not ready.
  fileprivate static func notReady(_ error: any Error, in kind: String) -> WireError {
    var error = WireError(error, in: kind)
    let isOfCamera: Bool =
      switch error.code {
      case .notRunning, .interrupted, .deviceNotFound, .deviceBusy, .deviceFailed,
        .permissionDenied, .noBandwidth, .unsuitableDevice:
        true
      default: false
      }
    if isOfCamera, error.reason == .unspecified { error.reason = .notReady }
    return error
  }
}
