import CameraProtocol
import SwiftProtobuf
package import Words

/// A file that a photo is to become.
public struct PhotoOutput: Hashable, Sendable {
  /// Its kind.
  public var format: PhotoFormat
  /// 1 to 100 for files that lose detail; nil is that of the ``PhotoSettings``.
  public var quality: Int?
  /// Whether the camera's own JPEG is encoded again, with that quality.
  public var isReencoded: Bool

  /// A file.
  public init(_ format: PhotoFormat, quality: Int? = nil, isReencoded: Bool = false) {
    self.format = format
    self.quality = quality
    self.isReencoded = isReencoded
  }

  /// A JPEG.
  public static let jpeg = PhotoOutput(.jpeg)
  /// A PNG.
  public static let png = PhotoOutput(.png)
  /// A TIFF.
  public static let tiff = PhotoOutput(.tiff)
  /// A DNG.
  public static let dng = PhotoOutput(.dng)
  /// An AVIF.
  public static let avif = PhotoOutput(.avif)
  /// A HEIC.
  public static let heic = PhotoOutput(.heic)
  /// The camera's own bytes.
  public static let raw = PhotoOutput(.raw)
}

/// What a photo is to be. Without arguments it is one JPEG as the camera is configured.
public struct PhotoSettings: Hashable, Sendable {
  /// The files of the same picture, each format once; the first one is ``Photo/data``. None is one
  /// JPEG.
  public var outputs: [PhotoOutput]
  /// As the stream, or the largest that the camera has.
  public var size: PhotoSize
  /// 1 to 100 for files that lose detail, where the node encodes them; nil leaves it to the node.
  public var quality: Int?
  /// How much is done for its look. The node does less for photos that come faster than it makes
  /// them, and for bursts.
  public var prioritization: PhotoPrioritization
  /// Whether the camera's flash is fired, for a single photo of the stream's size.
  public var flash: FlashMode
  /// How the picture is turned; what is nil is as the camera is configured.
  public var turn: Turn
  /// Whether the pixels stay as the camera delivers them, and the file says how they are to be
  /// turned. AVIF and HEIC are turned all the same, because their readers do not look at that.
  public var hasOrientationTag: Bool
  /// The size that the turned picture is scaled and cropped to, no larger than it is; nil keeps its
  /// own. DNG and raw files keep theirs.
  public var dimensions: FrameSize?
  /// Whether the node's library keeps it. A photo that is not kept is one file of at most 1 MiB.
  public var isKept: Bool
  /// Whether the files are made later, at a low priority. The photo is finished at once, with a
  /// proxy as its only file: a JPEG of the frame of the moment.
  /// ``CameraBus/finalPhoto(of:timeout:)-(Photo,_)`` has the files. Only for photos that are kept.
  public var isDeferred: Bool
  /// What is made of the frame of the depth camera that goes with this one; nil takes none. Such a
  /// photo is kept, and of the stream's size.
  public var depth: DepthSettings?
  /// Whether a movie is made of what is around the frame: a live photo, for which the camera needs
  /// ``ConfigurationChange/livePhotos``. Such a photo is kept, and of the stream's size; its end
  /// comes when the movie is in the library.
  public var isLive: Bool
  /// How far the frame may lie from the moment asked for, before it or after it; nil for any
  /// distance. If the nearest frame is further away, the photo fails with `frameUnavailable` and
  /// nothing is taken. Only for a time that names a moment: `now`, `past`, `atMonotonic` and
  /// `atWall`. Not with the largest size, a flash or a bracket. It counts for the first picture of
  /// a burst or a series, and for each photo of a time lapse.
  public var tolerance: Duration?
  /// A title of its assets for people: one line of at most 128 characters; empty for none. The
  /// files say it too.
  public var name: String
  /// Words by which ``AssetFilter`` finds its assets: at most 32, each of at most 64 characters and
  /// without a comma. The files say them too.
  public var tags: [String]

