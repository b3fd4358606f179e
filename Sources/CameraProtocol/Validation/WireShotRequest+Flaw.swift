import SwiftProtobuf

private typealias Field = RequestField.ShotPrepare

extension WireShotPrepareRequest {
  var flaw: WireError? {
    if let flaw = WireRequest.flaw(identifier: shot.count, Field.shot) { return flaw }
    guard capture.when == nil else {
      return WireRequest.refusal(
        "the moment of a shot is named when it is committed: leave it out", Field.Capture.when)
    }
    guard !capture.hasBracket, capture.flash != .on, capture.flash != .auto,
      capture.size != .maximum
    else {
      return WireRequest.refusal(
        "a shot shows a certain moment, so it changes neither controls nor format: leave bracket, flash and size out",
        Field.Capture.path)
    }
    if var flaw = capture.flaw {
      // The same rules hold one level deeper.
      flaw.field = "\(Field.path).\(flaw.field)"
      return flaw
    }
    guard wallErrorNs <= WireLimits.age else {
      return WireRequest.refusal(
        "a wall clock may be wrong by an hour at most", Field.wallErrorNs)
    }
    return WireRequest.flaw(holder: holder, Field.holder)
      ?? WireRequest.flaw(term: termNs, Field.termNs)
  }
}

extension WireShotCommitRequest {
  var flaw: WireError? {
    if let flaw = WireRequest.flaw(identifier: shot.count, RequestField.ShotCommit.shot) {
      return flaw
    }
    return switch when {
    case .atMonotonicNs(let time) where time < 0:
      WireRequest.refusal("a moment is not below 0", RequestField.ShotCommit.atMonotonicNs)
    case .atWallNs(let time) where time < 0:
      WireRequest.refusal("a moment is not before 1970", RequestField.ShotCommit.atWallNs)
    case nil:
      WireRequest.refusal("a commit names the moment of the shot", RequestField.ShotCommit.when)
    case .atMonotonicNs, .atWallNs: nil
    }
  }
}
