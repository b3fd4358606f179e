import Imaging

/// Everything that a file of a photo is made from.
struct PhotoFileSource: Sendable {
  let frame: Frame
  let file: PhotoFileOrder
  let geometry: FileGeometry
  /// Whether the file keeps the camera's own JPEG.
  let isPassthrough: Bool
  let metadata: FrameMetadata
  let facts: PhotoFacts

  /// - Parameters:
  ///   - orientation: How the picture is to be turned.
  ///   - resolved: The photo that the file is of.
  ///   - facts: What is known of the photo beforehand.
  init(
    _ frame: Frame, as file: PhotoFileOrder, of order: PhotoOrder, turned orientation: Orientation,
    _ resolved: ResolvedPhoto, _ facts: PhotoFacts
  ) {
    self.frame = frame
    self.file = file
    geometry = order.geometry(of: file.format, PhotoSource(frame.layout), orientation)
    isPassthrough = order.passes(frame, as: file, geometry)
    metadata = resolved.metadata
    var filled = facts.filled(resolved, geometry, of: order)
    filled.view = facts.view?.view(of: geometry, from: frame)
    self.facts = filled
  }

  /// The size of the picture before it is turned.
  var upright: ImageSize { geometry.turn.turned(geometry.size) }

  /// How much the middle of the frame is enlarged.
  var zoom: Zoom { Zoom(frame.metadata.crop, cropping: frame.layout.size, to: upright) }

  /// About how many bytes are needed to make the file, unless it is a JPEG.
  var expectedByteCount: Int { geometry.pixelByteCount(of: frame) }

  /// Lends the frame's bytes.
  func read<R>(
    _ body: (RawSpan, ImageLayout) throws(ImagingError) -> R
  ) throws(ImagingError) -> R {
    try frame.withBytes { (bytes) throws(ImagingError) in try body(bytes, frame.layout) }
  }

  /// What is left of it when the frame is not needed any more.
  var description: PhotoFileDescription {
    PhotoFileDescription(order: file, size: geometry.size, facts: facts)
  }
}

extension AngleOfView {
  /// That of a file; nil if this is none of its frame, which has another size or a zoomed lens.
  fileprivate func view(of geometry: FileGeometry, from frame: Frame) -> AngleOfView? {
    guard size == frame.layout.size, frame.metadata.facts.zoom ?? 1 == 1 else { return nil }
    let upright = geometry.turn.turned(geometry.size)
    let zoom: Zoom =
      geometry.keepsFrame ? 1 : Zoom(frame.metadata.crop, cropping: size, to: upright)
    return shown(zoom, scaledTo: upright, turned: geometry.turn)
  }
}

/// What a file of a photo is, and what it says. It holds nothing of the camera's memory, so it can
/// wait for long.
struct PhotoFileDescription: Sendable {
  let order: PhotoFileOrder
  let size: ImageSize
  let facts: PhotoFacts

  /// Makes these bytes the file. They count as memory until nobody has it any more.
  func made(_ bytes: [UInt8], _ memory: PhotoMemory, layout: ImageLayout? = nil) -> PhotoFile {
    PhotoFile(order.format, order.part, size: size, layout: layout, bytes, memory.take(bytes.count))
  }
}
