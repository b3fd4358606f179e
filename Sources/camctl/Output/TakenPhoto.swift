import CameraClient
import OperatingSystem

/// A photo of a camera, with the words and the JSON that `capture` prints of it.
struct TakenPhoto {
  private let photo: Photo
  private let camera: String

  init(_ photo: Photo, of camera: Camera) {
    self.photo = photo
    self.camera = camera.name
  }

  /// The name that the library gives to the photo, or would give to it:
  /// "cam-20261121T090707.123Z-0a1b2c3d.jpg".
  private var fileName: String {
    if let name = photo.asset?.fileName { return name }
    let id = photo.requestID.description.prefix(8)
    guard let time = photo.resolved?.timestamp else { return "\(camera)-\(id).jpg" }
    return "\(camera)-\(time.words.filter { $0 != "-" && $0 != ":" })-\(id).jpg"
  }

  /// The whole JPEG file.
  var bytes: [UInt8] { photo.data }

  var words: String {
    let size = UInt64(photo.data.count).byteWords
    if let resolved = photo.resolved {
      return
        "\(resolved.size), \(size), \(resolved.words); wall clock \(resolved.timestamp.clockWords)"
    }
    guard let asset = photo.asset else { return size }
    return "\(asset.size), \(size), taken at \(asset.created.words), before the node was restarted"
  }

  /// Where the photo is when it could not be written here.
  var whereabouts: String {
    guard let id = photo.asset?.id else { return "the photo was not kept, so it is lost" }
    return "the photo is in the library: camctl download \(id)"
  }

  /// Writes the photo to the place for this number.
  /// - Returns: The file's path; nil for the standard output.
  func write(_ number: Int, to output: OutputPattern) async throws -> String? {
    guard !output.isStandardOutput else {
      try StandardOutput.write(photo.data)
      return nil
    }
    return try await output.write(number, name: fileName) { path, overwrites in
      try await photo.write(to: path, overwrites: overwrites)
    }
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

/// What `capture --interval --json` prints of a photo that could not be taken.
struct MissedPhoto: Encodable {
  var camera: String
  var number: Int
  var monotonicNanoseconds: Int64?
  /// The reason.
  var missed: Problem

  init(_ shot: TimeLapse.Shot, _ error: CameraBusError, of camera: Camera) {
    self.camera = camera.name
    number = shot.number
    monotonicNanoseconds = shot.monotonicNanoseconds
    missed = Problem(code: error.code, message: error.message)
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
