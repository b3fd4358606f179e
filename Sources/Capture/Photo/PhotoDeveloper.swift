import Imaging
import OperatingSystem
import PhotoEncoding

/// Makes the files of photos. Each encoder's thread has its own.
final class PhotoDeveloper {
  private static let thumbnail = ImageSize(width: 160, height: 160)

  private let encoder: PictureEncoder
  private let reader: PictureReader
  /// For a JPEG before it gets its facts.
  private var scratch: [UInt8] = []

  init(_ encoder: PictureEncoder, _ reader: PictureReader) {
    self.encoder = encoder
    self.reader = reader
  }

  /// - Parameter draft: Memory for a JPEG.
  /// - Throws: `encodingFailed` if the frame is damaged.
  func develop(
    _ source: PhotoFileSource, into draft: consuming FrameDraft?, _ memory: PhotoMemory
  ) throws(CaptureError) -> ProcessedPhotoFile {
    do throws(ImagingError) {
      switch source.file.format {
      case .jpeg:
        guard let draft else { preconditionFailure("a JPEG needs memory") }
        return .file(try jpeg(source, into: draft, memory))
      case .raw: return .file(raw(source, memory))
      case .dng:
        let mosaic = try source.read { (bytes, layout) throws(ImagingError) in
          try reader.mosaic(bytes, layout: layout)
        }
        return .file(source.description.made(try DNGFile.encode(mosaic, source.facts), memory))
      case .tiff:
        return .file(
          source.description.made(try TIFFFile.encode(try bitmap(source), source.facts), memory))
      case .png: return .slow(png(source, source.file.part.shown(of: try bitmap(source)), memory))
      case .avif: return .slow(heif(source, try planar(source), .avif, memory))
      case .heic: return .slow(heif(source, try planar(source), .heic, memory))
      }
    } catch {
      throw .undeveloped(source.file.format, error)
    }
  }

  // MARK: Pixels

  private func bitmap(_ source: PhotoFileSource) throws(ImagingError) -> Bitmap {
    try source.read { (bytes, layout) throws(ImagingError) in
      try reader.bitmap(
        bytes, layout: layout, scaledTo: source.upright, turned: source.geometry.turn,
        zoom: source.zoom)
    }
  }

  private func planar(_ source: PhotoFileSource) throws(ImagingError) -> PlanarPicture {
    try source.read { (bytes, layout) throws(ImagingError) in
      try reader.planar(
        bytes, layout: layout, scaledTo: source.upright, turned: source.geometry.turn,
        zoom: source.zoom, as: .yuv420)
    }
  }

  private func raw(_ source: PhotoFileSource, _ memory: PhotoMemory) -> PhotoFile {
    let bytes = source.frame.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
    return source.description.made(bytes, memory, layout: source.frame.layout)
  }

  // MARK: Files

  /// A JPEG with its facts: in the draft's memory, if it has the room.
  private func jpeg(
    _ source: PhotoFileSource, into draft: consuming FrameDraft, _ memory: PhotoMemory
  ) throws(ImagingError) -> PhotoFile {
    var metadata = source.metadata
    metadata.encodeStarted = .now
    // A damaged picture has none.
    let thumbnail = (try? thumbnail(of: source)) ?? []
    let byteCount: Int?
    if source.isPassthrough, source.geometry.turn == .upright {
      // The camera's own picture is passed on, not encoded.
      metadata.encodeStarted = metadata.copied
      metadata.encodeFinished = metadata.copied
      byteCount = try source.read { (bytes, _) throws(ImagingError) in
        try Self.insert(source.facts, thumbnail, into: bytes, writing: &draft)
      }
      guard byteCount != nil else { return try largeJPEG(source, thumbnail, memory) }
    } else {
      var scratch = exchange(&self.scratch, with: [])
      defer { self.scratch = scratch }
      let room = JPEGEncoder.maximumByteCount(for: source.geometry.size)
      if scratch.count < room { scratch = Array(repeating: 0, count: room) }
      let count = try encode(source, into: &scratch)
      byteCount = try Self.insert(
        source.facts, thumbnail, into: unsafe scratch.span.bytes.extracting(first: count),
        writing: &draft)
      metadata.encodeFinished = .now
    }
    return PhotoFile(
      jpeg: draft.seal(
        layout: .compressed(.mjpeg, size: source.geometry.size), metadata: metadata,
        byteCount: byteCount ?? 0))
  }

