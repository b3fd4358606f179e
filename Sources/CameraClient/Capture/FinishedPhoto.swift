import CameraProtocol
import Digest
import OperatingSystem

/// A photo that the node has finished, and whose files are still to be fetched.
struct FinishedPhoto {
  fileprivate struct File {
    var mediaType: String
    /// Nil for one that is not kept.
    var asset: Asset?
    var sha256: String
    var layout: RawLayout?
  }

  private let requestID: Identifier
  private let resolved: ResolvedCapture?
  private let files: [File]

  /// The photos of a result.
  /// - Throws: `protocolViolation` if they are not those that were asked for.
  static func all(
    _ result: WireCaptureResult, _ requestID: Identifier, _ order: CaptureOrder, of camera: Camera
  ) throws(CameraBusError) -> [FinishedPhoto] {
    let pictures = result.allPictures
    guard pictures.count == order.pictures,
      pictures.allSatisfy({ $0.files.count == order.settings.fileCount })
    else { throw .unexpectedReply }
    var photos: [FinishedPhoto] = []
    for (index, picture) in pictures.enumerated() {
      let files = try picture.files.map { (file) throws(CameraBusError) in
        try File(file, requestID, of: camera, isProxy: order.settings.isDeferred)
      }
      let number = pictures.count > 1 ? UInt32(index + 1) : 0
      photos.append(
        FinishedPhoto(
          requestID: requestID, resolved: ResolvedCapture(picture.resolved, picture: number),
          files: files))
    }
    return photos
  }

  /// A photo whose files are in the library.
  /// - Parameter resolved: Nil if only the library knows of it.
  init(_ requestID: Identifier, _ resolved: ResolvedCapture? = nil, assets: [Asset]) {
    self.init(requestID: requestID, resolved: resolved, files: assets.map(File.init))
  }

  private init(requestID: Identifier, resolved: ResolvedCapture?, files: [File]) {
    self.requestID = requestID
    self.resolved = resolved
    self.files = files
  }

  /// Fetches the files' bytes.
  /// - Parameter picture: the one that came with a step, if one did: the only file.
  func fetch(
    from bus: CameraBus, _ picture: (data: [UInt8], sha256: SHA256Digest)? = nil
  ) async throws(CameraBusError) -> Photo {
    var fetched: [PhotoFile] = []
    for file in files {
      let data: [UInt8]
      if let picture {
        guard picture.sha256.description == file.sha256 else {
          throw .hashMismatch("the photo")
        }
        data = picture.data
      } else if let asset = file.asset {
        data = try await bus.picture(of: asset)
      } else {
        throw .protocolViolation("the node sent a photo without its bytes")
      }
      fetched.append(
        PhotoFile(
          mediaType: file.mediaType, data: data, asset: file.asset, sha256: file.sha256,
          layout: file.layout))
    }
    return Photo(requestID: requestID, resolved: resolved, files: fetched)
  }
}

extension FinishedPhoto.File {
  fileprivate init(
    _ wire: WirePhotoFile, _ requestID: Identifier, of camera: Camera, isProxy: Bool
  ) throws(CameraBusError) {
    asset = wire.hasAsset ? Asset(wire.asset) : nil
    sha256 = Array(wire.sha256).hexadecimal
    layout = wire.hasLayout ? RawLayout(wire.layout) : nil
    mediaType = wire.mediaType.isEmpty ? "image/jpeg" : wire.mediaType
    guard wire.hasAsset || isProxy else { return }
    guard let asset, asset.requestID == requestID, asset.camera == camera.name,
      asset.sha256 == sha256, asset.isProxy == isProxy
    else { throw .unexpectedReply }
  }

  fileprivate init(_ asset: Asset) {
    mediaType = asset.mediaType
    self.asset = asset
    sha256 = asset.sha256
    layout = asset.layout
  }
}
