// swift-format-ignore-file
// Made by Protocol/derive of the .proto files.

extension WireRequest: ShapedMessage {
  package static let shape = MessageShape(
    once: [10...62], inner: [10: .plain, 11: .plain, 12: .plain, 13: .plain, 14: .plain,
    15: .controlsSetRequest, 16: .captureRequest, 17: .recordStartRequest, 18: .plain, 19: .plain,
    20: .plain, 21: .plain, 22: .plain, 23: .plain, 24: .replayRequest, 25: .plain, 26: .plain,
    27: .plain, 28: .plain, 29: .plain, 30: .plain, 31: .plain, 32: .plain, 33: .configureRequest,
    34: .plain, 35: .plain, 36: .plain, 37: .shotPrepareRequest, 38: .shotCommitRequest, 39: .plain,
    40: .plain, 41: .plain, 42: .plain, 50: .plain, 60: .plain, 61: .plain, 62: .plain], limits:
    .init(fields: WireLimits.requestFields, fieldByteCount: WireLimits.fieldByteCount))
}

extension WireReply: ShapedMessage {
  package static let shape = MessageShape(
    once: [10...63], inner: [10: .plain, 11: .statusReply, 12: .cameraStatus, 13: .controlsReply,
    14: .captureProgress, 15: .captureResult, 16: .recordStarted, 17: .recordResult, 18: .plain,
    19: .downloadResult, 20: .plain, 21: .formatsReply, 22: .assetsReply, 23: .replayReply,
    24: .deleteReply, 25: .protectReply, 26: .devicesReply, 27: .leaseReply, 28: .configureReply,
    29: .capabilities, 30: .calibration, 31: .clockReply, 32: .shotPrepared, 33: .plain,
    40: .recordingStatus, 50: .microphonesReply, 60: .tagReply, 61: .plain, 62: .libraryVerifyReply,
    63: .libraryRepairReply])
}

extension WireEvent: ShapedMessage {
  package static let shape = MessageShape(
    once: [2...2, 10...40], inner: [2: .plain, 10: .cameraStatus, 11: .control, 12: .captureEvent,
    13: .recordEvent, 14: .plain, 15: .devicesEvent, 16: .capabilities, 17: .pressure,
    18: .subjectAreaEvent, 19: .deferredEvent, 20: .shotEvent, 21: .libraryEvent, 40: .soundEvent])
}

