import OperatingSystem
import SwiftProtobuf

private typealias Field = RequestField.Configure

extension WireConfigureRequest {
  /// What is wrong with it; nil if nothing is.
  package var flaw: WireError? {
    let alone = WireConfigureRequest.with { ($0.camera, $0.forget) = (camera, true) }
    guard !forget || self == alone else {
      return WireRequest.refusal(
        "what is remembered is forgotten by a request of its own: make the change in another one",
        Field.forget)
    }
    guard WirePreset.allCases.contains(preset) else {
      return WireRequest.refusal("this node does not know the preset", Field.preset)
    }
    guard input.utf8.count <= WireLimits.inputByteCount, input.isPrintableLine else {
      return WireRequest.refusal(
        "an input is a device's identity or location: one line of at most \(WireLimits.inputByteCount) bytes",
        Field.input)
    }
    guard WireMode.allCases.contains(mode) else {
      return WireRequest.refusal("this node does not know the mode", Field.mode)
    }
    for (turn, field) in [
      (preview, Field.Preview.rotation),
      (capture, Field.Capture.rotation),
    ]
    where turn.hasRotation && !WireLimits.rotations.contains(turn.rotation) {
      return WireRequest.refusal(
        "a rotation is 0, 90, 180 or 270 degrees clockwise", field)
    }
    guard pixelFormat.utf8.count <= WireLimits.pixelFormatByteCount else {
      return WireRequest.refusal("a pixel format is a code such as YUYV", Field.pixelFormat)
    }
    if hasSize, let flaw = WireRequest.flaw(size, Field.size) { return flaw }
    // NaN is outside every range, and not below another.
    let rates = WireLimits.frameRates
    let isAsBefore = minimumRate == 0 && maximumRate == 0
    guard
      isAsBefore
        || rates.contains(maximumRate) && rates.contains(minimumRate)
          && minimumRate <= maximumRate
    else {
      return WireRequest.refusal(
        "a range of frame rates lies within 0.001 to 1000, the lower one first, or is 0 to 0 for the present one",
        rates.contains(maximumRate) ? Field.minimumRate : Field.maximumRate)
    }
    guard streams.count <= WireLimits.streams else {
      return WireRequest.refusal(
        "name at most \(WireLimits.streams) streams", Field.Streams.path)
    }
    var names: Set<String> = []
    for (index, stream) in streams.enumerated() {
      let path = "\(Field.Streams.path)[\(index)]"
      if let flaw = stream.flaw(at: path) { return flaw }
      guard names.insert(stream.stream).inserted else {
        return WireRequest.refusal(
          "\(stream.stream) is named twice: name it once", "\(path).stream")
      }
    }
    guard !hasSubjectArea || (0...1).contains(subjectArea) else {
      return WireRequest.refusal(
        "the part of a picture is 0 to 1; 0 switches the events off", Field.subjectArea)
    }
    if hasLivePhotos, let flaw = livePhotos.flaw { return flaw }
    guard settings.count <= WireLimits.settings else {
      return WireRequest.refusal("name at most 64 settings", Field.Settings.path)
    }
    return settings.lazy.compactMap { $0.flaw(in: Field.Settings.path) }.first
  }
}

extension WireLivePhotoSettings {
  fileprivate var flaw: WireError? {
    for (time, field) in [
      (beforeNs, Field.LivePhotos.beforeNs), (afterNs, Field.LivePhotos.afterNs),
    ] where time > WireLimits.liveMovie {
      return WireRequest.refusal(
        "the movie of a live photo has at most 5 s before the photo's frame and 5 s after it", field
      )
    }
    guard microphone.isEmpty || CameraName.isValid(microphone) else {
      return WireRequest.refusal(
        "a microphone's name has 1 to 32 letters, digits, - and _", Field.LivePhotos.microphone)
    }
    guard microphone.isEmpty || sound else {
      return WireRequest.refusal(
        "a microphone is for movies with sound: ask for sound, or leave it out",
        Field.LivePhotos.microphone)
    }
    return nil
  }
}

extension WireStreamSettings {
  fileprivate func flaw(at path: String) -> WireError? {
    guard let name = StreamName(stream) else {
      return WireRequest.refusal(
        "a stream is preview, full, raw, h264, or a size such as 320x240", "\(path).stream")
    }
    guard !hasMaximumRate || maximumRate == 0 || WireLimits.frameRates.contains(maximumRate)
    else {
      return WireRequest.refusal(
        "a stream's rate lies within 0.001 to 1000, or is 0 for all frames", "\(path).maximum_rate")
    }
    guard !hasQuality || quality <= 100 else {
      return WireRequest.refusal(
        "a quality is 1 to 100, or 0 for the node's", "\(path).quality")
    }
    guard !hasQuality || quality == 0 || name != .raw else {
      return WireRequest.refusal("raw frames have no quality", "\(path).quality")
    }
    return videoFlaw(name, at: path)
  }

  private func videoFlaw(_ name: StreamName, at path: String) -> WireError? {
    for (isThere, field) in [
      (hasBitRate && bitRate > 0, "bit_rate"),
      (hasKeyIntervalNs && keyIntervalNs > 0, "key_interval_ns"),
      (hasBound && bound != WireSize(), "bound"),
    ] where isThere && name != .h264 {
      return WireRequest.refusal("only h264 has a \(field)", "\(path).\(field)")
    }
    guard !hasBitRate || bitRate == 0 || WireLimits.bitRates.contains(bitRate) else {
      return WireRequest.refusal(
        "a bit rate is 10000 to 1000000000 bits a second, or 0 to keep a quality",
        "\(path).bit_rate")
    }
    guard
      !hasKeyIntervalNs || keyIntervalNs == 0 || WireLimits.keyIntervals.contains(keyIntervalNs)
    else {
      return WireRequest.refusal(
        "key pictures come every 0.1 to 60 seconds; 0 is one second", "\(path).key_interval_ns")
    }
    guard hasBound, bound != WireSize() else { return nil }
    let sides: ClosedRange<UInt32> = 16...8192
    guard sides.contains(bound.width), sides.contains(bound.height) else {
      return WireRequest.refusal(
        "a video fits into 16 to 8192 pixels in each direction, or 0x0 for the camera's size",
        "\(path).bound")
    }
    return nil
  }
}
