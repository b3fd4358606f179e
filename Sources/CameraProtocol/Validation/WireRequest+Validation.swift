extension WireRequest {
  /// The most seconds a request may wait: a day.
  package static let longestWait: UInt64 = 86_400_000_000_000

  /// Finds the first field whose value cannot be, before anything acts on it.
  /// - Returns: the error to answer with, or nil when all is well.
  package var flaw: WireError? {
    guard id.count == RequestID.byteCount else {
      return Self.refusal("a request's id has 16 bytes, not \(id.count)", "id")
    }
    guard remainingNs <= Self.longestWait else {
      return Self.refusal("a request waits at most a day", "remaining_ns")
    }
    return switch body {
    case nil:
      WireError(.unsupported, "this node does not know this kind of request: update the node")
    case .status(let body): Self.flaw(camera: body.camera, "status")
    case .sessionStart(let body): Self.flaw(camera: body.camera, "session_start") ?? body.flaw
    case .sessionStop(let body): Self.flaw(camera: body.camera, "session_stop")
    case .formats(let body): Self.flaw(camera: body.camera, "formats")
    case .controlsList(let body): Self.flaw(camera: body.camera, "controls_list")
    case .controlsGet(let body): Self.flaw(camera: body.camera, "controls_get") ?? body.flaw
    case .controlsSet(let body): Self.flaw(camera: body.camera, "controls_set") ?? body.flaw
    case .capture(let body): Self.flaw(camera: body.camera, "capture") ?? body.flaw
    case .recordStart(let body): Self.flaw(camera: body.camera, "record_start") ?? body.flaw
    case .recordStop(let body): Self.flaw(camera: body.camera, "record_stop")
    case .assets(let body): Self.flaw(camera: body.camera, "assets")
    case .download(let body): Self.flaw(identifier: body.asset.count, "download.asset")
    case .downloadCredit(let body):
      Self.flaw(identifier: body.download.count, "download_credit.download")
    case .cancel(let body): Self.flaw(identifier: body.request.count, "cancel.request")
    }
  }

  static func refusal(_ message: String, _ field: String) -> WireError {
    WireError(.invalidArgument, message, field: field)
  }

  private static func flaw(camera: String, _ request: String) -> WireError? {
    guard !camera.isEmpty, !CameraName.isValid(camera) else { return nil }
    return refusal(
      "a camera's name has 1 to 32 letters, digits, - and _",
      "\(request).camera"
    )
  }

  private static func flaw(identifier count: Int, _ field: String) -> WireError? {
    count == RequestID.byteCount ? nil : refusal("an id has 16 bytes, not \(count)", field)
  }
}

extension WireSessionStartRequest {
  fileprivate var flaw: WireError? {
    guard pixelFormat.utf8.count <= 16 else {
      return WireRequest.refusal(
        "a pixel format is a code such as YUYV",
        "session_start.pixel_format"
      )
    }
    if hasSize, !(1...16_384).contains(size.width) || !(1...16_384).contains(size.height) {
      return WireRequest.refusal(
        "a size is 1 to 16384 pixels in each direction",
        "session_start.size"
      )
    }
    guard frameRate.isFinite, (0...1000).contains(frameRate) else {
      return WireRequest.refusal("a frame rate is at most 1000", "session_start.frame_rate")
    }
    return nil
  }
}

extension WireControlsGetRequest {
  fileprivate var flaw: WireError? {
    guard ids.count <= 256, ids.allSatisfy({ $0.utf8.count <= 64 }) else {
      return WireRequest.refusal("at most 256 names of at most 64 bytes", "controls_get.ids")
    }
    return nil
  }
}

extension WireControlsSetRequest {
  fileprivate var flaw: WireError? {
    guard (1...64).contains(settings.count) else {
      return WireRequest.refusal("name 1 to 64 settings", "controls_set.settings")
    }
    for setting in settings {
      guard (1...64).contains(setting.id.utf8.count) else {
        return WireRequest.refusal(
          "a control's name has 1 to 64 bytes",
          "controls_set.settings.id"
        )
      }
      guard setting.value.array.elements.count <= 4096, setting.value.string.utf8.count <= 4096,
        setting.value.bytes.count <= 65_536
      else {
        return WireRequest.refusal("the value is too long", "controls_set.settings.value")
      }
    }
    return nil
  }
}

extension WireCaptureRequest {
  fileprivate var flaw: WireError? {
    guard quality <= 100 else {
      return WireRequest.refusal(
        "quality is 1 to 100, or 0 for the node's choice",
        "capture.quality"
      )
    }
    let hour: UInt64 = 3_600_000_000_000
    switch when {
    case .noOlderThanNs(let age) where age > hour:
      return WireRequest.refusal("an age is at most an hour", "capture.no_older_than_ns")
    case .pastNs(let age) where age > hour:
      return WireRequest.refusal("the past reaches back at most an hour", "capture.past_ns")
    case .atMonotonicNs(let time) where time < 0:
      return WireRequest.refusal("a moment is not below 0", "capture.at_monotonic_ns")
    case .atWallNs(let time) where time < 0:
      return WireRequest.refusal("a moment is not before 1970", "capture.at_wall_ns")
    default: return nil
    }
  }
}

extension WireRecordStartRequest {
  fileprivate var flaw: WireError? {
    guard quality <= 100 else {
      return WireRequest.refusal(
        "quality is 1 to 100, or 0 for the node's choice",
        "record_start.quality"
      )
    }
    return nil
  }
}
