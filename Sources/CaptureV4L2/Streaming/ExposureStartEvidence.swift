/// A driver, or one device of a driver, whose flag `V4L2_BUF_FLAG_TSTAMP_SRC_SOE` is believed, with
/// the evidence for it.
///
/// This list is the only place where "start of exposure" is believed. To add an entry, state where
/// one can check that the stamp is the start of the exposure.
///
/// `uvcvideo` must not be on it. It sets the flag for all cameras, but takes the time when a
/// frame's first packet arrives (uvc_video.c, uvc_video_decode_start), after the exposure: see
/// librealsense issues 2188 and 12779. With the module's parameter `hwtimestamps` it computes the
/// time from the camera's own clock, which nothing proves to be right.
struct ExposureStartEvidence: Hashable, Sendable {
  /// As `VIDIOC_QUERYCAP` names it.
  var driver: String
  /// The device's name if the evidence is not for all devices of the driver.
  var card: String?
  var evidence: String

  static let list = [
    ExposureStartEvidence(
      driver: "vivid",
      card: nil,
      evidence: """
        Linux 6.1, vivid-kthread-cap.c, vivid_thread_vid_cap_tick: takes the time, then draws the \
        picture, then hands it out. If the control "Timestamp Source" says "End of Frame", it adds \
        0.9 intervals to the stamp and leaves out the flag.
        """
    )
  ]

  /// The evidence for a device; nil if there is none.
  static func of(driver: String, card: String) -> ExposureStartEvidence? {
    list.first { $0.driver == driver && ($0.card ?? card) == card }
  }
}
