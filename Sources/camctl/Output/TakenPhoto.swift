import CameraClient

/// A photo as `capture` brings it.
struct TakenPhoto {
  private enum Source {
    case answer(Photo)
    /// The node was started anew and its answer is lost, but the library has the photo.
    case library(Asset, CameraBus)
  }

  private let source: Source
  private let camera: String
  private let requestID: Identifier

  init(_ photo: Photo, of camera: Camera) {
    source = .answer(photo)
    self.camera = camera.name
    requestID = photo.requestID
  }

  init(_ asset: Asset, of camera: Camera, madeFor requestID: Identifier) {
    source = .library(asset, camera.bus)
    self.camera = camera.name
    self.requestID = requestID
  }

  /// "cam-20261121T090707.123456789Z.jpg".
  var fileName: String {
    let time =
      switch source {
      case .answer(let photo): photo.resolved.timestamp
      case .library(let asset, _): asset.created
      }
    return "\(camera)-\(time.text.filter { $0 != "-" && $0 != ":" }).jpg"
  }

  var words: String {
    switch source {
    case .answer(let photo):
      let size = UInt64(photo.data.count).byteWords
      return "\(photo.resolved.size), \(size), \(photo.resolved.words)"
    case .library(let asset, _):
      return "\(asset.size), \(asset.byteCount.byteWords), taken at \(asset.created.words), "
        + "before the node was started anew"
    }
  }

  var data: [UInt8] {
    get async throws {
      switch source {
      case .answer(let photo): photo.data
      case .library(let asset, let bus): try await bus.data(of: asset)
      }
    }
  }

  func write(to path: String) async throws {
    switch source {
    case .answer(let photo): try photo.write(to: path)
    case .library(let asset, let bus): try await bus.download(asset, to: path)
    }
  }

  func report(file: String) -> PhotoReport {
    switch source {
    case .answer(let photo):
      PhotoReport(
        camera: camera,
        requestID: requestID,
        file: file,
        byteCount: UInt64(photo.data.count),
        sha256: photo.sha256,
        resolved: photo.resolved,
        asset: photo.asset
      )
    case .library(let asset, _):
      PhotoReport(
        camera: camera,
        requestID: requestID,
        file: file,
        byteCount: asset.byteCount,
        sha256: asset.sha256,
        asset: asset
      )
    }
  }
}

/// What `capture --json` prints of a photo.
struct PhotoReport: Encodable {
  var camera: String
  var requestID: Identifier
  var file: String
  var byteCount: UInt64
  var sha256: String
  /// Nil when only the library tells of the photo.
  var resolved: ResolvedCapture?
  var asset: Asset?
}
