import Imaging
import OperatingSystem

extension CaptureSession {
  /// Makes one attempt: opens the device, sets its format and controls, and starts the stream.
  func open() throws(FailedAttempt) {
    var record = AttemptRecord(at: .now)
    var isOpen = false
    do throws(CaptureError) {
      try step("open \(device.identification.location)", &record) { () throws(CaptureError) in
        try device.open()
        return ((), "opened \(device.identification.location)")
      }
      isOpen = true
      for remark in device.remarks { report.send(.remark(remark)) }
      recall()
      let format = try configure(&record)
      if let outcome = restoreControls() { record.did(outcome) }
      try step("start streaming", &record) { () throws(CaptureError) in
        try device.startStreaming()
        return ((), "started streaming")
      }
      attach(format)
    } catch {
      device.close()
      if isOpen, giveFormatUp(because: error) { return try open() }
      throw FailedAttempt(cause: error, attempt: record.attempt)
    }
    beginning.formatWorks()
    started(record.attempt)
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
    try step("set \(request.summary)", &record) { () throws(CaptureError) in
      let format = try input.configure(request)
      return (format, "set \(format.summary)")
    }
  }

  /// All formats of the device, with those that it cannot deliver at the end.
  package func listedFormats() throws(CaptureError) -> [CameraFormat] {
    try input.withOpen { (device) throws(CaptureError) in
      try device.formats() + device.otherFormats()
    }
  }

  /// Makes one step of an attempt. `body` returns its result and the words for what it did.
  private func step<R>(
    _ words: String, _ record: inout AttemptRecord,
    _ body: () throws(CaptureError) -> (R, String)
  ) throws(CaptureError) -> R {
    record.begin(words)
    let (result, done) = try body()
    record.did(done)
    return result
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
