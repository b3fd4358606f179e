import Imaging
import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import Digest
import Foundation
import MediaLibrary

/// A photo that somebody asked for.
struct CaptureJob: Sendable {
  var camera: CameraService
  var ticket: UInt64
  /// Photos up to this size come with the reply, bytes.
  var inlineLimit: Int
  var isTransient: Bool
  /// Its frame is chosen: it must not be taken again.
  var isExposed = false
}

extension ControlService {
  /// Captures of one camera under way: beside those that wait for their frame or are made a JPEG,
  /// which `PhotoOutput` bounds, there are some on their way to the disk. All of them hold a frame.
  static let maximumCaptures = 32

  func capture(
    _ body: WireCaptureRequest,
    id: RequestID,
    asked: MonotonicTime,
    deadline: MonotonicTime
  ) {
    guard let camera = camera(body.camera, for: id) else { return }
    let underWay = captures.values.count { $0.camera === camera }
    guard underWay < Self.maximumCaptures else {
      return fail(
        id, CaptureError(.overloaded, "\(underWay) photos are under way: wait for one to be stored")
      )
    }
    lastTicket += 1
    let job = CaptureJob(
      camera: camera,
      ticket: lastTicket,
      inlineLimit: min(Int(body.inlineLimit), WireLimits.inlineByteCount),
      isTransient: body.transient
    )
    captures[id] = job
    // Whoever has heard that the camera is interrupted gets no frame of before, though its stream
    // may be about to end.
    guard case .running = camera.sessionStatus.state else {
      return endCapture(
        id, job,
        CaptureError(.notRunning, "the camera's session is not running: start it first"))
    }
    let request = PhotoRequest(
      ticket: job.ticket,
      timing: PhotoTiming(body, asked: asked),
      asked: asked,
      deadline: deadline,
      quality: body.quality == 0 ? 90 : Int(body.quality)
    ) { [weak self] step in
      self?.enter { $0.captureStep(step, of: id) }
    }
    frameLoop.perform { camera.pipeline.capture(request) }
  }

  private func captureStep(_ step: PhotoRequest.Step, of id: RequestID) {
    guard let job = captures[id] else { return }
    switch step {
    case .willBegin: report(.willBegin, nil, of: id, job)
    case .willCapture: report(.willCapture, nil, of: id, job)
    case .captured(let resolved):
      captures[id]?.isExposed = true
      report(.didCapture, resolved, of: id, job)
    case .processed(let resolved, let picture): processed(resolved, picture, of: id, job)
    case .failed(let error): endCapture(id, job, error)
    }
  }

  private func report(
    _ step: WireCaptureProgress.Step,
    _ resolved: ResolvedPhoto?,
    picture: Frame? = nil,
    of id: RequestID,
    _ job: CaptureJob
  ) {
    let progress = WireCaptureProgress.with {
      $0.step = step
      if let resolved { $0.resolved = WireResolvedCapture(resolved) }
      if let picture { $0.byteCount = UInt64(picture.byteCount) }
    }
    // In memory of its own: a client that does not read it must not hold the camera's.
    let attachment = picture.flatMap { $0.byteCount <= job.inlineLimit ? $0.bytes : nil }
    self.progress(id, .captureProgress(progress), attachment: attachment, isKept: job.isTransient)
    publish(
      .capture(
        .with {
          $0.requestID = id.data
          $0.progress = progress
        }
      ),
      .capture,
      of: job.camera
    )
  }

  private func processed(
    _ resolved: ResolvedPhoto,
    _ picture: Frame,
    of id: RequestID,
    _ job: CaptureJob
  ) {
    if job.isTransient, picture.byteCount > job.inlineLimit {
      return endCapture(
        id,
        job,
        CaptureError(
          .invalidArgument,
          "the photo has \(picture.byteCount) bytes and may not be kept nor sent: raise inline_limit",
          field: "capture.inline_limit"
        )
      )
    }
    let photo = AssetDescription(
      camera: job.camera.name,
      mediaType: .jpeg,
      width: resolved.size.width,
      height: resolved.size.height,
      createdAt: resolved.metadata.timestamp.nanoseconds + resolved.metadata.wallClock.offset,
      requestID: id.bytes
    )
    let isTransient = job.isTransient
    library.perform { (library) throws(MediaLibraryError) in
      isTransient
        ? StoredPhoto(asset: nil, sha256: picture.withBytes { SHA256.hash(of: $0) })
        : StoredPhoto(try library.storePhoto(picture, photo))
    } then: { [self] result in
      enter { service in
        switch result {
        case .success(let stored):
          service.endCapture(id, job, WireCaptureResult(resolved, stored, picture.byteCount))
        case .failure(let error):
          service.endCapture(id, job, CaptureError(error))
        }
      }
    }
    // While the library is at it; what comes of that is told here, and so later.
    report(.didProcess, resolved, picture: picture, of: id, job)
  }

  private func endCapture(_ id: RequestID, _ job: CaptureJob, _ result: WireCaptureResult) {
    captures[id] = nil
    defer { workEnded() }
    finish(id, .capture(result), isDone: true)
    publish(
      .capture(
        .with {
          $0.requestID = id.data
          $0.completed = result
        }
      ),
      .capture,
      of: job.camera
    )
  }

  private func endCapture(_ id: RequestID, _ job: CaptureJob, _ error: CaptureError) {
    captures[id] = nil
    defer { workEnded() }
    fail(id, error, isDone: job.isExposed)
    publish(
      .capture(
        .with {
          $0.requestID = id.data
          $0.failed = WireError(error)
        }
      ),
      .capture,
      of: job.camera
    )
  }
}

/// A finished photo: in the library, or only told of.
struct StoredPhoto: Sendable {
  var asset: Asset?
  var sha256: SHA256Digest

  init(asset: Asset?, sha256: SHA256Digest) {
    self.asset = asset
    self.sha256 = sha256
  }

  init(_ asset: Asset) {
    self.init(asset: asset, sha256: asset.sha256)
  }
}

extension WireCaptureResult {
  init(_ resolved: ResolvedPhoto, _ photo: StoredPhoto, _ byteCount: Int) {
    self.init()
    self.resolved = WireResolvedCapture(resolved)
    if let asset = photo.asset { self.asset = WireAsset(asset) }
    sha256 = Data(photo.sha256.bytes)
    self.byteCount = UInt64(byteCount)
  }
}
