import OperatingSystem
import SwiftProtobuf

private typealias Field = RequestField.Capture

extension WireCaptureRequest {
  var flaw: WireError? {
    if let flaw = WireRequest.flaw(quality: quality, Field.quality) { return flaw }
    guard WirePhotoSize.allCases.contains(size) else {
      return WireRequest.refusal("this node does not know the size", Field.size)
    }
    guard WirePhotoPrioritization.allCases.contains(prioritization) else {
      return WireRequest.refusal(
        "this node does not know the prioritization", Field.prioritization)
    }
    if let flaw = depthFlaw { return flaw }
    let pictures = max(Int(burst.pictures), bracket.shots.count)
    let files = max(1, pictures) * (max(1, outputs.count) + (hasDepth ? 2 : 0))
    if let flaw = WireRequest.flaw((name, tags), name: Field.name, tags: Field.tags, files: files) {
      return flaw
    }
    guard !transient || (max(1, outputs.count) == 1 && pictures <= 1) else {
      return WireRequest.refusal(
        "several pictures or files are kept in the library: ask for one, or keep them",
        Field.transient)
    }
    guard !transient || inlineLimit > 0 else {
      return WireRequest.refusal(
        "a photo that is not kept must come with the reply: set a limit", Field.inlineLimit)
    }
    if let flaw = outputFlaw ?? sequenceFlaw ?? flashFlaw ?? deferralFlaw ?? toleranceFlaw
      ?? liveFlaw
    {
      return flaw
    }
    switch when {
    case .noOlderThanNs(let age) where age > WireLimits.age:
      return WireRequest.refusal("an age is at most an hour", Field.noOlderThanNs)
    case .pastNs(let age) where age > WireLimits.age:
      return WireRequest.refusal("the past reaches back at most an hour", Field.pastNs)
    case .atMonotonicNs(let time) where time < 0:
      return WireRequest.refusal("a moment is not below 0", Field.atMonotonicNs)
    case .atWallNs(let time) where time < 0:
      return WireRequest.refusal("a moment is not before 1970", Field.atWallNs)
    default: return nil
    }
  }
}

extension WireCaptureRequest {
  /// The first mistake in the files and in how their pictures look.
  private var outputFlaw: WireError? {
    var formats: Set<WirePhotoFormat> = []
    for output in outputs {
      if let flaw = WireRequest.flaw(quality: output.quality, Field.Outputs.quality) { return flaw }
      guard WirePhotoFormat.allCases.contains(output.format) else {
        return WireRequest.refusal(
          "this node does not know the format", Field.Outputs.format)
      }
      let format = output.format == .unspecified ? .jpeg : output.format
      guard formats.insert(format).inserted else {
        return WireRequest.refusal(
          "name each format once", Field.Outputs.format)
      }
    }
    if hasDimensions, let flaw = WireRequest.flaw(dimensions, Field.dimensions) {
      return flaw
    }
    guard !orientation.hasRotation || WireLimits.rotations.contains(orientation.rotation) else {
      return WireRequest.refusal(
        "a rotation is 0, 90, 180 or 270 degrees", Field.Orientation.rotation)
    }
    return nil
  }

  private var sequenceFlaw: WireError? {
    if hasBurst {
      guard (1...WireLimits.burstPictures).contains(burst.pictures) else {
        return WireRequest.refusal(
          "a burst has 1 to \(WireLimits.burstPictures) pictures", Field.Burst.pictures)
      }
      guard burst.every <= WireLimits.burstStep else {
        return WireRequest.refusal(
          "a burst takes one of 1 to \(WireLimits.burstStep) frames, or 0 for all",
          Field.Burst.every)
      }
    }
    if hasBracket, let flaw = bracketFlaw { return flaw }
    guard size != .maximum || burst.pictures <= 1 else {
      return WireRequest.refusal(
        "a burst is of the stream's size: ask for one picture of the largest size",
        Field.Burst.pictures)
    }
    return nil
  }

  private var deferralFlaw: WireError? {
    guard deferred, transient else { return nil }
    return WireRequest.refusal(
      "the files of a photo that is not kept are made at once: keep it, or leave `deferred` out",
      Field.deferred)
  }

  private var toleranceFlaw: WireError? {
    guard toleranceNs > 0 else { return nil }
    guard toleranceNs <= WireLimits.age else {
      return WireRequest.refusal("a tolerance is at most an hour", Field.toleranceNs)
    }
    switch when {
    case .next, .noOlderThanNs:
      return WireRequest.refusal(
        "only the frame nearest a moment has a tolerance: ask for now, a past or a certain moment, or leave it out",
        Field.toleranceNs)
    case nil, .now, .pastNs, .atMonotonicNs, .atWallNs: break
    }
    guard !hasBracket, flash != .on, flash != .auto, size != .maximum else {
      return WireRequest.refusal(
        "a photo that changes the camera's controls or format has no tolerance, because its frame is taken later: "
          + "leave the tolerance out, or bracket, flash and size",
        Field.toleranceNs)
    }
    return nil
  }

  private var liveFlaw: WireError? {
    guard live, hasBurst || hasBracket || size == .maximum || deferred || transient else {
      return nil
    }
    return WireRequest.refusal(
      "a live photo is one photo of the stream's size, which is made at once and kept: leave `live` out, or burst, "
        + "bracket, size, deferred and transient",
      Field.live)
  }

  private var flashFlaw: WireError? {
    guard WireFlashMode.allCases.contains(flash) else {
      return WireRequest.refusal("this node does not know the flash mode", Field.flash)
    }
    guard flash == .on || flash == .auto else { return nil }
    guard !hasBurst, !hasBracket, size != .maximum, !deferred else {
      return WireRequest.refusal(
        "a flash lights one photo of the stream's size, which is made at once: leave the flash out, or burst, bracket, "
          + "size and deferred",
        Field.flash)
    }
    return nil
  }

  private var bracketFlaw: WireError? {
    guard !hasBurst else {
      return WireRequest.refusal(
        "a request is a burst or a bracket: leave one of them out", Field.Bracket.path)
    }
    guard size != .maximum else {
      return WireRequest.refusal(
        "a bracket is of the stream's size: leave the size out", Field.size)
    }
    guard (1...WireLimits.shots).contains(bracket.shots.count) else {
      return WireRequest.refusal(
        "a bracket has 1 to \(WireLimits.shots) shots", Field.Bracket.Shots.path)
    }
    return bracket.shots.lazy.compactMap(\.flaw).first
  }
}

extension WireCaptureRequest.Shot {
  fileprivate var flaw: WireError? {
    switch kind {
    // NaN is outside every range.
    case .ev(let step) where !WireLimits.exposureValues.contains(step):
      return WireRequest.refusal("a shot is -16 to 16 EV", Field.Bracket.Shots.ev)
    case .exposureNs(let time) where !WireLimits.exposures.contains(time):
      return WireRequest.refusal(
        "an exposure lasts 1 ns to an hour", Field.Bracket.Shots.exposureNs)
    case .settings(let settings):
      guard (1...WireLimits.settings).contains(settings.settings.count) else {
        return WireRequest.refusal(
          "a shot has 1 to \(WireLimits.settings) settings", Field.Bracket.Shots.Settings.path)
      }
      return settings.settings.lazy.compactMap { $0.flaw(in: Field.Bracket.Shots.Settings.path) }
        .first
    case .ev, .exposureNs: return nil
    case nil:
      return WireRequest.refusal(
        "a shot has an EV, an exposure or settings", Field.Bracket.Shots.kind)
    }
  }
}
