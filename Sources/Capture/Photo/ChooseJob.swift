import Imaging

/// One photo whose frame is to be chosen among several.
// @unchecked: the pool's lock hands the job to a worker, which owns the result until it hands the
// result to the frame loop. `onEnd` belongs to the frame loop.
final class ChooseJob: EncoderTask, @unchecked Sendable {
  private let frames: [Frame]
  private let moment: Frame
  private let isMerged: Bool
  private var result: ChosenPicture?
  private let onEnd: (ChosenPicture) -> Void

  /// - Parameters:
  ///   - moment: the frame of the moment among them.
  ///   - onEnd: called on the frame loop, unless the pool stops first.
  init(
    _ frames: [Frame], around moment: Frame, isMerged: Bool,
    onEnd: @escaping (ChosenPicture) -> Void
  ) {
    self.frames = frames
    self.moment = moment
    self.isMerged = isMerged
    self.onEnd = onEnd
  }

  func run(_ encoder: FrameEncoder) {
    result = encoder.chooser.choose(frames, around: moment, isMerged: isMerged)
  }

  func end() {
    if let result { onEnd(result) }
  }
}
