import EventLoop
import Imaging
package import OperatingSystem

extension CaptureSession {
  /// Makes one attempt: opens the device, sets its format and controls, and starts the stream.
  func open() throws(FailedAttempt) {
    var record = AttemptRecord(at: .now)
    var isOpen = false
    do throws(CaptureError) {
      record.begin("open \(device.identification.location)")
      try device.open()
      record.did("opened \(device.identification.location)")
      isOpen = true
      for remark in device.remarks { report.send(.remark(remark)) }
      recall()
      let format = try configure(&record)
      if let outcome = restoreControls() { record.did(outcome) }
      record.begin("start streaming")
      try input.startStreaming()
      record.did("started streaming")
      beginning.formatWorks()
      started(format, record.attempt)
    } catch {
      device.close()
      if isOpen, giveFormatUp(because: error) { return try open() }
      throw FailedAttempt(cause: error, attempt: record.attempt)
    }
  }

  /// Sets the format in which the device ran last, or the requested one if the device no longer has
  /// that.
  private func configure(_ record: inout AttemptRecord) throws(CaptureError) -> StreamFormat {
    let asked = setup.request
    guard let before = setup.lastFormat else { return try configure(asked, &record) }
    do throws(CaptureError) {
      var same = record
      let format = try configure(FormatRequest(same: before), &same)
      record = same
      return format
    } catch  where error.code == .unsupportedFormat {
      let format = try configure(asked, &record)
      report.send(
        .remark("the camera came back without \(before.summary) and runs at \(format.summary)"))
      return format
    }
  }

  private func configure(
    _ request: FormatRequest, _ record: inout AttemptRecord
  ) throws(CaptureError) -> StreamFormat {
    record.begin("set \(request.summary)")
    let format = try input.configure(request)
    record.did("set \(format.summary)")
    return format
  }

  /// All formats of the device, with those that it cannot deliver at the end.
  package func listedFormats() throws(CaptureError) -> [CameraFormat] {
    try input.withOpen { (device) throws(CaptureError) in
      try device.formats() + device.otherFormats()
    }
  }

  // MARK: Waiting for the driver

  /// Runs `body` on the session's thread and waits for it, but no longer than the session can wait
  /// for its driver: a call that does not come back is the error. A `body` that has not begun by
  /// then is not run; one that has ends when the driver lets it.
  /// - Throws: What `body` throws; `deviceStalled`.
  package nonisolated func run<R: Sendable>(
    _ body: @escaping @Sendable (isolated CaptureSession) async throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      let answer = FirstAnswer(continuation)
      do throws(CaptureError) {
        let number = try callWatch.add { answer.give(.failure($0)) }
        // A child task could not be left behind.
        Task(executorPreference: loop) {
          await self.answer(answer, body)
          self.callWatch.remove(number)
        }
      } catch {
        answer.give(.failure(error))
      }
    }
  }

  private func answer<R: Sendable>(
    _ answer: FirstAnswer<R, any Error>, _ body: (isolated CaptureSession) async throws -> R
  ) async {
    guard answer.isAwaited else { return }
    do {
      answer.give(.success(try await body(self)))
    } catch {
      answer.give(.failure(error))
    }
  }

  /// The session will be stopped for good. A driver that has not let it stop at that moment is left
  /// alone. Can be called on any thread.
  package nonisolated func giveUp(at moment: MonotonicTime) {
    let pipeline = pipeline
    callWatch.giveUp(at: moment) {
      pipeline.end(CaptureError(.interrupted, "the node stops: ask again when it runs again"))
    }
  }
}

extension FormatRequest {
  /// Requests exactly this format.
  fileprivate init(same format: StreamFormat) {
    self.init(
      pixelFormat: format.devicePixelFormat,
      size: format.layout.size,
      framesPerSecond: format.frameRate?.framesPerSecond
    )
  }
}
