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

  /// - Parameter draft: memory for a JPEG.
  /// - Throws: `encodingFailed` if the frame is damaged.
  func develop(
    _ plate: PhotoPlate, into draft: consuming FrameDraft?, _ memory: PhotoMemory
  ) throws(CaptureError) -> DevelopedPlate {
    do throws(ImagingError) {
      switch plate.file.format {
      case .jpeg:
        guard let draft else { preconditionFailure("a JPEG needs memory") }
        return .file(try jpeg(plate, into: draft, memory))
      case .raw: return .file(raw(plate, memory))
      case .dng:
        let mosaic = try plate.read { (bytes, layout) throws(ImagingError) in
          try reader.mosaic(bytes, layout: layout)
        }
        return .file(plate.label.made(try DNGFile.encode(mosaic, plate.facts), memory))
      case .tiff:
        return .file(plate.label.made(try TIFFFile.encode(try bitmap(plate), plate.facts), memory))
      case .png: return .slow(png(plate, plate.file.part.shown(of: try bitmap(plate)), memory))
      case .avif: return .slow(heif(plate, try planar(plate), .avif, memory))
      case .heic: return .slow(heif(plate, try planar(plate), .heic, memory))
      }
    } catch {
      throw .undeveloped(plate.file.format, error)
    }
  }

  // MARK: Pixels

  private func bitmap(_ plate: PhotoPlate) throws(ImagingError) -> Bitmap {
    try plate.read { (bytes, layout) throws(ImagingError) in
      try reader.bitmap(
        bytes, layout: layout, scaledTo: plate.upright, turned: plate.geometry.turn,
        zoom: plate.zoom)
    }
  }

  private func planar(_ plate: PhotoPlate) throws(ImagingError) -> PlanarPicture {
    try plate.read { (bytes, layout) throws(ImagingError) in
      try reader.planar(
        bytes, layout: layout, scaledTo: plate.upright, turned: plate.geometry.turn,
        zoom: plate.zoom, as: .yuv420)
    }
  }

  private func raw(_ plate: PhotoPlate, _ memory: PhotoMemory) -> PhotoFile {
    let bytes = plate.frame.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
    return plate.label.made(bytes, memory, layout: plate.frame.layout)
  }

  // MARK: Files

  /// A JPEG with its facts: in the draft's memory, if it has the room.
  private func jpeg(
    _ plate: PhotoPlate, into draft: consuming FrameDraft, _ memory: PhotoMemory
  ) throws(ImagingError) -> PhotoFile {
    var metadata = plate.metadata
    metadata.encodeStarted = .now
    // A damaged picture has none.
    let thumbnail = (try? thumbnail(of: plate)) ?? []
    let byteCount: Int?
    if plate.isPassthrough, plate.geometry.turn == .upright {
      // The camera's own picture is passed on, not encoded.
      metadata.encodeStarted = metadata.copied
      metadata.encodeFinished = metadata.copied
      byteCount = try plate.read { (bytes, _) throws(ImagingError) in
        try Self.insert(plate.facts, thumbnail, into: bytes, writing: &draft)
      }
      guard byteCount != nil else { return try largeJPEG(plate, thumbnail, memory) }
    } else {
      var scratch = exchange(&self.scratch, with: [])
      defer { self.scratch = scratch }
      let room = JPEGEncoder.maximumByteCount(for: plate.geometry.size)
      if scratch.count < room { scratch = Array(repeating: 0, count: room) }
      let count = try encode(plate, into: &scratch)
      byteCount = try Self.insert(
        plate.facts, thumbnail, into: unsafe scratch.span.bytes.extracting(first: count),
        writing: &draft)
      metadata.encodeFinished = .now
    }
    return PhotoFile(
      jpeg: draft.seal(
        layout: .compressed(.mjpeg, size: plate.geometry.size), metadata: metadata,
        byteCount: byteCount ?? 0))
  }

  /// The camera's own JPEG where it is larger than a JPEG of its size ever is, by what else it has.
  private func largeJPEG(
    _ plate: PhotoPlate, _ thumbnail: [UInt8], _ memory: PhotoMemory
  ) throws(ImagingError) -> PhotoFile {
    let bytes = try plate.read { (bytes, _) throws(ImagingError) in
      guard let insertion = try? JPEGFactsInsertion(into: bytes, plate.facts, thumbnail: thumbnail)
      else { return unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
      var file = [UInt8](repeating: 0, count: insertion.byteCount)
      var span = file.mutableSpan
      var output = unsafe span.mutableBytes
      _ = try insertion.write(bytes, into: &output)
      return file
    }
    return plate.label.made(bytes, memory)
  }

  private func encode(_ plate: PhotoPlate, into memory: inout [UInt8]) throws(ImagingError) -> Int {
    var span = memory.mutableSpan
    var output = unsafe span.mutableBytes
    return try encoder.encode(
      plate.frame, into: &output, size: plate.upright, orientation: plate.geometry.turn,
      zoom: plate.zoom, quality: plate.file.quality, isReencoded: plate.file.isReencoded)
  }

  /// - Returns: the number of bytes; nil if there is no room. A picture whose headers cannot be
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

  private func thumbnail(of plate: PhotoPlate) throws(ImagingError) -> [UInt8] {
    let size = plate.upright.fitted(into: Self.thumbnail)
    guard size != plate.upright else { return [] }
    var bytes = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(for: size))
    var span = bytes.mutableSpan
    var output = unsafe span.mutableBytes
    let count = try encoder.encode(
      plate.frame, into: &output, size: size, orientation: plate.geometry.turn, zoom: plate.zoom,
      quality: 75, isReencoded: true)
    return Array(bytes.prefix(count))
  }

  private func png(_ plate: PhotoPlate, _ bitmap: Bitmap, _ memory: PhotoMemory) -> SlowWork {
    let share = memory.take(bitmap.bytes.count)
    let (label, texts) = (plate.label, plate.file.part.texts(plate.frame.layout.pixelFormat))
    return SlowWork(lane: .packing) { _ throws(CaptureError) in
      defer { withExtendedLifetime(share) {} }
      do throws(ImagingError) {
        let metadata = PNGMetadata(
          exif: Exif.stream(label.facts, size: bitmap.size, bitmap.colorSpace),
          xmp: XMP.packet(label.facts),
          texts: texts)
        return label.made(try PNGEncoder.encode(bitmap, metadata), memory)
      } catch {
        throw .undeveloped(.png, error)
      }
    }
  }

  private func heif(
    _ plate: PhotoPlate, _ picture: PlanarPicture, _ format: HEIFFormat, _ memory: PhotoMemory
  ) -> SlowWork {
    let share = memory.take(picture.bytes.count)
    let label = plate.label
    return SlowWork(lane: .helper) { encoder throws(CaptureError) in
      defer { withExtendedLifetime(share) {} }
      guard let encoder else { throw .hasNoEncoder }
      do throws(ImagingError) {
        let job = try PhotoJob(
          picture, as: format, quality: label.file.quality,
          exif: Exif.stream(label.facts, size: picture.size), xmp: XMP.packet(label.facts))
        return label.made(try encoder.encode(job), memory)
      } catch {
        throw .undeveloped(label.file.format, error)
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
