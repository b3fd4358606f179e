import CameraProtocol
import Capture
import Imaging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf
import Words

extension CaptureOrder {
  /// - Parameter asked: When the node read the request.
  init(_ request: WireCaptureRequest, asked: MonotonicTime) {
    camera = request.camera
    timing = PhotoTiming(request, asked: asked)
    photos = PhotoOrder(request)
    depth = request.hasDepth ? PhotoOrder(depth: request) : nil
    flash = Flash(request.flash)
    bracket = request.bracket.shots.map { BracketShot($0) }
    isLargest = request.size == .maximum
    isLive = request.live
    isTransient = request.transient
    labels = AssetLabels(name: request.name, tags: request.tags)
    inlineByteCount = min(Int(request.inlineLimit), WireLimits.inlineByteCount)
  }
}

extension PhotoOrder {
  fileprivate init(_ request: WireCaptureRequest) {
    let outputs = request.outputs.isEmpty ? [WireCaptureRequest.Output()] : request.outputs
    self.init(
      outputs.map { output in
        let quality = output.quality == 0 ? request.quality : output.quality
        return PhotoFileOrder(
          PhotoFormat(output.format), quality: quality == 0 ? nil : Int(quality),
          isReencoded: output.reencode)
      })
    if request.hasBurst {
      pictures = Int(request.burst.pictures)
      every = UInt64(max(1, request.burst.every))
    }
    if request.hasBracket { pictures = request.bracket.shots.count }
    prioritization = PhotoPrioritization(request.prioritization)
    orientation = OrientationChange(request.orientation)
    hasOrientationTag = request.orientationTag
    isDeferred = request.deferred
    if request.toleranceNs > 0 { tolerance = Int64(clamping: request.toleranceNs) }
    if request.hasDimensions {
      dimensions = ImageSize(
        width: Int(request.dimensions.width), height: Int(request.dimensions.height))
    }
  }
}

extension PhotoFormat {
  var mediaType: MediaType {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .dng: .dng
    case .avif: .avif
    case .heic: .heic
    case .raw: .raw
    }
  }
}

extension WireCaptureSettings {
  init(_ plan: PhotoPlan) {
    self.init()
    files = plan.files.map { file in
      .with {
        $0.mediaType = file.format.mediaType.rawValue
        if let size = file.size { $0.size = WireSize(size) }
        $0.quality = UInt32(file.quality ?? 0)
        $0.passthrough = file.isPassthrough
      }
    }
    pictures = UInt32(plan.pictures)
    if plan.orientation != .upright { orientation = WireOrientation(plan.orientation) }
    orientationTag = plan.hasOrientationTag
    zeroShutterLag = plan.hasZeroShutterLag
    prioritization = WirePhotoPrioritization(plan.prioritization)
    deferred = plan.isDeferred
    flash = plan.hasFlash ? .on : .off
  }
}

extension RawLayout {
  init(_ layout: ImageLayout) {
    let hasColors = layout.pixelFormat.hasColorCodes
    self.init(
      pixelFormat: layout.pixelFormat.name,
      bytesPerLine: layout.bytesPerLine,
      range: hasColors ? (layout.range == .full ? .full : .limited) : nil,
      matrix: hasColors ? (layout.matrix == .bt601 ? .bt601 : .bt709) : nil)
  }
}

extension WireRawLayout {
  init(_ layout: RawLayout, width: Int, height: Int) {
    self.init()
    pixelFormat = layout.pixelFormat
    size = .with {
      $0.width = UInt32(clamping: width)
      $0.height = UInt32(clamping: height)
    }
    bytesPerLine = UInt32(clamping: layout.bytesPerLine)
    colorRange =
      switch layout.range {
      case .full: .full
      case .limited: .limited
      case nil: .unspecified
      }
    colorMatrix =
      switch layout.matrix {
      case .bt601: .bt601
      case .bt709: .bt709
      case nil: .unspecified
      }
  }
}

extension BracketShot {
  /// The shot was checked.
  fileprivate init(_ wire: WireCaptureRequest.Shot) {
    switch wire.kind {
    case .ev(let bias): self = .bias(bias)
    case .exposureNs(let time): self = .exposure(Int64(clamping: time))
    case .settings(let settings):
      self = .settings(settings.settings.map { CaptureSession.Setting($0) })
    case nil: self = .settings([])
    }
  }
}

extension WireResolvedShot {
  init(_ shot: ResolvedShot) {
    self.init()
    index = UInt32(shot.index)
    count = UInt32(shot.count)
    settings = shot.settings.map { WireControlsSetRequest.Setting($0) }
    evidence = WireControlEffect.Basis(shot.evidence)
  }
}

extension PhotoFile: ByteSource {}
