package import CameraProtocol
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf

// How the wire's messages become the values that users see: photos and movies.

extension ResolvedCapture {
  /// - Parameter picture: Its number; 0 if it is the only one.
  package init(_ wire: WireResolvedCapture, picture: UInt32 = 0) {
    self.init(
      picture: Int(max(1, picture)),
      frameSequence: wire.frameSequence,
      timestamp: Timestamp(wire.timestamp),
      exposure: ExposureBounds(
        earliestStart: MonotonicInstant(nanoseconds: wire.earliestStartNs),
        latestEnd: MonotonicInstant(nanoseconds: wire.latestEndNs),
        duration: .unlessZero(wire.exposureNs),
        timestampMark: TimestampMark(wire.timestampMark)
      ),
      offset: .nanoseconds(wire.offsetNs),
      size: FrameSize(wire.size),
      orientation: Orientation(wire.orientation),
      isPassthrough: wire.passthrough,
      quality: wire.quality == 0 ? nil : Int(wire.quality),
      startDelay: .nanoseconds(wire.startNs),
      facts: FrameFacts(wire.facts),
      calibrationID: wire.calibrationID.isEmpty ? nil : wire.calibrationID,
      deviceTime: wire.hasDeviceTime ? DeviceTime(wire.deviceTime) : nil,
      gap: .nanoseconds(wire.gapNs),
      prioritization: PhotoPrioritization(wire.prioritization),
      mergedFrames: Int(max(1, wire.mergedFrames)),
      shot: wire.hasShot ? ResolvedShot(wire.shot) : nil,
      flash: wire.flash == .unspecified ? nil : ControlEffect.Basis(wire.flash)
    )
  }
}

extension Asset {
  /// Nil when it has no id.
  package init?(_ wire: WireAsset) {
    guard let id = Identifier(bytes: wire.id) else { return nil }
    let isMovie = Self.isMovie(wire.mediaType)
    self.init(
      id: id,
      camera: wire.camera,
      mediaType: wire.mediaType,
      path: wire.path,
      byteCount: wire.byteCount,
      sha256: Array(wire.sha256).hexadecimal,
      size: FrameSize(wire.size),
      created: WallInstant(nanoseconds: wire.createdWallNs),
      duration: isMovie ? .nanoseconds(wire.durationNs) : nil,
      frames: isMovie ? wire.frames : nil,
      requestID: Identifier(bytes: wire.requestID),
      isRecovered: wire.recovered,
      condition: AssetCondition(wire.condition),
      isProtected: wire.protected,
      layout: wire.hasLayout ? RawLayout(wire.layout) : nil,
      replaces: Identifier(bytes: wire.replaces),
      deferral: Deferral(wire.deferral),
      part: AssetPart(wire.part),
      name: wire.name,
      tags: wire.tags
    )
  }
}

extension AssetFilter {
  /// The request for a page of at most this many assets.
  func request(limit: Int, page: Data) -> WireAssetsRequest {
    .with { request in
      request.camera = camera ?? ""
      request.requestID = Data(requestID?.bytes ?? [])
      request.id = Data(idPrefix)
      request.sinceWallNs = since?.nanoseconds ?? 0
      request.untilWallNs = until?.nanoseconds ?? 0
      if let isProtected { request.protected = isProtected }
      request.kind =
        switch kind {
        case nil: .unspecified
        case .photo: .photo
        case .movie: .movie
        }
      request.deferral = deferral?.wire ?? .unspecified
      request.name = name ?? ""
      request.tags = tags.sorted()
      request.limit = UInt32(clamping: limit)
      request.page = page
    }
  }
}

extension AssetChange {
  /// Nil when it does not say what became of the asset, or tells of another one.
  init?(_ wire: WireAssetResult) {
    guard let id = Identifier(bytes: wire.id) else { return nil }
    switch wire.outcome {
    case .asset(let wire)?:
      guard let asset = Asset(wire), asset.id == id else { return nil }
      self.init(id: id, outcome: .success(asset))
    case .error(let error)?: self.init(id: id, outcome: .failure(CameraBusError(error)))
    case nil: return nil
    }
  }
}

extension RecordingStart {
  /// Nil when it has no id.
  package init?(_ wire: WireRecordStarted) {
    guard let id = Identifier(bytes: wire.recording) else { return nil }
    self.init(
      id: id, camera: wire.camera, started: Timestamp(wire.started),
      first: wire.hasFirst ? MovieFrameTime(wire.first) : nil)
  }
}

extension RecordedFile {
  package init(_ wire: WireRecordSegment) {
    self.init(
      number: Int(wire.number),
      asset: wire.hasAsset ? Asset(wire.asset) : nil,
      frames: wire.frames,
      dropped: wire.dropped,
      reason: Movie.EndReason(wire.reason),
      first: wire.hasFirst ? MovieFrameTime(wire.first) : nil,
      last: wire.hasLast ? MovieFrameTime(wire.last) : nil,
      error: wire.hasError ? Problem(wire.error) : nil)
  }
}

extension Movie {
  /// Nil when it does not name its recording, or has no movie.
  package init?(_ wire: WireRecordResult) {
    guard let recordingID = Identifier(bytes: wire.recording),
      let asset = wire.hasAsset ? Asset(wire.asset) : nil
    else { return nil }
    self.init(
      recordingID: recordingID,
      asset: asset,
      files: max(1, Int(wire.segments)),
      frames: wire.frames,
      dropped: wire.dropped,
      reason: EndReason(wire.reason),
      first: wire.hasFirst ? MovieFrameTime(wire.first) : nil,
      last: wire.hasLast ? MovieFrameTime(wire.last) : nil,
      sound: MovieSound(wire)
    )
  }
}

extension MovieFrameTime {
  init(_ wire: WireMovieFrameTime) {
    self.init(
      timestamp: Timestamp(wire.timestamp),
      exposure: ExposureBounds(
        earliestStart: MonotonicInstant(nanoseconds: wire.earliestStartNs),
        latestEnd: MonotonicInstant(nanoseconds: wire.latestEndNs),
        duration: .unlessZero(wire.exposureNs),
        timestampMark: TimestampMark(wire.timestampMark)))
  }
}

extension CaptureTime {
  package var wire: WireCaptureRequest.OneOf_When {
    switch self {
    case .now: .now(.init())
    case .next: .next(.init())
    case .past(let age): .pastNs(age.wireNanoseconds)
    case .noOlderThan(let age): .noOlderThanNs(age.wireNanoseconds)
    case .atMonotonic(let moment): .atMonotonicNs(moment.nanoseconds)
    case .atWall(let moment): .atWallNs(moment.nanoseconds)
    }
  }
}