  /// Settings.
  public init(
    _ outputs: [PhotoOutput] = [],
    size: PhotoSize = .stream,
    quality: Int? = nil,
    prioritization: PhotoPrioritization = .speed,
    flash: FlashMode = .off,
    turn: Turn = Turn(),
    hasOrientationTag: Bool = false,
    dimensions: FrameSize? = nil,
    isKept: Bool = true,
    isDeferred: Bool = false,
    depth: DepthSettings? = nil,
    isLive: Bool = false,
    tolerance: Duration? = nil,
    name: String = "",
    tags: [String] = []
  ) {
    self.outputs = outputs
    self.size = size
    self.quality = quality
    self.prioritization = prioritization
    self.flash = flash
    self.turn = turn
    self.hasOrientationTag = hasOrientationTag
    self.dimensions = dimensions
    self.isKept = isKept
    self.isDeferred = isDeferred
    self.depth = depth
    self.isLive = isLive
    self.tolerance = tolerance
    self.name = name
    self.tags = tags
  }
}

extension PhotoSettings {
  /// Writes the settings into a request.
  /// - Throws: `invalidArgument`.
  func fill(_ request: inout WireCaptureRequest) throws(CameraBusError) {
    request.quality = try Arguments.quality(quality)
    if size == .maximum { request.size = .maximum }
    request.prioritization = prioritization.wire
    request.flash = flash.wire
    request.transient = !isKept
    request.deferred = isDeferred
    request.live = isLive
    request.outputs = try outputs.map { (output) throws(CameraBusError) in
      var wire = WireCaptureRequest.Output()
      wire.format = output.format.wire
      wire.quality = try Arguments.quality(output.quality)
      wire.reencode = output.isReencoded
      return wire
    }
    let rotation = try Arguments.rotation(turn.rotation, "turn")
    if turn != Turn() {
      request.orientation = .with {
        if let rotation { $0.rotation = rotation }
        if let isMirrored = turn.isMirrored { $0.mirrored = isMirrored }
      }
    }
    request.orientationTag = hasOrientationTag
    if let dimensions { request.dimensions = try Arguments.size(dimensions, "dimensions") }
    request.toleranceNs = try Arguments.limit(tolerance, "tolerance")
    if let depth { request.depth = try depth.wire() }
    (request.name, request.tags) = (name, tags)
  }

  /// How many files come with a picture.
  var fileCount: Int { isDeferred ? 1 : max(1, outputs.count) }

  /// How many files a picture and its depth become.
  var totalFileCount: Int { fileCount + (depth?.fileCount ?? 0) }

  /// How many assets a picture becomes in the end.
  var assetCount: Int {
    max(1, outputs.count) + (isDeferred ? 1 : 0) + (depth?.fileCount ?? 0) + (isLive ? 1 : 0)
  }

  /// Whether making the files, or the movie, may take seconds.
  var isSlow: Bool {
    depth != nil || isLive
      || !isDeferred && outputs.contains { ![.jpeg, .raw].contains($0.format) }
  }
}

extension PhotoFormat {
  /// The type of such files, as "image/jpeg".
  public var mediaType: String { file.rawValue }

  package var file: MediaType {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .dng: .dng
    case .avif: .avif
    case .heic: .heic
    case .raw: .raw
    }
  }
}

/// How large a photo is to be.
public enum PhotoSize: String, Hashable, Sendable, Codable, CaseIterable {
  /// As the frames of the camera's stream.
  case stream
  /// As the largest of all the camera's formats. The camera changes its format for that, if need
  /// be: its streams have no frames meanwhile (``ResolvedCapture/gap``), and no moment
  /// can be chosen. It is refused while the camera records.
  case maximum
}

/// What is made of the depth camera's frame that goes with a photo. Without arguments it is a map
/// of the distances.
public struct DepthSettings: Hashable, Sendable {
  /// The distances that a second file shows, in metres: from 0 to 65.535; nil makes none.
  public var matte: ClosedRange<Double>?

  /// Settings.
  public init(matte: ClosedRange<Double>? = nil) {
    self.matte = matte
  }
}

extension DepthSettings {
  /// - Throws: `invalidArgument`.
  func wire() throws(CameraBusError) -> WireCaptureRequest.Depth {
    var wire = WireCaptureRequest.Depth()
    guard let matte else { return wire }
    let limits = WireLimits.distances
    guard limits.contains(matte.lowerBound), limits.contains(matte.upperBound),
      matte.lowerBound < matte.upperBound
    else {
      throw Arguments.refusal(
        "a matte is of distances from \(limits.lowerBound) to \(limits.upperBound) metres, not \(matte)",
        "matte")
    }
    wire.matte.nearM = matte.lowerBound
    wire.matte.farM = matte.upperBound
    return wire
  }

  /// How many files are made of each frame.
  var fileCount: Int { matte == nil ? 1 : 2 }
}
