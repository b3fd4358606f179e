import CameraClient
import Words

extension TakenPhoto {
  /// Writes the files of depth beside the photo: "still.depth.png" beside "still.jpg".
  /// - Returns: Their paths.
  func writeDepth(beside photoPath: String, overwrites: Bool) async throws -> [String] {
    guard let depth = photo.depth else { return [] }
    let parts: [(AssetPart, PhotoFile?)] = [(.depth, depth.map), (.matte, depth.matte)]
    var paths: [String] = []
    for case (let part, let file?) in parts {
      let path = part.path(beside: photoPath)
      try await file.write(to: path, overwrites: overwrites)
      paths.append(path)
    }
    return paths
  }

  /// What is said of each file of depth.
  var depthWords: [String] {
    guard let depth = photo.depth else { return [] }
    let difference = depth.difference.map { time in
      time < .zero
        ? ", \((.zero - time).words) before the photo" : ", \(time.words) after the photo"
    }
    return depth.files.map { file in
      let size = file.asset.map { "\($0.size), " } ?? ""
      return "\(size)\(UInt64(file.data.count).byteWords), of \(depth.camera)\(difference ?? "")"
    }
  }
}

extension AssetPart {
  /// The path of the file that shows this, beside the photo's.
  func path(beside photo: String) -> String {
    self == .live ? "\(photo.withoutExtension).mp4" : "\(photo.withoutExtension).\(self).png"
  }
}

/// What `capture --depth --json` prints of the distances that go with a photo.
struct DepthReport: Encodable {
  var camera: String
  var resolved: ResolvedCapture?
  var differenceNanoseconds: Duration?
  var map: PhotoReport.File
  var matte: PhotoReport.File?

  /// - Parameter paths: Of the files that were written.
  init?(_ depth: DepthPicture?, at paths: [String]) {
    guard let depth, let path = paths.first else { return nil }
    camera = depth.camera
    resolved = depth.resolved
    differenceNanoseconds = depth.difference
    map = PhotoReport.File(depth.map, at: path)
    matte = depth.matte.map { PhotoReport.File($0, at: paths.last ?? path) }
  }
}
