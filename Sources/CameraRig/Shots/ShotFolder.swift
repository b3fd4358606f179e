public import CameraClient
import FoundationEssentials
import OperatingSystem
import Words

/// The folder of a shot or a recording: the pictures or movies, named by camera, and `shot.json`,
/// the ``RigShot``, or `recording.json`, the ``RigRecording``.
///
/// A picture is there whole or not at all, and nothing that is there is replaced.
public struct ShotFolder: Sendable {
  /// Where it is.
  public let path: String
  /// The name of the file that describes the shot.
  public static let description = "shot.json"
  /// The name of the file that describes the recording.
  public static let recordingDescription = "recording.json"

  /// Makes the folder, and those above it.
  ///
  /// - Throws: `fileExists` if it has something in it; `permissionDenied`, `storageFull`,
  ///   `storageFailed`.
  public init(_ path: String) throws(CameraBusError) {
    self.path = path
    let files = FileManager.default
    do {
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard try files.contentsOfDirectory(atPath: path).isEmpty else {
        throw CameraBusError(
          .fileExists, "there is something in \(path): name a folder that is empty, or a new one")
      }
    } catch let error as CameraBusError {
      throw error
    } catch {
      let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
      let reason = isForbidden ? "you may not write there" : "the system says \(error)"
      throw CameraBusError(
        isForbidden ? .permissionDenied : .storageFailed,
        "the folder \(path) cannot be made: \(reason)", cause: error)
    }
  }

  /// Writes the files of a picture.
  ///
  /// - Parameters:
  ///   - photo: The picture.
  ///   - camera: The camera's name in the rig.
  /// - Returns: The files, the first one first.
  /// - Throws: `fileExists`, `storageFull`, `permissionDenied`, `storageFailed`.
  public func write(_ photo: Photo, of camera: String) async throws(CameraBusError) -> [RigShot
    .File]
  {
    var written: [RigShot.File] = []
    let depth = photo.depth
    let files =
      photo.files.map { ($0, "") } + (depth.map { [($0.map, "-depth")] } ?? [])
      + (depth?.matte.map { [($0, "-matte")] } ?? [])
    for (file, part) in files {
      let end = MediaType(rawValue: file.mediaType)?.fileExtension ?? "bin"
      let name = "\(camera)\(part).\(end)"
      try await file.write(to: "\(path)/\(name)")
      written.append(
        RigShot.File(
          name: name, mediaType: file.mediaType, byteCount: file.data.count, sha256: file.sha256))
    }
    return written
  }

  /// Fetches a movie. A broken download goes on where it was, and what came is checked.
  ///
  /// - Parameters:
  ///   - movie: The movie.
  ///   - camera: The camera's name in the rig.
  ///   - bus: The connection to its node.
  /// - Returns: The file.
  /// - Throws: As `CameraBus.download`.
  public func write(
    _ movie: Movie, of camera: String, from bus: CameraBus
  ) async throws(CameraBusError) -> [RigShot.File] {
    let asset = movie.asset
    let end = MediaType(rawValue: asset.mediaType)?.fileExtension ?? "bin"
    let name = "\(camera).\(end)"
    try await bus.download(asset, to: "\(path)/\(name)")
    return [
      RigShot.File(
        name: name, mediaType: asset.mediaType, byteCount: Int(clamping: asset.byteCount),
        sha256: asset.sha256)
    ]
  }

  /// Writes `shot.json`.
  ///
  /// - Throws: As ``write(_:of:)``.
  public func write(_ shot: RigShot) async throws(CameraBusError) {
    try await write(shot, as: Self.description)
  }

  /// Writes `recording.json`.
  ///
  /// - Throws: As ``write(_:of:)``.
  public func write(_ recording: RigRecording) async throws(CameraBusError) {
    try await write(recording, as: Self.recordingDescription)
  }

  private func write(_ value: some Encodable, as name: String) async throws(CameraBusError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let bytes: [UInt8]
    do {
      bytes = Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      throw CameraBusError(.internal, "\(name) cannot be written as JSON: \(error)", cause: error)
    }
    try await FileWriter.write(bytes, to: "\(path)/\(name)", overwrites: false)
  }
}
