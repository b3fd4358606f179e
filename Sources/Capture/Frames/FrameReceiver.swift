package import OperatingSystem

/// Takes what a device delivers. All its calls come on the frame loop.
package protocol FrameReceiver: AnyObject {
  /// Whether the good frame of this time is to be kept; the receiver counts one that is not. Called
  /// once for each, before `draft`.
  func wants(frameOf time: MonotonicTime) -> Bool
  /// Memory for the next frame, or nil when all of it is in use; the receiver then counts the loss.
  func draft(byteCount: Int) -> FrameDraft?
  /// Takes a new frame.
  func receive(_ frame: Frame)
  /// Counts frames that the device could not deliver.
  func lost(_ count: Int, _ reason: FrameLoss)
  /// The value or the description of a control changed, by this node or by another program.
  func controlChanged(_ control: ControlID)
  /// The stream has ended and will not go on by itself. Called at most once per attachment.
  func failed(_ error: CaptureError)
}

/// Gets frames on the frame loop. It must not block, and must bound the frames that it keeps.
package protocol FrameConsumer: AnyObject {
  func receive(_ frame: Frame)
  /// There is no picture of this frame.
  func missed(_ frame: FrameMetadata, _ error: CaptureError)
}

extension FrameConsumer {
  package func missed(_ frame: FrameMetadata, _ error: CaptureError) {}
}
