import FoundationEssentials
import OperatingSystem
import SwiftProtobuf

extension WireSessionSuspendRequest {
  var flaw: WireError? {
    guard reason.utf8.count > WireLimits.reasonByteCount || !reason.isPrintableLine else {
      return nil
    }
    return WireRequest.refusal(
      "a reason is one line of at most \(WireLimits.reasonByteCount) bytes, which can be printed",
      RequestField.SessionSuspend.reason)
  }
}

extension WireLeaseAcquireRequest {
  var flaw: WireError? {
    WireRequest.flaw(holder: holder, RequestField.LeaseAcquire.holder)
      ?? WireRequest.flaw(term: termNs, RequestField.LeaseAcquire.termNs)
  }
}

extension WireRequest {
  static func flaw(holder: String, _ field: String) -> WireError? {
    guard !holder.isEmpty,
      holder.utf8.count > WireLimits.holderByteCount || !holder.isShownName
    else { return nil }
    return refusal(
      "a holder's name is one line of at most \(WireLimits.holderByteCount) bytes, which can be printed "
        + "and are not only spaces", field)
  }

  /// - Parameter term: Of a lease, nanoseconds.
  static func flaw(term: UInt64, _ field: String) -> WireError? {
    guard term != 0, !WireLimits.leaseTerms.contains(term) else { return nil }
    return refusal("a lease lasts 1 s to 10 min after its last request", field)
  }
}

extension WireControlsGetRequest {
  var flaw: WireError? {
    let lengths = 1...WireLimits.controlNameByteCount
    guard ids.count <= WireLimits.controlNames,
      ids.allSatisfy({ lengths.contains($0.utf8.count) })
    else {
      return WireRequest.refusal(
        "name at most 256 controls of 1 to 64 bytes", RequestField.ControlsGet.ids)
    }
    return nil
  }
}

extension WireControlsSetRequest {
  var flaw: WireError? {
    guard ((stopRamp ? 0 : 1)...WireLimits.settings).contains(settings.count) else {
      return WireRequest.refusal("name 1 to 64 settings", RequestField.ControlsSet.Settings.path)
    }
    // NaN is outside every range.
    guard !hasRampRate || (rampRate > 0 && rampRate <= WireLimits.rampRate) else {
      return WireRequest.refusal(
        "a ramp doubles the zoom above 0 to 64 times a second", RequestField.ControlsSet.rampRate)
    }
    return settings.lazy.compactMap { $0.flaw(in: RequestField.ControlsSet.Settings.path) }.first
  }
}

extension WireControlsSetRequest.Setting {
  /// - Parameter settings: The path of the field that it is in.
  func flaw(in settings: String) -> WireError? {
    guard (1...WireLimits.controlNameByteCount).contains(id.utf8.count) else {
      return WireRequest.refusal(
        "a control's name has 1 to 64 bytes", "\(settings).id")
    }
    let isFit =
      switch value.value {
      case nil: hasValue
      case .integer, .boolean: true
      case .number(let number): number.isFinite
      case .point(let point): point.x.isFinite && point.y.isFinite
      case .string(let text): text.utf8.count <= WireLimits.elements
      case .array(let array): array.elements.count <= WireLimits.elements
      case .bytes(let bytes): bytes.count <= WireLimits.compoundByteCount
      }
    return isFit
      ? nil
      : WireRequest.refusal(
        "the setting of \(id) has no value, none that is finite, or too long a one",
        "\(settings).value")
  }
}

extension WireRecordStartRequest {
  var flaw: WireError? {
    if let flaw = WireRequest.flaw(quality: quality, RequestField.RecordStart.quality) ?? videoFlaw
      ?? WireRequest.flaw((name, tags), name: Field.name, tags: Field.tags)
      ?? (hasSound ? sound.flaw : nil)
    {
      return flaw
    }
    if maximumBytes > 0, maximumBytes < WireLimits.movieByteCount {
      return WireRequest.refusal(
        "no frame fits into a movie of \(maximumBytes) bytes: allow at least \(WireLimits.movieByteCount), "
          + "or 0 for no limit",
        RequestField.RecordStart.maximumBytes)
    }
    if let flaw = WireRequest.flaw(
      moment: fromMonotonicNs, RequestField.RecordStart.fromMonotonicNs)
      ?? WireRequest.flaw(moment: untilMonotonicNs, RequestField.RecordStart.untilMonotonicNs)
      ?? cutFlaw ?? courseFlaw
    {
      return flaw
    }
    guard untilMonotonicNs > 0, untilMonotonicNs <= fromMonotonicNs else { return nil }
    return WireRequest.refusal(
      "a movie ends after its beginning: let it end later, or 0 for no end",
      RequestField.RecordStart.untilMonotonicNs)
  }
}

extension WireRecordStartRequest {
  private typealias Field = RequestField.RecordStart

