import CameraProtocol
import Capture
import FoundationEssentials
import Imaging
import MediaLibrary
import SwiftProtobuf

/// Makes and stores the files of a photo that was taken before.
struct DeferredMaker: Sendable {
  /// A photo that another version of the node has kept, and that stays kept.
  struct ForeignPhoto: Error {
    let reason: CaptureError
  }

  private let library: MediaLibrary

  init(_ library: MediaLibrary) {
    self.library = library
  }

  /// Goes on where an earlier try has ended.
  /// - Throws: `ForeignPhoto`; `CaptureError` if a file cannot be made, or the node stops;
  ///   `MediaLibraryError` if one cannot be stored, `noSuchAsset` if the proxy was deleted.
  func make(_ entry: DeferredEntry, by encoders: EncoderPool) async throws -> WireCapturedPicture {
    guard let bytes = try await library.beginDeferred(entry) else { throw CaptureError.isGone }
    let photo = DeferredPhoto(bytes)
    if let reason = photo.foreignness { throw ForeignPhoto(reason: reason) }
    let development = try await encoders.develop(photo)
    let present = try await library.replacements(of: entry.id)
    // What was kept is deleted in the end, so the files may be in its place.
    var freed = entry.byteCount - present.reduce(0) { $0 + $1.byteCount }
    var picture = WireCapturedPicture()
    picture.resolved = WireResolvedCapture(
      development.resolved, calibrationID: development.facts.calibrationID)
    for (index, format) in development.files.enumerated() {
      if let asset = present.first(where: { $0.description.mediaType == format.mediaType }) {
        picture.files.append(WirePhotoFile(asset))
      } else {
        let file = try await encoders.file(index, of: development)
        var description = AssetDescription(
          file, development.resolved, of: entry.camera, request: entry.requestID)
        description.replaces = entry.id
        let asset = try await library.storePhoto(file, description, freeing: max(0, freed))
        freed -= asset.byteCount
        picture.files.append(WirePhotoFile(asset))
      }
    }
    return picture
  }
}

extension WirePhotoFile {
  fileprivate init(_ asset: Asset) {
    let wire = WireAsset(asset)
    self.init()
    self.asset = wire
    mediaType = wire.mediaType
    (sha256, byteCount, size) = (wire.sha256, wire.byteCount, wire.size)
    if wire.hasLayout { layout = wire.layout }
  }
}

extension CaptureError {
  fileprivate static var isGone: CaptureError {
    CaptureError(
      .storageFailed,
      "what was kept of the photo is gone from the disk, or damaged: its proxy is all there is")
  }
}