  /// The camera's own JPEG where it is larger than a JPEG of its size ever is, by what else it has.
  private func largeJPEG(
    _ source: PhotoFileSource, _ thumbnail: [UInt8], _ memory: PhotoMemory
  ) throws(ImagingError) -> PhotoFile {
    let bytes = try source.read { (bytes, _) throws(ImagingError) in
      guard let insertion = try? JPEGFactsInsertion(into: bytes, source.facts, thumbnail: thumbnail)
      else { return unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
      var file = [UInt8](repeating: 0, count: insertion.byteCount)
      var span = file.mutableSpan
      var output = unsafe span.mutableBytes
      _ = try insertion.write(bytes, into: &output)
      return file
    }
    return source.description.made(bytes, memory)
  }

  private func encode(_ source: PhotoFileSource, into memory: inout [UInt8]) throws(ImagingError)
    -> Int
  {
    var span = memory.mutableSpan
    var output = unsafe span.mutableBytes
    return try encoder.encode(
      source.frame, into: &output, size: source.upright, orientation: source.geometry.turn,
      zoom: source.zoom, quality: source.file.quality, isReencoded: source.file.isReencoded)
  }

  /// - Returns: The number of bytes; nil if there is no room. A picture whose headers cannot be
  ///   read is worth more than what is known about it.
  private static func insert(
    _ facts: PhotoFacts, _ thumbnail: [UInt8], into jpeg: RawSpan, writing draft: inout FrameDraft
  ) throws(ImagingError) -> Int? {
    guard let insertion = try? JPEGFactsInsertion(into: jpeg, facts, thumbnail: thumbnail) else {
      guard jpeg.byteCount <= draft.capacity else { return nil }
      draft.copyBytes(of: jpeg)
      return jpeg.byteCount
    }
    guard insertion.byteCount <= draft.capacity else { return nil }
    return try draft.withBytes { (output) throws(ImagingError) in
      try insertion.write(jpeg, into: &output)
    }
  }

  private func thumbnail(of source: PhotoFileSource) throws(ImagingError) -> [UInt8] {
    let size = source.upright.fitted(into: Self.thumbnail)
    guard size != source.upright else { return [] }
    var bytes = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(for: size))
    var span = bytes.mutableSpan
    var output = unsafe span.mutableBytes
    let count = try encoder.encode(
      source.frame, into: &output, size: size, orientation: source.geometry.turn, zoom: source.zoom,
      quality: 75, isReencoded: true)
    return Array(bytes.prefix(count))
  }

  private func png(_ source: PhotoFileSource, _ bitmap: Bitmap, _ memory: PhotoMemory) -> SlowWork {
    let share = memory.take(bitmap.bytes.count)
    let (file, texts) = (
      source.description, source.file.part.texts(source.frame.layout.pixelFormat)
    )
    return SlowWork(lane: .packing) { _ throws(CaptureError) in
      defer { withExtendedLifetime(share) {} }
      do throws(ImagingError) {
        let metadata = PNGMetadata(
          exif: Exif.stream(file.facts, size: bitmap.size, bitmap.colorSpace),
          xmp: XMP.packet(file.facts),
          texts: texts)
        return file.made(try PNGEncoder.encode(bitmap, metadata), memory)
      } catch {
        throw .undeveloped(.png, error)
      }
    }
  }

  private func heif(
    _ source: PhotoFileSource, _ picture: PlanarPicture, _ format: HEIFFormat, _ memory: PhotoMemory
  ) -> SlowWork {
    let share = memory.take(picture.bytes.count)
    let file = source.description
    return SlowWork(lane: .helper) { encoder throws(CaptureError) in
      defer { withExtendedLifetime(share) {} }
      guard let encoder else { throw .hasNoEncoder }
      do throws(ImagingError) {
        let job = try PhotoJob(
          picture, as: format, quality: file.order.quality,
          exif: Exif.stream(file.facts, size: picture.size), xmp: XMP.packet(file.facts))
        return file.made(try encoder.encode(job), memory)
      } catch {
        throw .undeveloped(file.order.format, error)
      }
    }
  }
}

extension CaptureError {
  fileprivate static func undeveloped(_ format: PhotoFormat, _ error: ImagingError) -> CaptureError
  {
    CaptureError(
      error.code == .encoderUnavailable ? .overloaded : .encodingFailed,
      "no \(format) could be made of the frame: \(error.message)")
  }

  fileprivate static var hasNoEncoder: CaptureError {
    CaptureError(
      .encodingFailed, "this program has no encoder for AVIF and HEIC: ask for another format")
  }
}
