/// Where a device delivers: confined to the frame loop, as all its calls.
package protocol FrameReceiver: AnyObject {
  /// Memory for the next frame, or nil when all of it is in use; the receiver has counted that loss.
  func draft(byteCount: Int) -> FrameDraft?
  /// One new frame.
  func receive(_ frame: Frame)
  /// Frames that the device knows of and could not deliver.
  func lost(_ count: Int, _ reason: FrameLoss)
  /// A control changed its value or its description, by whomever.
  func controlChanged(_ control: ControlID)
  /// The stream is over and will not go on by itself; called at most once per attachment.
  func failed(_ error: CaptureError)
}

/// Something that is handed frames on the frame loop: it must not block, and bounds what it keeps.
package protocol FrameConsumer: AnyObject {
  func receive(_ frame: Frame)
}
