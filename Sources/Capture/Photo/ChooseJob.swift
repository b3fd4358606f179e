import Imaging

/// One photo whose frame is to be chosen among several.
// @unchecked: the pool's lock hands the job to a worker, which owns the result until it hands the
// result to the frame loop. `onEnd` belongs to the frame loop.
final class ChooseJob: EncoderTask, @unchecked Sendable {
  private let frames: [Frame]
  private let moment: Frame
  private let candidates: ClosedRange<UInt64>?
  private let isMerged: Bool
  private var result: ChosenPicture?
  private let onEnd: (ChosenPicture) -> Void

  /// - Parameters:
  ///   - moment: The frame of the moment among them.
  ///   - candidates: The numbers of those that may be chosen; nil for all.
  ///   - onEnd: Called on the frame loop, unless the pool stops first.
  init(
    _ frames: [Frame], around moment: Frame, among candidates: ClosedRange<UInt64>?, isMerged: Bool,
    onEnd: @escaping (ChosenPicture) -> Void
  ) {
    self.frames = frames
    self.moment = moment
    self.candidates = candidates
    self.isMerged = isMerged
    self.onEnd = onEnd
  }

  func run(_ encoder: FrameEncoder) {
    result = encoder.chooser.choose(
      frames, around: moment, among: candidates, isMerged: isMerged)
  }

  func end() {
    if let result { onEnd(result) }
  }
}
