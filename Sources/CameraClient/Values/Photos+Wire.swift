package import CameraProtocol
import SwiftProtobuf
import Words

// How the wire's messages become the values that users see: what is made of photos.

extension CaptureSettings {
  package init(_ wire: WireCaptureSettings) {
    self.init(
      files: wire.files.map { file in
        File(
          mediaType: file.mediaType,
          size: file.hasSize ? FrameSize(file.size) : nil,
          quality: file.quality == 0 ? nil : Int(file.quality),
          isPassthrough: file.passthrough)
      },
      pictures: Int(wire.pictures),
      orientation: Orientation(wire.orientation),
      hasOrientationTag: wire.orientationTag,
      prioritization: PhotoPrioritization(wire.prioritization),
      hasZeroShutterLag: wire.zeroShutterLag,
      isDeferred: wire.deferred,
      flash: FlashMode(wire.flash),
      depthCamera: wire.depthCamera.isEmpty ? nil : wire.depthCamera)
  }
}

extension RawLayout {
  package init(_ wire: WireRawLayout) {
    self.init(
      pixelFormat: wire.pixelFormat,
      size: FrameSize(wire.size),
      bytesPerLine: Int(wire.bytesPerLine),
      colorRange: FrameFacts.ColorRange(wire.colorRange),
      colorMatrix: FrameFacts.ColorMatrix(wire.colorMatrix))
  }
}

extension ProcessedFile {
  package init(_ wire: WireCaptureProgress) {
    self.init(
      mediaType: wire.mediaType.isEmpty ? MediaType.jpeg.rawValue : wire.mediaType,
      byteCount: Int(clamping: wire.byteCount),
      number: Int(max(1, wire.file)),
      isProxy: wire.proxy,
      part: AssetPart(wire.part))
  }
}

extension WireCaptureResult {
  /// The files of each picture, also where the result is of a single one.
  var allPictures: [WireCapturedPicture] {
    guard pictures.isEmpty else { return pictures }
    let file = WirePhotoFile.with {
      $0.mediaType = mediaType
      if hasAsset { $0.asset = asset }
      $0.sha256 = sha256
      $0.byteCount = byteCount
      if hasLayout { $0.layout = layout }
    }
    return [
      .with {
        $0.resolved = resolved
        $0.files = [file]
      }
    ]
  }

  /// The assets of all pictures and of their depth, without those that have no id, and that of the
  /// movie.
  package var assets: [Asset] {
    let pictures = allPictures.flatMap { picture in
      (picture.files + [picture.depth.map, picture.depth.matte]).compactMap {
        $0.hasAsset ? Asset($0.asset) : nil
      }
    }
    let film = movie.hasAsset ? Asset(movie.asset) : nil
    return pictures + [film].compactMap(\.self)
  }
}
