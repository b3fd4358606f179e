import CameraClient
import OperatingSystem
import Words

/// A photo of a camera, with the words and the JSON that `capture` prints of it.
struct TakenPhoto {
  let photo: Photo
  private let camera: String

  init(_ photo: Photo, of camera: Camera) {
    self.photo = photo
    self.camera = camera.name
  }

  /// Whether it is the camera's own JPEG, and no other file of it has a quality.
  var hasNoQuality: Bool {
    photo.resolved?.isPassthrough == true
      && photo.files.allSatisfy { ![.heic, .avif].contains(MediaType(rawValue: $0.mediaType)) }
  }

  /// All its files.
  var files: [PhotoFile] { photo.files }

  /// The name that the library gives to a file, or would give to it:
  /// "cam-20261121T090707.123Z-0a1b2c3d.jpg".
  private func name(of file: PhotoFile) -> String {
    if let name = file.asset?.fileName { return name }
    let end = MediaType(rawValue: file.mediaType)?.fileExtension ?? "bin"
    let id = photo.requestID.description.prefix(8)
    guard let time = photo.resolved?.timestamp else { return "\(camera)-\(id).\(end)" }
    return "\(camera)-\(time.words.filter { $0 != "-" && $0 != ":" })-\(id).\(end)"
  }

  func words(of file: PhotoFile) -> String {
    let size = UInt64(file.data.count).byteWords
    if let resolved = photo.resolved {
      let picture = file.asset?.size ?? resolved.size
      let layout = file.layout.map {
        ", \($0.pixelFormat)" + ($0.bytesPerLine > 0 ? " with \($0.bytesPerLine) bytes a line" : "")
      }
      let shot = resolved.shot.map { "; \($0.words)" }
      let isMerged = MediaType(rawValue: file.mediaType)?.keepsFrame != true
      return
        "\(picture)\(layout ?? ""), \(size), \(resolved.words(isMerged: isMerged))\(shot ?? "")"
        + clockWords(resolved.timestamp) + (file.isProxy ? "; a proxy" : "")
    }
    guard let asset = file.asset else { return size }
    return "\(asset.size), \(size), taken at \(asset.created.words), before the node was restarted"
  }

  /// Nothing if the error is unknown, which is told once.
  private func clockWords(_ time: Timestamp) -> String {
    hasUnknownClock ? "" : "; wall clock \(time.clockWords)"
  }

  /// Whether nobody knows how wrong the node's wall clock may be.
  var hasUnknownClock: Bool {
    photo.resolved.map { $0.timestamp.wallError == nil } ?? false
  }

  /// Where the photo is when it could not be written here.
  var whereabouts: String {
    let files = photo.files + (photo.depth?.files ?? [])
    let ids = files.compactMap { $0.asset.map { "\($0.id)" } }
    guard let first = ids.first else { return "the photo was not kept, so it is lost" }
    return "the photo is in the library: camctl download \(first)"
      + ids.dropFirst().map { ", camctl download \($0)" }.joined()
  }

  /// Writes a file to the place for this number.
  /// - Returns: The file's path; nil for the standard output.
  func write(_ file: PhotoFile, _ number: Int, to output: OutputPattern) async throws -> String? {
    guard !output.isStandardOutput else {
      try StandardOutput.write(file.data)
      return nil
    }
    let facts = OutputName.Facts(
      camera: camera, time: photo.resolved?.timestamp.words, frame: photo.resolved?.frameSequence,
      requestID: photo.requestID, number: number,
      fileExtension: MediaType(rawValue: file.mediaType)?.fileExtension)
    return try await output.write(facts, name: name(of: file)) { path, overwrites in
      try await file.write(to: path, overwrites: overwrites)
    }
  }

  /// - Parameters:
  ///   - paths: Of the files that were written, in their order.
  ///   - depthPaths: Of those of its depth.
  ///   - moviePath: Of its movie.
  func report(
    files paths: [String], depth depthPaths: [String], movie moviePath: String? = nil
  ) -> PhotoReport {
    PhotoReport(
      camera: camera, requestID: photo.requestID, resolved: photo.resolved,
      files: zip(photo.files, paths).map { PhotoReport.File($0, at: $1) },
      depth: DepthReport(photo.depth, at: depthPaths),
      movie: photo.movie.map { LiveMovieReport($0, at: moviePath) })
  }
}

/// What `capture --interval --json` prints of a photo that could not be taken.
struct MissedPhoto: Encodable {
  var camera: String
  var number: Int
  var monotonicNanoseconds: MonotonicInstant?
  /// The reason.
  var missed: Problem

  init(_ shot: TimeLapse.Shot, _ error: CameraBusError, of camera: Camera) {
    self.camera = camera.name
    number = shot.number
    monotonicNanoseconds = shot.moment
    missed = Problem(error)
  }
}

/// What `capture --json` prints of a photo.
struct PhotoReport: Encodable {
  struct File: Encodable {
    var file: String
    var mediaType: String
    var byteCount: UInt64
    var sha256: String
    var asset: Asset?
    var layout: RawLayout?

    init(_ photo: PhotoFile, at path: String) {
      file = path
      mediaType = photo.mediaType
      byteCount = UInt64(photo.data.count)
      sha256 = photo.sha256
      asset = photo.asset
      layout = photo.layout
    }
  }

  private enum CodingKeys: CodingKey {
    case camera, requestID, resolved, files, depth, movie
  }

  var camera: String
  var requestID: Identifier
  /// Nil when only the library knows of the photo.
  var resolved: ResolvedCapture?
  var files: [File]
  /// Nil unless it was asked for.
  var depth: DepthReport?
  /// Of a live photo.
  var movie: LiveMovieReport?

  /// A photo of one file has its properties beside its own.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(camera, forKey: .camera)
    try values.encode(requestID, forKey: .requestID)
    try values.encodeIfPresent(resolved, forKey: .resolved)
    try values.encodeIfPresent(depth, forKey: .depth)
    try values.encodeIfPresent(movie, forKey: .movie)
    if files.count > 1 {
      try values.encode(files, forKey: .files)
    } else {
      try files.first?.encode(to: encoder)
    }
  }
}
