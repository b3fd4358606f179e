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
  /// Takes a new frame of a camera that sends a video.
  /// - Parameter coded: The camera's own picture of the frame.
  func receive(_ frame: Frame, coded: Frame)
  /// Pictures are lost until the camera's video has one that needs no other.
  func needsKeyPicture()
  /// Counts frames that the device could not deliver.
  func lost(_ count: Int, _ reason: FrameLoss)
  /// The value or the description of a control changed, by this node or by another program.
  func controlChanged(_ control: ControlID)
  /// The stream has ended and will not go on by itself. Called at most once per attachment.
  func failed(_ error: CaptureError)
}

extension FrameReceiver {
  package func receive(_ frame: Frame, coded: Frame) { receive(frame) }
  package func needsKeyPicture() {}
}

/// Gets frames on the frame loop. It must not block, and must bound the frames that it keeps.
package protocol FrameConsumer: AnyObject {
  func receive(_ frame: Frame)
  /// Gets a frame of a camera that sends a video.
  /// - Parameter coded: The camera's own picture of the frame. It may need those of all frames
  ///   since the last key picture.
  func receive(_ frame: Frame, coded: Frame)
  /// There is no picture of this frame.
  func missed(_ frame: FrameMetadata, _ error: CaptureError)
}

extension FrameConsumer {
  package func receive(_ frame: Frame, coded: Frame) { receive(frame) }
  package func missed(_ frame: FrameMetadata, _ error: CaptureError) {}
}