  /// Whether the pictures are coded as H.264.
  package var isVideo: Bool {
    codec == .h264 || codec == .unspecified && container == .mp4
  }

  private var videoFlaw: WireError? {
    guard WireVideoCodec.allCases.contains(codec) else {
      return WireRequest.refusal("this node does not know the codec", Field.codec)
    }
    guard WireMovieContainer.allCases.contains(container) else {
      return WireRequest.refusal("this node does not know the container", Field.container)
    }
    guard codec != .mjpeg || container != .mp4 else {
      return WireRequest.refusal(
        "no browser plays JPEGs in an MP4: ask for H.264, or for Matroska", Field.container)
    }
    guard bitRate == 0 || isVideo else {
      return WireRequest.refusal(
        "JPEGs have a quality and no bit rate: ask for H.264", Field.bitRate)
    }
    guard bitRate == 0 || WireLimits.bitRates.contains(bitRate) else {
      return WireRequest.refusal(
        "a bit rate is 10000 to 1000000000 bits a second, or 0 to keep a quality", Field.bitRate)
    }
    guard bitRate == 0 || quality == 0 else {
      return WireRequest.refusal(
        "a video keeps a quality or a bit rate: name one", Field.bitRate)
    }
    guard keyIntervalNs == 0 || isVideo else {
      return WireRequest.refusal(
        "each JPEG stands for itself: ask for H.264", Field.keyIntervalNs)
    }
    guard keyIntervalNs == 0 || WireLimits.keyIntervals.contains(keyIntervalNs) else {
      return WireRequest.refusal(
        "key pictures come every 0.1 to 60 seconds; 0 is one second", Field.keyIntervalNs)
    }
    return nil
  }
}

extension WireRecordStartRequest {
  private var cutFlaw: WireError? {
    guard !hasClips else {
      if hasSegments {
        return WireRequest.refusal(
          "a recording is cut into segments or clips: name one of them", Field.Clips.path)
      }
      if fromMonotonicNs != 0 || untilMonotonicNs != 0 {
        return WireRequest.refusal(
          "a recording in clips waits for triggers: leave out the moments of its first and last frame",
          Field.Clips.path)
      }
      return clips.flaw
    }
    return hasSegments ? segments.flaw : nil
  }

  private var courseFlaw: WireError? {
    guard WireCameraLostPolicy.allCases.contains(onCameraLost) else {
      return WireRequest.refusal(
        "this node does not know what is to become of the recording: END or PAUSE",
        Field.onCameraLost)
    }
    guard progressIntervalNs == 0 || WireLimits.progressIntervals.contains(progressIntervalNs)
    else {
      return WireRequest.refusal(
        "progress is told every 0.1 seconds to every hour; 0 is never", Field.progressIntervalNs)
    }
    return nil
  }
}

extension WireSegmentSettings {
  private typealias Field = RequestField.RecordStart.Segments

  fileprivate var flaw: WireError? {
    guard durationNs > 0 || bytes > 0 else {
      return WireRequest.refusal("say how long or how large each file is", Field.path)
    }
    guard durationNs == 0 || WireLimits.segmentDurations.contains(durationNs) else {
      return WireRequest.refusal("a segment lasts 1 second to a day", Field.durationNs)
    }
    guard bytes == 0 || bytes >= WireLimits.segmentByteCount else {
      return WireRequest.refusal(
        "a segment has at least \(WireLimits.segmentByteCount) bytes", Field.bytes)
    }
    guard !wallClock || durationNs > 0 else {
      return WireRequest.refusal(
        "files that end by the wall clock have a duration: name it", Field.wallClock)
    }
    return nil
  }
}

extension WireClipSettings {
  private typealias Field = RequestField.RecordStart.Clips

  fileprivate var flaw: WireError? {
    guard beforeNs <= WireLimits.clipBefore else {
      return WireRequest.refusal(
        "a clip has at most a minute before its trigger", Field.beforeNs)
    }
    guard afterNs <= WireLimits.clipAfter else {
      return WireRequest.refusal("a clip has at most an hour after its trigger", Field.afterNs)
    }
    guard beforeNs > 0 || afterNs > 0 else {
      return WireRequest.refusal(
        "say how much a clip has before or after its trigger", Field.path)
    }
    guard subjectAreas.count <= WireLimits.clipTriggers else {
      return WireRequest.refusal(
        "name at most \(WireLimits.clipTriggers) cameras", Field.subjectAreas)
    }
    guard subjectAreas.allSatisfy(CameraName.isValid) else {
      return WireRequest.refusal(
        "a camera's name has 1 to 32 letters, digits, - and _", Field.subjectAreas)
    }
    return nil
  }
}

extension WireSoundSettings {
  private typealias Field = RequestField.RecordStart.Sound

