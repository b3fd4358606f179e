import EventLoop
import Imaging
import OperatingSystem

/// Takes single frames in another format than the stream's, while that rests. Confined to the
/// session's thread.
final class StillCapture {
  /// How long the photo's format has to deliver a settled frame, and the stream to go on.
  fileprivate static let (settlingTime, returnTime) = (Duration.seconds(3), Duration.seconds(2))

  private let access: ControlAccess
  /// Whether the device is used for such a photo.
  private(set) var isTaking = false

  init(_ access: ControlAccess) { self.access = access }

  /// The stream is about to rest.
  /// - Returns: The time of its last frame, and its brightness if it has settled.
  func begin() -> (last: MonotonicTime, brightness: Double?) {
    isTaking = true
    let pipeline = access.pipeline
    // A stream that has just begun may have no frame yet, and has not settled itself.
    guard let newest = pipeline.loop.performAndWait({ pipeline.ring.newest }) else {
      return (.now, nil)
    }
    let isSettled = newest.metadata.sequence > SettledPictures.most
    return (
      newest.metadata.timestamp,
      isSettled ? access.meter.grids(of: [newest]).first?.brightness : nil
    )
  }

  /// The stream is about to go on.
  func end() { isTaking = false }

  /// Opens the device for one frame.
  /// - Parameters:
  ///   - brightness: That of the stream, if it is known.
  ///   - restoreControls: Gives the open device its controls.
  func frame(
    in wanted: FormatRequest, expecting brightness: Double?, until deadline: MonotonicTime,
    restoreControls: () -> Void
  ) throws(CaptureError) -> Frame {
    let (input, pipeline, device) = (access.input, access.pipeline, access.input.device)
    try device.open()
    let format: StreamFormat
    do throws(CaptureError) {
      format = try input.configure(wanted)
      restoreControls()
      try device.startStreaming()
    } catch {
      device.close()
      throw error
    }
    defer { input.close() }
    let encoders = pipeline.encoders
    let settled = MonotonicTime.now + Self.settlingTime
    let (limit, silence) =
      deadline < settled
      ? (deadline, .deadlineExceeded) : (settled, CaptureError.noStill(in: wanted))
    let result: Result<Frame, CaptureError> = pipeline.loop.performAndWait { answer in
      let taker = StillTaker(
        format, crop: pipeline.crop, expecting: brightness, encoders: encoders, loop: pipeline.loop,
        limit: limit, silence: silence
      ) { result in
        // Not while the device is about to deliver.
        pipeline.loop.perform {
          device.detach()
          answer(result)
        }
      }
      device.attach(to: pipeline.loop, receiver: taker)
    }
    return try result.get()
  }

  /// Waits for the first frame of the stream that has just begun.
  func firstFrame() -> MonotonicTime? {
    let pipeline = access.pipeline
    return pipeline.loop.performAndWait { answer in
      let first = FirstFrame(of: pipeline, limit: .now + Self.returnTime, answer)
      first.begin()
    }
  }
}

extension CaptureError {
  fileprivate static func noStill(in wanted: FormatRequest) -> CaptureError {
    CaptureError(
      .deviceFailed,
      "the camera gave no frame of \(wanted.summary) for the photo in "
        + "\(StillCapture.settlingTime.components.seconds) s: try again, or take the photo in the stream's size"
    )
  }
}

/// Waits for one frame.
private final class FirstFrame: FrameConsumer {
  private let pipeline: FramePipeline
  private let limit: MonotonicTime
  private let onEnd: (MonotonicTime?) -> Void
  private var timer: LoopTimer?

  init(
    of pipeline: FramePipeline, limit: MonotonicTime, _ onEnd: @escaping (MonotonicTime?) -> Void
  ) {
    (self.pipeline, self.limit, self.onEnd) = (pipeline, limit, onEnd)
  }

  func begin() {
    if let frame = pipeline.ring.newest { return onEnd(frame.metadata.timestamp) }
    pipeline.add(self)
    timer = pipeline.loop.schedule(at: limit) { [self] in end(nil) }
  }

  func receive(_ frame: Frame) { end(frame.metadata.timestamp) }

  private func end(_ time: MonotonicTime?) {
    guard let timer else { return }
    timer.cancel()
    self.timer = nil
    pipeline.remove(self)
    onEnd(time)
  }
}
