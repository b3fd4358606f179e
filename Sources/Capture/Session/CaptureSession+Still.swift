import EventLoop
import Imaging
package import OperatingSystem

extension CaptureSession {
  /// How long the photo's format has to deliver a settled frame, and the stream to go on.
  static let (settlingTime, returnTime) = (Duration.seconds(3), Duration.seconds(2))

  /// The format for a photo of the largest size.
  /// - Returns: nil if the stream has frames as large.
  package func stillFormat() throws(CaptureError) -> FormatRequest? {
    guard let running = format,
      let choice = CameraCapabilities.still(of: try device.formats(), besides: running)
    else { return nil }
    return FormatRequest(
      pixelFormat: choice.pixelFormat, size: choice.size,
      framesPerSecond: choice.frameRates.first?.framesPerSecond)
  }

  /// Ends the stream, takes a settled frame in another format, and lets the stream go on as it was.
  /// It blocks meanwhile, so that nothing comes between. Photos that wait for a frame wait on.
  /// - Parameter deadline: when nobody waits for the photo any more.
  /// - Throws: the session's error if it does not run; the device's, in which case the stream goes
  ///   on too, if it can.
  package func still(
    in wanted: FormatRequest, until deadline: MonotonicTime
  ) throws(CaptureError) -> StillFrame {
    guard machine.state == .running else {
      throw machine.state.failure?.error
        ?? CaptureError(.notRunning, "the camera does not run: start its session")
    }
    try device.check(wanted)
    let pipeline = pipeline
    // A stream that has just begun may have no frame yet, and has not settled itself.
    let newest = pipeline.loop.performAndWait { pipeline.ring.newest }
    let last = newest?.metadata.timestamp ?? .now
    let isSettled = (newest?.metadata.sequence ?? 0) > SettledPictures.most
    let brightness = isSettled ? newest.flatMap { meter.grids(of: [$0]).first?.brightness } : nil
    let moving = ramp
    isTakingStill = true
    interruptStream()
    let result: Result<Frame, CaptureError>
    do throws(CaptureError) {
      result = .success(try frame(in: wanted, expecting: brightness, until: deadline))
    } catch {
      result = .failure(error)
    }
    isTakingStill = false
    attempt()
    let first = machine.state == .running ? firstFrame() : nil
    resume(moving)
    let frame = try result.get()
    return StillFrame(frame: frame, gap: ((first ?? .now) - last).wholeNanoseconds)
  }

  /// Opens the device for one frame.
  private func frame(
    in wanted: FormatRequest, expecting brightness: Double?, until deadline: MonotonicTime
  ) throws(CaptureError) -> Frame {
    let device = device
    try device.open()
    let format: StreamFormat
    do throws(CaptureError) {
      format = try input.configure(wanted)
      _ = restoreControls()
      try device.startStreaming()
    } catch {
      device.close()
      throw error
    }
    defer { closeDevice() }
    let (pipeline, encoders) = (pipeline, pipeline.encoders)
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
  private func firstFrame() -> MonotonicTime? {
    let pipeline = pipeline
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
        + "\(CaptureSession.settlingTime.components.seconds) s: try again, or take the photo in the stream's size"
    )
  }
}

/// Waits for one frame.
// @unchecked: confined to the frame loop.
private final class FirstFrame: FrameConsumer, @unchecked Sendable {
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
