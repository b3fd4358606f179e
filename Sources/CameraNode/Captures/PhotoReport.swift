import CameraProtocol
import Capture
import Imaging
import MediaLibrary
import Words

/// Reports the steps of a request for photos to the client and the monitors.
@ControlLoop struct PhotoReport {
  let job: CaptureJob
  let events: EventsService

  private var camera: Camera { job.camera }
  private var order: PhotoOrder { job.order.photos }

  func willBegin(_ plan: PhotoPlan) {
    send(.willBegin) {
      $0.settings = WireCaptureSettings(plan)
      $0.settings.depthCamera = job.depth?.name ?? ""
    }
  }

  func willCapture(_ picture: Int) {
    send(.willCapture) { $0.picture = number(picture) }
  }

  func didCapture(_ resolved: ResolvedPhoto) {
    send(.didCapture) {
      $0.resolved = WireResolvedCapture(resolved, of: camera)
      $0.picture = number(resolved.picture)
    }
  }

  /// - Parameter source: The camera whose frame it is.
  func didProcess(
    _ resolved: ResolvedPhoto, _ file: PhotoFile, _ index: Int, of source: Camera
  ) {
    // Send a copy, so that a client that does not read it does not hold the camera's memory.
    let bytes =
      job.order.isInline(file)
      ? file.withBytes { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } } : nil
    send(.didProcess, ofCamera: source, attachment: bytes) {
      $0.resolved = WireResolvedCapture(resolved, of: source)
      $0.picture = number(resolved.picture)
      $0.byteCount = UInt64(file.byteCount)
      $0.mediaType = file.format.mediaType.rawValue
      $0.part = WireAssetPart(AssetPart(file.part))
      if file.part == .picture, order.immediate.files.count > 1 { $0.file = UInt32(index + 1) }
      $0.proxy = order.isDeferred
    }
  }

  /// The movie of a live photo gets no more frames.
  func didRecordMovie(_ resolved: ResolvedPhoto) {
    send(.didRecordMovie) { $0.resolved = WireResolvedCapture(resolved, of: camera) }
  }

  /// A picture's number, if there are several; 0 for the only one.
  private func number(_ picture: Int) -> UInt32 { order.pictures > 1 ? UInt32(picture) : 0 }

  /// - Parameter source: Whose monitors are told; nil for those of the request's camera. Those of
  ///   the depth camera may be others.
  private func send(
    _ step: WireCaptureProgress.Step, ofCamera source: Camera? = nil, attachment: [UInt8]? = nil,
    _ fill: (inout WireCaptureProgress) -> Void
  ) {
    var progress = WireCaptureProgress()
    progress.step = step
    fill(&progress)
    // A retry gets the steps of a transient photo again, because nothing else keeps the picture.
    job.call.progress(
      .captureProgress(progress), attachment: attachment, isKept: job.order.isTransient)
    events.publish(
      captureOf: job.call.id, .progress(progress), ofCamera: (source ?? camera).name)
  }
}
