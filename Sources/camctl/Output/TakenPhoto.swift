import CameraClient

/// A photo of a camera, with the words and the JSON that `capture` prints of it.
struct TakenPhoto {
  private let photo: Photo
  private let camera: String

  init(_ photo: Photo, of camera: Camera) {
    self.photo = photo
    self.camera = camera.name
  }

  /// When the photo was taken; nil when neither the answer nor the library say.
  private var time: Timestamp? { photo.resolved?.timestamp ?? photo.asset?.created }

  /// "cam-20261121T090707.123456789Z.jpg".
  var fileName: String {
    let time = time?.text ?? photo.requestID.description
    return "\(camera)-\(time.filter { $0 != "-" && $0 != ":" }).jpg"
  }

  var words: String {
    let size = UInt64(photo.data.count).byteWords
    if let resolved = photo.resolved {
      return
        "\(resolved.size), \(size), \(resolved.words); wall clock \(resolved.timestamp.clockWords)"
    }
    guard let asset = photo.asset else { return size }
    return "\(asset.size), \(size), taken at \(asset.created.words), before the node was restarted"
  }

  var data: [UInt8] { photo.data }

  func write(to path: String) async throws {
    try await photo.write(to: path)
  }

  func report(file: String) -> PhotoReport {
    PhotoReport(
      camera: camera,
      requestID: photo.requestID,
      file: file,
      byteCount: UInt64(photo.data.count),
      sha256: photo.sha256,
      resolved: photo.resolved,
      asset: photo.asset
    )
  }
}

/// What `capture --json` prints of a photo.
struct PhotoReport: Encodable {
  var camera: String
  var requestID: Identifier
  var file: String
  var byteCount: UInt64
  var sha256: String
  /// Nil when only the library knows of the photo.
  var resolved: ResolvedCapture?
  var asset: Asset?
}
