import CameraProtocol
import Capture
import Digest
import FoundationEssentials
import Imaging
import MediaLibrary
import SwiftProtobuf

/// A finished file of a photo: an asset of the library, or only its digest if it is transient.
struct StoredPhoto {
  private let format: PhotoFormat
  private let size: ImageSize
  private let byteCount: Int
  private let layout: RawLayout?
  private let asset: Asset?
  private let sha256: SHA256Digest

  init(_ file: PhotoFile, sha256: SHA256Digest) {
    self.init(file, nil, sha256)
  }

  init(_ file: PhotoFile, _ asset: Asset) {
    self.init(file, asset, asset.sha256)
  }

  private init(_ file: PhotoFile, _ asset: Asset?, _ sha256: SHA256Digest) {
    format = file.format
    size = file.size
    byteCount = file.byteCount
    layout = file.layout.map { RawLayout($0) }
    self.asset = asset
    self.sha256 = sha256
  }

  fileprivate var wireLayout: WireRawLayout? {
    layout.map { WireRawLayout($0, width: size.width, height: size.height) }
  }

  fileprivate var wire: WirePhotoFile {
    .with {
      $0.mediaType = format.mediaType.rawValue
      if let asset { $0.asset = WireAsset(asset) }
      $0.sha256 = Data(sha256.bytes)
      $0.byteCount = UInt64(byteCount)
      $0.size = WireSize(size)
      if let wireLayout { $0.layout = wireLayout }
    }
  }

  fileprivate func fill(_ result: inout WireCaptureResult) {
    if let asset { result.asset = WireAsset(asset) }
    result.sha256 = Data(sha256.bytes)
    result.byteCount = UInt64(byteCount)
    result.mediaType = format.mediaType.rawValue
    if let wireLayout { result.layout = wireLayout }
  }
}

/// The pictures of a request and their files, as they become finished in any order.
struct StoredPictures {
  private let fileCount: Int
  private var pictures: [(resolved: ResolvedPhoto, files: [StoredPhoto?])?]
  /// Files that are still to come.
  private(set) var rest: Int

  init(_ order: PhotoOrder) {
    fileCount = order.immediate.files.count
    pictures = Array(repeating: nil, count: order.pictures)
    rest = order.pictures * fileCount
  }

  /// How many files are finished.
  var count: Int { pictures.count * fileCount - rest }
  /// How many there will be.
  var total: Int { pictures.count * fileCount }

  mutating func add(_ file: StoredPhoto, _ index: Int, of resolved: ResolvedPhoto) {
    let place = resolved.picture - 1
    var picture = pictures[place] ?? (resolved, Array(repeating: nil, count: fileCount))
    picture.files[index] = file
    pictures[place] = picture
    rest -= 1
  }

  /// Once no file is still to come.
  func result(of camera: Camera) -> WireCaptureResult {
    .with { result in
      guard let first = pictures.first ?? nil else { return }
      result.resolved = WireResolvedCapture(first.resolved, of: camera)
      first.files.first??.fill(&result)
      guard total > 1 else { return }
      result.pictures = pictures.compactMap { picture in
        picture.map { picture in
          .with {
            $0.resolved = WireResolvedCapture(picture.resolved, of: camera)
            $0.files = picture.files.compactMap { $0?.wire }
          }
        }
      }
    }
  }
}
