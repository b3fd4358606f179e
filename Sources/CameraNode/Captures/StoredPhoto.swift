import CameraProtocol
import Capture
import Digest
import FoundationEssentials
import Imaging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf
import Words

/// A finished file of a photo: an asset of the library, or only its digest if it is transient.
struct StoredPhoto {
  private let format: PhotoFormat
  private let size: ImageSize
  private let byteCount: Int
  private let layout: RawLayout?
  private let asset: Asset?
  private let sha256: SHA256Digest
  fileprivate let part: PhotoPart

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
    part = file.part
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
  private struct Picture {
    var resolved: ResolvedPhoto
    var files: [StoredPhoto?]
  }

  private let fileCount: Int
  private let depthCount: Int
  private var pictures: [Picture?]
  /// The files of the depth camera, of each picture.
  private var depths: [Picture?]
  /// Files that are still to come.
  private(set) var rest: Int

  init(_ order: CaptureOrder) {
    fileCount = order.photos.immediate.files.count
    depthCount = order.depth?.files.count ?? 0
    pictures = Array(repeating: nil, count: order.photos.pictures)
    depths = pictures
    rest = pictures.count * (fileCount + depthCount)
  }

  /// How many files are finished.
  var count: Int { total - rest }
  /// How many there will be.
  var total: Int { pictures.count * (fileCount + depthCount) }

  mutating func add(_ file: StoredPhoto, _ index: Int, of resolved: ResolvedPhoto) {
    let place = resolved.picture - 1
    if file.part == .picture {
      Self.add(file, index, to: &pictures[place], of: resolved, fileCount)
    } else {
      Self.add(file, index, to: &depths[place], of: resolved, depthCount)
    }
    rest -= 1
  }

  private static func add(
    _ file: StoredPhoto, _ index: Int, to picture: inout Picture?, of resolved: ResolvedPhoto,
    _ count: Int
  ) {
    var filled = picture ?? Picture(resolved: resolved, files: Array(repeating: nil, count: count))
    filled.files[index] = file
    picture = filled
  }

  /// Once no file is still to come.
  @ControlLoop func result(of camera: Camera, _ depthCamera: Camera?) -> WireCaptureResult {
    .with { result in
      guard let first = pictures.first ?? nil else { return }
      result.resolved = WireResolvedCapture(first.resolved, of: camera)
      first.files.first??.fill(&result)
      guard total > 1 else { return }
      result.pictures = zip(pictures, depths).compactMap { picture, depth in
        picture.map { picture in
          .with {
            $0.resolved = WireResolvedCapture(picture.resolved, of: camera)
            $0.files = picture.files.compactMap { $0?.wire }
            if let depthCamera, let depth { $0.depth = Self.depth(depth, of: depthCamera) }
          }
        }
      }
    }
  }

  @ControlLoop private static func depth(_ depth: Picture, of camera: Camera) -> WireDepthPicture {
    .with {
      $0.camera = camera.name
      $0.resolved = WireResolvedCapture(depth.resolved, of: camera)
      $0.differenceNs = depth.resolved.offset
      for case let file? in depth.files {
        if file.part == .depth { $0.map = file.wire } else { $0.matte = file.wire }
      }
    }
  }
}

extension AssetDescription {
  init(
    _ file: PhotoFile, _ photo: ResolvedPhoto, of camera: String, request: [UInt8]?,
    _ labels: AssetLabels = AssetLabels()
  ) {
    self.init(
      camera: camera,
      mediaType: file.format.mediaType,
      width: file.size.width,
      height: file.size.height,
      createdAt: photo.metadata.timestamp.nanoseconds + photo.metadata.wallClock.offset,
      requestID: request,
      layout: file.layout.map { RawLayout($0) },
      part: AssetPart(file.part),
      labels: labels)
  }
}
