import EventLoop

/// The node zooms by cropping where the device has no zoom.
extension CaptureSession {
  /// The present value of a control of the driver's, or of a zoom that the node makes.
  func value(of control: ControlID) throws(CaptureError) -> ControlValue {
    // Without a stream there is no crop, and the next one gets it again.
    control == .zoom
      ? .number(pipeline.crop ?? wantedCrop ?? 1) : try device.value(of: control)
  }

  /// Sets a control of the driver's, or a zoom that the node makes.
  /// - Returns: the value that took effect.
  func setValue(
    _ value: ControlValue, of control: ControlID
  ) throws(CaptureError) -> ControlValue {
    guard control == .zoom, case .number(let factor) = value else {
      return try device.setValue(value, of: control)
    }
    crop(by: factor)
    return value
  }

  /// Keeps the zoom of a device that was opened, if the node makes it.
  func keepCrop() {
    crop(by: meanings?.makesZoom == true ? pipeline.crop ?? 1 : nil)
  }

  /// Zooms as clients want it of the present device.
  func cropAsWanted() { crop(by: wantedCrop) }

  private var wantedCrop: Double? {
    let wanted = ledger.settings.last { $0.control == .zoom }
    return if case .number(let factor)? = wanted?.value { factor } else { nil }
  }

  private func crop(by factor: Double?) {
    guard factor != pipeline.crop else { return }
    let pipeline = pipeline
    pipeline.loop.performAndWait { pipeline.crop(by: factor) }
    noteZoom()
  }

  /// Reports what the camera can do if the zoom that the node makes has begun or ended: photos are
  /// not the camera's own pictures meanwhile.
  func noteZoom() {
    guard let reported = report.capabilities, reported.isWhole == pipeline.isCropping else {
      return
    }
    reportCapabilities()
  }
}
