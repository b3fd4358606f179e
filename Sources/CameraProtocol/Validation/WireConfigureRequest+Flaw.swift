import OperatingSystem
import SwiftProtobuf

extension WireConfigureRequest {
  /// What is wrong with it; nil if nothing is.
  package var flaw: WireError? {
    let alone = WireConfigureRequest.with { ($0.camera, $0.forget) = (camera, true) }
    guard !forget || self == alone else {
      return WireRequest.refusal(
        "what is remembered is forgotten by a request of its own: make the change in another one",
        "configure.forget")
    }
    guard WirePreset.allCases.contains(preset) else {
      return WireRequest.refusal("this node does not know the preset", "configure.preset")
    }
    guard input.utf8.count <= WireLimits.inputByteCount, input.isPrintableLine else {
      return WireRequest.refusal(
        "an input is a device's identity or location: one line of at most \(WireLimits.inputByteCount) bytes",
        "configure.input")
    }
    guard WireMode.allCases.contains(mode) else {
      return WireRequest.refusal("this node does not know the mode", "configure.mode")
    }
    for (turn, field) in [(preview, "preview"), (capture, "capture")]
    where turn.hasRotation && !WireLimits.rotations.contains(turn.rotation) {
      return WireRequest.refusal(
        "a rotation is 0, 90, 180 or 270 degrees clockwise", "configure.\(field).rotation")
    }
    if let flaw = WireRequest.flaw(pixelFormat, hasSize ? size : nil, "configure") { return flaw }
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
        rates.contains(maximumRate) ? "configure.minimum_rate" : "configure.maximum_rate")
    }
    guard streams.count <= WireLimits.streams else {
      return WireRequest.refusal(
        "name at most \(WireLimits.streams) streams", "configure.streams")
    }
    var names: Set<String> = []
    for (index, stream) in streams.enumerated() {
      if let flaw = stream.flaw(at: "configure.streams[\(index)]") { return flaw }
      guard names.insert(stream.stream).inserted else {
        return WireRequest.refusal(
          "\(stream.stream) is named twice: name it once", "configure.streams[\(index)].stream")
      }
    }
    guard !hasSubjectArea || (0...1).contains(subjectArea) else {
      return WireRequest.refusal(
        "the part of a picture is 0 to 1; 0 switches the events off", "configure.subject_area")
    }
    guard settings.count <= WireLimits.settings else {
      return WireRequest.refusal("name at most 64 settings", "configure.settings")
    }
    return settings.lazy.compactMap { $0.flaw(in: "configure") }.first
  }
}

extension WireStreamSettings {
  fileprivate func flaw(at path: String) -> WireError? {
    guard let name = StreamName(stream) else {
      return WireRequest.refusal(
        "a stream is preview, full, raw, or a size such as 320x240", "\(path).stream")
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
    return nil
  }
}
