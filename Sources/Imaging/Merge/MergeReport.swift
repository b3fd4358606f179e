/// Of what a merged picture is made.
package struct MergeReport: Hashable, Sendable {
  /// The reference and the frames that were added to it.
  package var mergedCount = 1
  /// The frames that did not match the reference, or were too many.
  package var leftOutCount = 0
  /// The standard deviation of one frame's noise in codes of luma, or of what comes first in the
  /// format; 0 if no frame was added.
  package var noise = 0.0
  /// The shifts of the added frames, in pixels.
  package var shifts: [FrameShift] = []
}
