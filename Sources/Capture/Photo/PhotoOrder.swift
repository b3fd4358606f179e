package import Imaging

/// What is to be made of a request for photos.
package struct PhotoOrder: Codable, Hashable, Sendable {
  package static let mostPictures = 100

  /// The files of each picture, all of the same frame: at least one, each format once.
  package var files: [PhotoFileOrder]
  /// More than one is a burst.
  package var pictures = 1
  /// A burst takes one of so many frames.
  package var every: UInt64 = 1
  package var prioritization = PhotoPrioritization.speed
  /// Whether the flash lights its picture.
  package var hasFlash = false
  /// What is different from how the camera is configured.
  package var orientation = OrientationChange()
  /// Whether the pixels stay as they are, and the file says how they are to be turned.
  package var hasOrientationTag = false
  /// To which the turned picture is scaled and cropped; nil keeps its size.
  package var dimensions: ImageSize?
  /// Whether the files are made later. Until then there is a proxy.
  package var isDeferred = false
  /// How far the first picture's frame may lie from the moment asked for, nanoseconds; nil for any
  /// distance.
  package var tolerance: Int64?

  package init(_ files: [PhotoFileOrder] = [PhotoFileOrder(.jpeg)]) {
    precondition(!files.isEmpty, "a photo becomes at least one file")
    self.files = files
  }

  var isBurst: Bool { pictures > 1 }

  /// What is made at once: all of it, or a JPEG that stands for the files until they are made.
  package var immediate: PhotoOrder {
    guard isDeferred else { return self }
    var proxy = self
    proxy.files = [files.first { $0.format == .jpeg } ?? PhotoFileOrder(.jpeg)]
    (proxy.prioritization, proxy.isDeferred) = (.speed, false)
    return proxy
  }

  /// The prioritization that counts: a burst has frames that follow each other, and the flash
  /// lights one.
  var plannedPrioritization: PhotoPrioritization { isBurst || hasFlash ? .speed : prioritization }

  /// How many frames its pictures are made of.
  package var frameCount: Int { pictures * plannedPrioritization.frameCount }

  /// Whether one picture is made of several frames. A file that keeps the camera's frame is not.
  func merges(at prioritization: PhotoPrioritization) -> Bool {
    prioritization == .quality && files.contains { !$0.format.keepsFrame }
  }
}

/// The kind of frames that photos are made of.
package struct PhotoSource: Hashable, Sendable {
  package var pixelFormat: PixelFormat
  package var size: ImageSize
  /// How the frames are to be turned so that they are upright.
  package var orientation = Orientation.upright
  /// Whether that is certain.
  var isOrientationKnown = true
  /// Whether pictures show the whole frame, because the node zooms by no crop.
  var isWhole = true

  package init(_ layout: ImageLayout) {
    (pixelFormat, size) = (layout.pixelFormat, layout.size)
    orientation = layout.orientation
  }

  /// Nil for a request that leaves something open.
  package init?(_ format: FormatRequest) {
    guard let pixelFormat = format.pixelFormat, let size = format.size else { return nil }
    (self.pixelFormat, self.size) = (pixelFormat, size)
  }
}

/// What will be made of a request for photos, as far as it is certain before there is a frame.
package struct PhotoPlan: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    package var format: PhotoFormat
    /// Nil while nobody knows the frames, or how they are to be turned.
    package var size: ImageSize?
    /// Nil if it loses no detail, or is the camera's own JPEG.
    package var quality: Int?
    package var isPassthrough: Bool
  }

  package var files: [File]
  package var pictures: Int
  package var orientation: Orientation
  package var hasOrientationTag: Bool
  /// It may become less while many photos are made.
  package var prioritization: PhotoPrioritization
  /// Whether the files are made later.
  package var isDeferred = false
  /// Whether a frame from before the request may be taken.
  package var hasZeroShutterLag: Bool
  /// Whether the flash lights its picture.
  package var hasFlash: Bool
}

extension PhotoPlan {
  /// - Parameters:
  ///   - source: The frames; nil while nobody knows them.
  ///   - orientation: How upright pictures are to be turned.
  ///   - reachesBack: Whether a frame from before the request may be taken.
  package init(
    _ order: PhotoOrder, of source: PhotoSource?, turned orientation: Orientation,
    reachesBack: Bool
  ) {
    files = order.files.map { file in
      let known = source.flatMap { $0.isOrientationKnown ? $0 : nil }
      let geometry = known.map { order.geometry(of: file.format, $0, orientation) }
      let isPassthrough =
        source?.pixelFormat.isCompressed == true && source?.isWhole == true && order.canPass(file)
        && geometry?.turn == .upright && !order.merges(at: order.plannedPrioritization)
      return File(
        format: file.format,
        size: geometry?.size,
        quality: isPassthrough || !file.format.losesDetail ? nil : file.quality,
        isPassthrough: isPassthrough)
    }
    pictures = order.pictures
    self.orientation = (source?.orientation ?? .upright).followed(by: orientation)
    hasOrientationTag = order.hasOrientationTag
    prioritization = order.plannedPrioritization
    isDeferred = order.isDeferred
    hasZeroShutterLag = reachesBack
    hasFlash = order.hasFlash
  }
}
