import EventLoop
import Imaging

extension CaptureSession {
  /// What the camera can do now.
  package func capabilities() throws(CaptureError) -> CameraCapabilities {
    let (formats, controls) = try input.withOpen { (device) throws(CaptureError) in
      (try device.formats(), try device.controls())
    }
    // The format in which it runs or starts again, thinned out as it is configured.
    let format = status.format
    let (pipeline, interval) = (pipeline, format?.frameRate?.interval)
    let orientation = (format?.layout.orientation ?? .upright).followed(
      by: configuration.orientations.capture)
    let (capacity, marks, keepsPictures) = pipeline.loop.performAndWait {
      let newest = pipeline.ring.newest
      return (
        pipeline.ring.capacity, newest?.metadata.marks,
        newest?.canTurn(orientation) ?? (orientation == .upright)
      )
    }
    let ring = CameraCapabilities.Ring(
      frames: capacity,
      duration: Int64(capacity - 1) * (interval ?? PipelineLimits.assumedInterval))
    return CameraCapabilities(
      formats: formats, format: format,
      orientation: orientation,
      keepsPictures: keepsPictures, isWhole: !pipeline.isCropping,
      controls: ControlMeanings(controls).controls,
      ring: machine.state == .running ? ring : nil,
      marks: marks, saysFacts: device.saysFacts,
      saysDeviceTime: device.saysDeviceTime, hasEncoder: pipeline.encoders.hasEncoder,
      hasFlash: FlashPlanner.canFire(controls))
  }

  /// Reports what the camera can do, if that is different from what was reported.
  func reportCapabilities() {
    if let capabilities = try? capabilities() { report.take(capabilities) }
  }
}
