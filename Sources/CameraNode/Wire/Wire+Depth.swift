import CameraProtocol
import Capture
import Imaging
import MediaLibrary

extension PhotoOrder {
  /// What becomes of the frames of distances that go with a request's pictures. The pixels of
  /// distances are not scaled.
  init(depth request: WireCaptureRequest) {
    var files = [PhotoFileOrder(.png)]
    files[0].part = .depth
    if request.depth.hasMatte {
      var matte = PhotoFileOrder(.png)
      // The distances were checked.
      let (near, far) = (request.depth.matte.nearM, request.depth.matte.farM)
      matte.part = .matte(DepthRange(near: near, far: far))
      files.append(matte)
    }
    self.init(files)
    orientation = OrientationChange(request.orientation)
    hasOrientationTag = request.orientationTag
  }
}

extension AssetPart {
  /// Nil for the picture itself.
  init?(_ part: PhotoPart) {
    switch part {
    case .picture: return nil
    case .depth: self = .depth
    case .matte: self = .matte
    }
  }
}

extension WireAssetPart {
  init(_ part: AssetPart?) {
    switch part {
    case nil: self = .unspecified
    case .depth: self = .depth
    case .matte: self = .matte
    case .live: self = .live
    }
  }
}

extension WireCaptureResult {
  /// What monitors of the camera are told: they need not be allowed to see its depth camera.
  var withoutDepth: WireCaptureResult {
    var result = self
    for index in pictures.indices { result.pictures[index].clearDepth() }
    return result
  }
}