extension MessageShape {
  /// A message of single values.
  fileprivate static let plain = MessageShape()
  fileprivate static let controlsSetRequest = MessageShape(
    inner: [2: .controlsSetRequestSetting])
  fileprivate static let captureRequest = MessageShape(
    once: [2...7, 13...13, 14...14, 16...16, 18...18, 21...21], inner: [2: .plain, 3: .plain,
    12: .plain, 13: .plain, 14: .plain, 16: .plain, 18: .captureRequestBracket,
    21: .captureRequestDepth])
  fileprivate static let recordStartRequest = MessageShape(
    once: [11...11, 12...12, 13...13], inner: [11: .plain, 12: .plain, 13: .plain])
  fileprivate static let replayRequest = MessageShape(
    inner: [1: .plain])
  fileprivate static let configureRequest = MessageShape(
    once: [4...4, 10...10, 11...11, 17...17], inner: [4: .plain, 7: .controlsSetRequestSetting,
    10: .plain, 11: .plain, 13: .streamSettings, 17: .plain])
  fileprivate static let shotPrepareRequest = MessageShape(
    once: [2...2], inner: [2: .captureRequest])
  fileprivate static let shotCommitRequest = MessageShape(
    once: [3...4])
  fileprivate static let statusReply = MessageShape(
    once: [3...3, 16...16, 31...31], inner: [3: .plain, 7: .cameraStatus, 8: .plain,
    16: .libraryStatus, 25: .plain, 31: .pressure, 60: .microphoneStatus])
  fileprivate static let cameraStatus = MessageShape(
    once: [2...2, 4...4, 6...6, 8...8, 9...9, 11...11, 17...17, 18...18, 24...24, 25...25, 26...26],
    inner: [2: .plain, 4: .plain, 6: .plain, 8: .streamFormat, 9: .plain, 10: .streamStatus,
    11: .recordingStatus, 17: .lease, 18: .configuration, 23: .plain, 24: .remembered,
    25: .framePace, 26: .livePhotoStatus])
  fileprivate static let controlsReply = MessageShape(
    once: [2...2], inner: [1: .control, 2: .controlEffect])
  fileprivate static let captureProgress = MessageShape(
    once: [2...2, 4...4], inner: [2: .resolvedCapture, 4: .captureSettings])
  fileprivate static let captureResult = MessageShape(
    once: [1...1, 2...2, 6...6, 8...8], inner: [1: .resolvedCapture, 2: .asset, 5: .capturedPicture,
    6: .rawLayout, 8: .liveMovie])
  fileprivate static let recordStarted = MessageShape(
    once: [3...3, 4...4], inner: [3: .plain, 4: .movieFrameTime])
  fileprivate static let recordResult = MessageShape(
    once: [1...1, 6...6, 7...7], inner: [1: .asset, 6: .movieFrameTime, 7: .movieFrameTime])
  fileprivate static let downloadResult = MessageShape(
    once: [1...1], inner: [1: .asset])
  fileprivate static let formatsReply = MessageShape(
    inner: [1: .format])
  fileprivate static let assetsReply = MessageShape(
    inner: [1: .asset])
  fileprivate static let replayReply = MessageShape(
    inner: [1: .plain])
  fileprivate static let deleteReply = MessageShape(
    inner: [1: .assetResult])
  fileprivate static let protectReply = MessageShape(
    inner: [1: .assetResult])
  fileprivate static let devicesReply = MessageShape(
    inner: [1: .machineDevice])
  fileprivate static let leaseReply = MessageShape(
    once: [2...2], inner: [2: .lease])
  fileprivate static let configureReply = MessageShape(
    once: [1...1, 3...3], inner: [1: .cameraStatus, 2: .control, 3: .controlEffect])
  fileprivate static let capabilities = MessageShape(
    once: [3...3, 6...6, 7...7], inner: [1: .format, 2: .capabilitiesPresetFormat, 3: .streamFormat,
    4: .capabilitiesPicture, 5: .control, 6: .plain, 7: .plain])
  fileprivate static let calibration = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let clockReply = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let shotPrepared = MessageShape(
    once: [3...3, 5...5], inner: [3: .plain, 5: .plain])
  fileprivate static let recordingStatus = MessageShape(
    once: [2...2, 24...24], inner: [2: .plain, 24: .soundInterruption])
  fileprivate static let microphonesReply = MessageShape(
    inner: [1: .microphoneStatus, 2: .plain])
  fileprivate static let tagReply = MessageShape(
    inner: [1: .assetResult])
  fileprivate static let libraryVerifyReply = MessageShape(
    inner: [5: .asset])
  fileprivate static let libraryRepairReply = MessageShape(
    inner: [6: .libraryRepairChange])
  fileprivate static let control = MessageShape(
    once: [15...15, 16...16], inner: [8: .plain, 15: .controlValue, 16: .plain])
  fileprivate static let captureEvent = MessageShape(
    once: [2...4], inner: [2: .captureProgress, 3: .captureResult, 4: .plain])
  fileprivate static let recordEvent = MessageShape(
    once: [2...8], inner: [2: .recordStarted, 3: .recordResult, 4: .plain, 5: .recordSegment,
    6: .recordingStatus, 7: .recordingStatus, 8: .recordingStatus])
  fileprivate static let devicesEvent = MessageShape(
    inner: [1: .machineDevice, 2: .machineDevice])
  fileprivate static let pressure = MessageShape(
    once: [2...2, 5...5], inner: [2: .plain, 5: .plain])
  fileprivate static let subjectAreaEvent = MessageShape(
    once: [4...4], inner: [4: .plain])
  fileprivate static let deferredEvent = MessageShape(
    once: [3...4], inner: [3: .capturedPicture, 4: .plain])
  fileprivate static let shotEvent = MessageShape(
    once: [3...8], inner: [3: .plain, 4: .shotEventCommitted, 5: .captureResult, 6: .plain,
    7: .plain, 8: .plain])
  fileprivate static let libraryEvent = MessageShape(
    once: [1...1], inner: [1: .asset])
  fileprivate static let soundEvent = MessageShape(
    once: [3...3], inner: [3: .soundInterruption])
  fileprivate static let controlsSetRequestSetting = MessageShape(
    once: [2...2], inner: [2: .controlValue])
  fileprivate static let captureRequestBracket = MessageShape(
    inner: [1: .captureRequestShot])
  fileprivate static let captureRequestDepth = MessageShape(
    once: [1...1], inner: [1: .plain])
  fileprivate static let streamSettings = MessageShape(
    once: [7...7], inner: [7: .plain])
  fileprivate static let libraryStatus = MessageShape(
    once: [4...4, 8...8, 9...9], inner: [4: .plain, 7: .plain, 8: .quota, 9: .plain])
  fileprivate static let microphoneStatus = MessageShape(
    once: [8...8], inner: [8: .soundInterruption])
  fileprivate static let streamFormat = MessageShape(
    once: [2...2, 6...6], inner: [2: .plain, 6: .plain])
  fileprivate static let streamStatus = MessageShape(
    once: [8...8], inner: [8: .plain])
  fileprivate static let lease = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let configuration = MessageShape(
    once: [3...3, 4...4], inner: [3: .plain, 4: .plain, 7: .streamSettings])
  fileprivate static let remembered = MessageShape(
    once: [1...1, 2...2, 3...3, 4...4, 9...9, 10...10], inner: [1: .plain, 2: .rememberedFormat,
    3: .plain, 4: .plain, 5: .streamSettings, 6: .rememberedSetting, 9: .rememberedUndo,
    10: .plain])
  fileprivate static let framePace = MessageShape(
    once: [1...1], inner: [1: .plain])
  fileprivate static let livePhotoStatus = MessageShape(
    once: [1...1], inner: [1: .plain])
  fileprivate static let controlEffect = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let resolvedCapture = MessageShape(
    once: [2...2, 6...6, 13...13, 14...14, 17...17, 20...20], inner: [2: .plain, 6: .plain,
    13: .plain, 14: .plain, 17: .plain, 20: .resolvedShot])
  fileprivate static let captureSettings = MessageShape(
    once: [3...3], inner: [1: .captureSettingsFile, 3: .plain])
  fileprivate static let asset = MessageShape(
    once: [7...7, 15...15], inner: [7: .plain, 15: .rawLayout])
  fileprivate static let capturedPicture = MessageShape(
    once: [1...1, 3...3], inner: [1: .resolvedCapture, 2: .photoFile, 3: .depthPicture])
  fileprivate static let rawLayout = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let liveMovie = MessageShape(
    once: [1...1, 2...2], inner: [1: .asset, 2: .plain])
  fileprivate static let movieFrameTime = MessageShape(
    once: [1...1], inner: [1: .plain])
  fileprivate static let format = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let assetResult = MessageShape(
    once: [2...3], inner: [2: .asset, 3: .plain])
  fileprivate static let machineDevice = MessageShape(
    once: [1...1, 4...4], inner: [1: .plain, 4: .plain, 8: .format])
  fileprivate static let capabilitiesPresetFormat = MessageShape(
    once: [2...2], inner: [2: .format])
  fileprivate static let capabilitiesPicture = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let soundInterruption = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let libraryRepairChange = MessageShape(
    once: [3...3, 4...4], inner: [3: .asset, 4: .plain])
  fileprivate static let controlValue = MessageShape(
    once: [1...7], inner: [4: .plain, 7: .plain])
  fileprivate static let recordSegment = MessageShape(
    once: [2...2, 6...6, 7...7, 8...8], inner: [2: .asset, 6: .movieFrameTime, 7: .movieFrameTime,
    8: .plain])
  fileprivate static let shotEventCommitted = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let captureRequestShot = MessageShape(
    once: [1...3], inner: [3: .captureRequestSettings])
  fileprivate static let quota = MessageShape(
    inner: [1: .plain])
  fileprivate static let rememberedFormat = MessageShape(
    once: [4...4], inner: [4: .plain])
  fileprivate static let rememberedSetting = MessageShape(
    once: [2...2], inner: [2: .controlValue])
  fileprivate static let rememberedUndo = MessageShape(
    inner: [2: .rememberedSetting])
  fileprivate static let resolvedShot = MessageShape(
    inner: [3: .controlsSetRequestSetting])
  fileprivate static let captureSettingsFile = MessageShape(
    once: [2...2], inner: [2: .plain])
  fileprivate static let photoFile = MessageShape(
    once: [2...2, 5...5, 6...6], inner: [2: .asset, 5: .plain, 6: .rawLayout])
  fileprivate static let depthPicture = MessageShape(
    once: [2...2, 4...4, 5...5], inner: [2: .resolvedCapture, 4: .photoFile, 5: .photoFile])
  fileprivate static let captureRequestSettings = MessageShape(
    inner: [1: .controlsSetRequestSetting])
}
