import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Logging
import MediaLibrary
import SwiftProtobuf

/// Long work on the library. One request is served at a time, in slices, so that photos are stored
/// in between.
extension LibraryService {
  /// Repairs the library by this from now on.
  func use(_ recovery: MovieRecovery) { recoverer = recovery }

  /// Takes what the library's opening has found.
  func take(_ findings: [LibraryFinding]) {
    (unlistedFiles, damagedIndex) = (0, nil)
    for finding in findings {
      switch finding {
      case .unlisted(let count, _): unlistedFiles = count
      case .damagedIndex(let copy): damagedIndex = copy
      default: break
      }
    }
  }

  /// Reads the files of assets and compares them with what was stored.
  func verify(_ body: WireLibraryVerifyRequest, _ call: Call) async throws {
    guard body.camera.isEmpty || call.access.isFor(camera: body.camera) else {
      throw WireError.forbidden(camera: body.camera, call.access)
    }
    let query = AssetQuery(body, for: call.access)
    try await work(for: call, changesNothing: true) { work in
      let totals = try await library.totals(of: query)
      if totals.count == 0 { try await requireCamera(body.camera, call) }
      work.expect(files: totals.count, byteCount: totals.byteCount)
      var reply = WireLibraryVerifyReply()
      try await forEachAsset(of: query, work) { asset in
        let seen = try await library.verify(asset) { work.read($0) }
        try work.check()
        work.finishedFile()
        guard let seen else { return }
        if seen.condition != asset.condition { log.warning("\(seen.changeWords)") }
        reply.add(seen)
      }
      return .libraryVerify(reply)
    }
  }

  /// Lists what the index does not know, and tries what was set aside again.
  func repair(_ body: WireLibraryRepairRequest, _ call: Call) async throws {
    guard let recoverer else { throw CaptureError.nodeStops }
    try await work(for: call) { work in
      var reply = WireLibraryRepairReply()
      try await retryMovies(call, work, by: recoverer, &reply)
      try await adoptFiles(call, work, by: recoverer, &reply)
      if body.dropMissing { try await dropMissing(call, work, &reply) }
      // Only a key for all cameras has looked at all files.
      if call.access.cameras == nil { unlistedFiles = Int(clamping: reply.left) }
      log.info("the library was repaired: \(reply.words)")
      return .libraryRepair(reply)
    }
  }

  // MARK: Repair

  private func retryMovies(
    _ call: Call, _ work: LibraryWork, by recoverer: MovieRecovery,
    _ reply: inout WireLibraryRepairReply
  ) async throws {
    for name in try await library.namesSetAside() {
      try work.check()
      let path = "set-aside/\(name)"
      guard let movie = try await library.takeUp(setAside: name, ofCameras: call.access.cameras)
      else { continue }
      call.isDone = true
      switch await recoverer.close(movie, keepsEmpty: true, while: { work.goesOn }) {
      case .saved(let asset):
        log.warning("a movie that was set aside is saved: \(asset.relativePath)")
        reply.add(.recovered, asset)
      case .lost(let error), .postponed(let error): reply.leave(path, WireError(error))
      }
      try work.check()
    }
  }

  private func adoptFiles(
    _ call: Call, _ work: LibraryWork, by recoverer: MovieRecovery,
    _ reply: inout WireLibraryRepairReply
  ) async throws {
    let paths = try await library.unlistedFiles().filter { path in
      call.access.isFor(camera: String(path.prefix { $0 != "/" }))
    }
    work.expect(files: paths.count)
    for path in paths {
      defer { work.finishedFile() }
      do throws(MediaLibraryError) {
        switch try await library.examine(path, while: { work.read($0) }) {
        case .ended: break
        case .left(let error): reply.leave(path, WireError(error))
        case .found(let asset):
          call.isDone = true
          reply.add(.found, asset)
        case .unknown(let file):
          guard let facts = await recoverer.facts(of: file, while: { work.goesOn }) else {
            if work.goesOn { reply.leave(path, .saysTooLittle(path)) }
            break
          }
          let asset = try await library.adopt(file, facts)
          call.isDone = true
          reply.add(.adopted, asset)
        }
      } catch {
        // Without a disk or an index nothing more can be done.
        guard [.assetChanged, .invalidArgument].contains(error.code) else { throw error }
        reply.leave(path, WireError(error))
      }
      try work.check()
    }
  }

