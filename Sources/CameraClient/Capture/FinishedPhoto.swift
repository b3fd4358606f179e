import CameraProtocol
import Digest
import OperatingSystem
import Words

/// A photo that the node has finished, and whose files are still to be fetched.
struct FinishedPhoto {
  fileprivate struct File {
    var mediaType: String
    /// Nil for one that is not kept.
    var asset: Asset?
    var sha256: String
    var layout: RawLayout?
  }

  fileprivate struct Depth {
    var camera: String
    var resolved: ResolvedCapture?
    var difference: Duration?
    var map: File
    var matte: File?
  }

  private let requestID: Identifier
  private let resolved: ResolvedCapture?
  private let files: [File]
  private let depth: Depth?
  private let movie: LiveMovie?

  /// The photos of a result.
  /// - Throws: `protocolViolation` if they are not those that were asked for.
  static func all(
    _ result: WireCaptureResult, _ requestID: Identifier, _ order: CaptureOrder, of camera: Camera
  ) throws(CameraBusError) -> [FinishedPhoto] {
    let pictures = result.allPictures
    guard pictures.count == order.pictures,
      pictures.allSatisfy({ $0.files.count == order.settings.fileCount }),
      pictures.allSatisfy({ $0.hasDepth == (order.settings.depth != nil) })
    else { throw .unexpectedReply }
    let movie = result.hasMovie ? LiveMovie(result.movie) : nil
    guard (movie != nil) == order.settings.isLive,
      movie?.asset.map({ $0.requestID == requestID && $0.camera == camera.name && $0.part == .live }
      )
        ?? true
    else { throw .unexpectedReply }
    var photos: [FinishedPhoto] = []
    for (index, picture) in pictures.enumerated() {
      let files = try picture.files.map { (file) throws(CameraBusError) in
        try File(file, requestID, of: camera.name, isProxy: order.settings.isDeferred)
      }
      let number = pictures.count > 1 ? UInt32(index + 1) : 0
      let depth: Depth? =
        if let settings = order.settings.depth {
          try Depth(picture.depth, of: number, settings, requestID)
        } else {
          nil
        }
      photos.append(
        FinishedPhoto(
          requestID: requestID, resolved: ResolvedCapture(picture.resolved, picture: number),
          files: files, depth: depth, movie: movie))
    }
    return photos
  }

  /// A photo whose files are in the library.
  /// - Parameters:
  ///   - resolved: Nil if only the library knows of it.
  ///   - assets: Of the picture.
  ///   - map: Of the distances that go with it; nil for none.
  ///   - movie: That of a live photo.
  init(
    _ requestID: Identifier, _ resolved: ResolvedCapture? = nil, assets: [Asset],
    map: Asset? = nil, matte: Asset? = nil, movie: LiveMovie? = nil
  ) {
    self.init(
      requestID: requestID, resolved: resolved, files: assets.map(File.init),
      depth: map.map { Depth(camera: $0.camera, map: File($0), matte: matte.map(File.init)) },
      movie: movie)
  }

  private init(
    requestID: Identifier, resolved: ResolvedCapture?, files: [File], depth: Depth?,
    movie: LiveMovie?
  ) {
    self.requestID = requestID
    self.resolved = resolved
    self.files = files
    self.depth = depth
    self.movie = movie
  }

  /// Fetches the files' bytes.
  /// - Parameter picture: The one that came with a step, if one did: the only file.
  func fetch(
    from bus: CameraBus, _ picture: (data: [UInt8], sha256: SHA256Digest)? = nil
  ) async throws(CameraBusError) -> Photo {
    var fetched: [PhotoFile] = []
    for file in files { fetched.append(try await file.fetch(from: bus, picture)) }
    var photo = Photo(requestID: requestID, resolved: resolved, files: fetched)
    photo.movie = movie
    guard let depth else { return photo }
    photo.depth = DepthPicture(
      camera: depth.camera, resolved: depth.resolved, difference: depth.difference,
      map: try await depth.map.fetch(from: bus, nil))
    photo.depth?.matte = try await depth.matte?.fetch(from: bus, nil)
    return photo
  }
}

extension FinishedPhoto.Depth {
  fileprivate init(
    _ wire: WireDepthPicture, of picture: UInt32, _ settings: DepthSettings,
    _ requestID: Identifier
  ) throws(CameraBusError) {
    guard wire.hasMap, wire.map.hasAsset, wire.hasMatte == (settings.matte != nil),
      !wire.hasMatte || wire.matte.hasAsset
    else { throw .unexpectedReply }
    camera = wire.camera
    resolved = ResolvedCapture(wire.resolved, picture: picture)
    difference = .nanoseconds(wire.differenceNs)
    map = try FinishedPhoto.File(wire.map, requestID, of: camera, showing: .depth)
    matte =
      if wire.hasMatte {
        try FinishedPhoto.File(wire.matte, requestID, of: camera, showing: .matte)
      } else {
        nil
      }
  }
}

extension FinishedPhoto.File {
  fileprivate init(
    _ wire: WirePhotoFile, _ requestID: Identifier, of camera: String, isProxy: Bool = false,
    showing part: AssetPart? = nil
  ) throws(CameraBusError) {
    asset = wire.hasAsset ? Asset(wire.asset) : nil
    sha256 = Array(wire.sha256).hexadecimal
    layout = wire.hasLayout ? RawLayout(wire.layout) : nil
    mediaType = wire.mediaType.isEmpty ? MediaType.jpeg.rawValue : wire.mediaType
    guard wire.hasAsset || isProxy else { return }
    guard let asset, asset.requestID == requestID, asset.camera == camera,
      asset.sha256 == sha256, asset.isProxy == isProxy, asset.part == part
    else { throw .unexpectedReply }
  }

  fileprivate init(_ asset: Asset) {
    mediaType = asset.mediaType
    self.asset = asset
    sha256 = asset.sha256
    layout = asset.layout
  }

  fileprivate func fetch(
    from bus: CameraBus, _ picture: (data: [UInt8], sha256: SHA256Digest)?
  ) async throws(CameraBusError) -> PhotoFile {
    let data: [UInt8]
    if let picture {
      guard picture.sha256.description == sha256 else { throw .hashMismatch("the photo") }
      data = picture.data
    } else if let asset {
      data = try await bus.picture(of: asset)
    } else {
      throw .protocolViolation("the node sent a photo without its bytes")
    }
    return PhotoFile(
      mediaType: mediaType, data: data, asset: asset, sha256: sha256, layout: layout)
  }
}