  fileprivate var flaw: WireError? {
    guard microphone.isEmpty || CameraName.isValid(microphone) else {
      return WireRequest.refusal(
        "the name of a microphone has 1 to 32 letters, digits, - and _; leave it empty for the camera's",
        Field.microphone)
    }
    guard WireSoundCodec.allCases.contains(codec) else {
      return WireRequest.refusal("this node does not know the codec of the sound", Field.codec)
    }
    guard bitRate == 0 || WireLimits.soundBitRates.contains(bitRate) else {
      return WireRequest.refusal(
        "the bit rate of sound is 6000 to 512000 bits a second, or 0 for the node's choice",
        Field.bitRate)
    }
    return nil
  }
}

extension WireRecordStopRequest {
  var flaw: WireError? {
    WireRequest.flaw(recording: recording, RequestField.RecordStop.recording)
      ?? WireRequest.flaw(moment: atMonotonicNs, RequestField.RecordStop.atMonotonicNs)
  }
}

extension WireRequest {
  /// The id of a recording; empty for whichever there is.
  static func flaw(recording: Data, _ field: String) -> WireError? {
    recording.isEmpty ? nil : flaw(identifier: recording.count, field)
  }

  /// A moment of the monotonic clock; 0 for none.
  static func flaw(moment: Int64, _ field: String) -> WireError? {
    guard moment < 0 else { return nil }
    return refusal(
      "a moment of the monotonic clock is not negative: give nanoseconds since the node's machine started, or 0 for none",
      field)
  }
}

extension WireAssetsRequest {
  var flaw: WireError? {
    guard limit <= WireLimits.assets else {
      return WireRequest.refusal(
        "list at most \(WireLimits.assets) assets, or 0 for the node's choice",
        RequestField.Assets.limit)
    }
    guard id.count <= RequestID.byteCount else {
      return WireRequest.refusal("an asset's id begins with 1 to 16 bytes", RequestField.Assets.id)
    }
    if !requestID.isEmpty,
      let flaw = WireRequest.flaw(identifier: requestID.count, RequestField.Assets.requestID)
    {
      return flaw
    }
    guard page.isEmpty || page.count == WireLimits.pageByteCount else {
      return WireRequest.refusal(
        "a page is the `next` of an earlier reply", RequestField.Assets.page)
    }
    guard sinceWallNs >= 0 else {
      return WireRequest.refusal("a moment is not before 1970", RequestField.Assets.sinceWallNs)
    }
    guard untilWallNs == 0 || untilWallNs > sinceWallNs else {
      return WireRequest.refusal(
        "the end of a list's time is after its beginning", RequestField.Assets.untilWallNs)
    }
    guard [.unspecified, .photo, .movie].contains(kind) else {
      return WireRequest.refusal("list photos, movies or both", RequestField.Assets.kind)
    }
    guard WireDeferral.allCases.contains(deferral) else {
      return WireRequest.refusal(
        "this node does not know the deferral", RequestField.Assets.deferral)
    }
    return WireRequest.flaw(name: name, RequestField.Assets.name)
      ?? WireRequest.flaw(tags: tags, RequestField.Assets.tags)
  }
}

extension WireReplayRequest {
  var flaw: WireError? {
    guard (1...WireLimits.replayRanges).contains(ranges.count) else {
      return WireRequest.refusal(
        "name 1 to \(WireLimits.replayRanges) ranges of events", RequestField.Replay.Ranges.path)
    }
    return ranges.lazy.compactMap(\.flaw).first
  }
}

extension WireReplayRequest.Range {
  fileprivate var flaw: WireError? {
    guard case .event? = Topic(parsing: topic.utf8) else {
      return WireRequest.refusal(
        "only events are kept: name a topic such as event/front/state/",
        RequestField.Replay.Ranges.topic)
    }
    guard first >= 1, last == 0 || last >= first else {
      return WireRequest.refusal(
        "a range begins at 1 or above and does not end before that, or ends at 0 for the newest event",
        RequestField.Replay.Ranges.first)
    }
    return nil
  }
}

extension WireDownloadRequest {
  var flaw: WireError? {
    if let flaw = WireRequest.flaw(identifier: asset.count, RequestField.Download.asset) {
      return flaw
    }
    guard credit > WireLimits.credit else { return nil }
    return WireRequest.refusal(
      "credit is 1 to \(WireLimits.credit) chunks, or 0 for the node's choice",
      RequestField.Download.credit)
  }
}

extension WireDownloadCredit {
  var flaw: WireError? {
    let field = RequestField.DownloadCredit.download
    if let flaw = WireRequest.flaw(identifier: download.count, field) { return flaw }
    guard !(1...WireLimits.credit).contains(chunks) else { return nil }
    return WireRequest.refusal(
      "credit is 1 to \(WireLimits.credit) chunks", RequestField.DownloadCredit.chunks)
  }
}