  private func dropMissing(
    _ call: Call, _ work: LibraryWork, _ reply: inout WireLibraryRepairReply
  ) async throws {
    var query = AssetQuery()
    query.cameras = call.access.cameras
    try await forEachAsset(of: query, work) { asset in
      try work.check()
      do throws(MediaLibraryError) {
        guard let asset = try await library.forget(asset.id) else { return }
        call.isDone = true
        if asset.deferral == .pending { deferrals.forget(WireAsset(asset)) }
        log.warning("\(asset.relativePath) was gone and is no longer listed")
        reply.add(.dropped, asset)
      } catch {
        guard error.code == .assetProtected else { throw error }
        reply.leave(asset.relativePath, WireError(error))
      }
    }
  }

  // MARK: Work

  /// Serves a request in its turn, until it is cancelled or its time is over, or the node stops.
  /// - Parameter changesNothing: Whether it also ends when its client has gone.
  private func work(
    for call: Call, changesNothing: Bool = false,
    _ body: (LibraryWork) async throws -> WireReply.OneOf_Body
  ) async throws {
    try await upkeep.run(call) {
      let router = router
      let work = LibraryWork { progress in
        router.enter { call.progress(.libraryProgress(progress)) }
      }
      let timer = ControlLoop.schedule(at: call.deadline) { work.end(with: .upkeepIsLate) }
      defer { timer.cancel() }
      let interruption = Interruption(
        onCancel: {
          work.end(with: .requestCancelled)
          return true
        }, onStop: { work.end(with: .nodeStops) },
        // What is mended is of use without a client too.
        onAbandoned: changesNothing ? { work.end(with: .clientIsGone) } : nil)
      let reply = try await call.interruptible(by: interruption) { try await body(work) }
      try work.check()
      call.finish(reply, isDone: call.isDone)
    }
  }

  private func forEachAsset(
    of query: AssetQuery, _ work: LibraryWork, _ body: (Asset) async throws -> Void
  ) async throws {
    var cursor: AssetCursor?
    repeat {
      try work.check()
      let page = try await library.unseenAssets(query, after: cursor, limit: Self.sliceLength)
      for asset in page.assets { try await body(asset) }
      cursor = page.next
    } while cursor != nil
  }
}

extension WireLibraryVerifyReply {
  fileprivate mutating func add(_ asset: Asset) {
    bytes += UInt64(clamping: asset.byteCount)
    switch asset.condition {
    case .intact:
      intact += 1
      return
    case .missing: missing += 1
    case .changed: changed += 1
    }
    if flawed.count < WireLimits.upkeepFiles { flawed.append(WireAsset(asset)) }
  }
}

extension WireLibraryRepairReply {
  fileprivate mutating func add(_ kind: WireLibraryRepairChange.Kind, _ asset: Asset) {
    switch kind {
    case .adopted: adopted += 1
    case .found: found += 1
    case .recovered: recovered += 1
    default: dropped += 1
    }
    add(
      .with {
        ($0.kind, $0.path) = (kind, asset.relativePath)
        $0.asset = WireAsset(asset)
      })
  }

  fileprivate mutating func leave(_ path: String, _ error: WireError) {
    left += 1
    add(
      .with {
        ($0.kind, $0.path) = (.left, path)
        $0.error = error
      })
  }

  private mutating func add(_ change: WireLibraryRepairChange) {
    if changes.count < WireLimits.upkeepFiles { changes.append(change) }
  }

  fileprivate var words: String {
    "\(adopted) files adopted, \(found) found again, \(recovered) movies recovered, \(dropped) entries "
      + "dropped, \(left) left"
  }
}

extension WireError {
  fileprivate static func saysTooLittle(_ path: String) -> WireError {
    WireError(
      .assetDamaged,
      "\(path) cannot be read as what its name says, or does not say the size of its picture: look at it "
        + "with another program, and move it away or keep it")
  }
}

extension CaptureError {
  fileprivate static var upkeepIsLate: CaptureError {
    CaptureError(
      .deadlineExceeded,
      "the request's time was over before all files were looked at: give it more time")
  }
}
