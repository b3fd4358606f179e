import FoundationEssentials
import Imaging

/// A photo that is taken, and whose files are made later: the bytes by which it is kept on the disk
/// until then.
package struct DeferredPhoto: Sendable {
  package let bytes: [UInt8]
  /// What its files will usually take at most; zero for a photo that was kept by an earlier run.
  package let fileByteCount: Int
  /// They count as memory until nobody has them any more.
  private let memory: PhotoMemory.Share?

  /// What the bytes begin with: a mark, the length of the note, and the note. The frames follow.
  private static let mark = Array("CameraBus photo 1\n".utf8)

  fileprivate struct Note: Codable {
    struct Frame: Codable {
      var layout: ImageLayout
      var metadata: FrameMetadata
      var byteCount: Int
    }

    var order: PhotoOrder
    var orientation: Orientation
    var facts: PhotoFacts
    var picture: Int
    var place: PhotoPlace
    var moment: Int
    var frames: [Frame]
  }

  init(_ kept: KeptFrames, _ memory: PhotoMemory) throws(CaptureError) {
    let note = Note(
      order: kept.order, orientation: kept.orientation, facts: kept.facts, picture: kept.picture,
      place: kept.place, moment: kept.frames.firstIndex { $0 === kept.moment } ?? 0,
      frames: kept.frames.map {
        Note.Frame(layout: $0.layout, metadata: $0.metadata, byteCount: $0.byteCount)
      })
    guard let text = try? JSONEncoder().encode(note) else {
      throw CaptureError(.encodingFailed, "what is known of the photo cannot be written down")
    }
    let count =
      Self.mark.count + 4 + text.count + kept.frames.reduce(0) { $0 + $1.byteCount }
    self.memory = memory.take(count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    bytes += Self.mark
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: text.count >> shift)) }
    bytes += text
    for frame in kept.frames {
      frame.withBytes { picture in
        unsafe picture.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
    }
    self.bytes = bytes
    fileByteCount = kept.order.files.reduce(0) { sum, file in
      let geometry = kept.order.geometry(
        of: file.format, PhotoSource(kept.moment.layout), kept.orientation)
      return sum + geometry.fileByteCount(of: kept.moment, as: file.format)
    }
  }

  /// A photo that was kept.
  package init(_ bytes: [UInt8]) {
    (self.bytes, fileByteCount, memory) = (bytes, 0, nil)
  }

  /// - Throws: `encodingFailed` for bytes that this version does not write.
  func read() throws(CaptureError) -> KeptFrames {
    let header = Self.mark.count + 4
    guard bytes.count >= header, bytes.starts(with: Self.mark) else { throw .unreadable }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[Self.mark.count + $1]) << (8 * $1) }
    guard length <= bytes.count - header,
      let note = try? JSONDecoder().decode(
        Note.self, from: Data(bytes[header..<(header + length)])),
      note.frames.indices.contains(note.moment), !note.order.files.isEmpty
    else { throw .unreadable }
    var frames: [Frame] = []
    var offset = header + length
    for frame in note.frames {
      guard frame.isSound, frame.byteCount <= bytes.count - offset else { throw .unreadable }
      frames.append(self.frame(frame, at: offset))
      offset += frame.byteCount
    }
    return KeptFrames(
      order: note.order, orientation: note.orientation, facts: note.facts, picture: note.picture,
      place: note.place, frames: frames, moment: frames[note.moment])
  }

  private func frame(_ note: Note.Frame, at offset: Int) -> Frame {
    var draft = FrameDraft.single(note.byteCount, note.layout)
    let span = unsafe bytes.span.bytes
    draft.copyBytes(of: span.extracting(offset..<(offset + note.byteCount)))
    return draft.seal(layout: note.layout, metadata: note.metadata, byteCount: note.byteCount)
  }
}

extension DeferredPhoto.Note.Frame {
  /// Whether its layout is one, and that of so many bytes.
  fileprivate var isSound: Bool {
    guard layout.size.isValid, byteCount > 0 else { return false }
    if layout.pixelFormat.isCompressed { return true }
    var checked = try? ImageLayout(
      size: layout.size, pixelFormat: layout.pixelFormat, bytesPerLine: layout.bytesPerLine,
      range: layout.range, matrix: layout.matrix)
    checked?.black = layout.black
    checked?.orientation = layout.orientation
    return checked == layout && byteCount >= layout.byteCount
  }
}

/// The frames of a photo whose files are made later, and what they are to be.
struct KeptFrames: Sendable {
  var order: PhotoOrder
  /// How the picture is to be turned.
  var orientation: Orientation
  /// What was known of the photo beforehand.
  var facts: PhotoFacts
  /// The number of the picture.
  var picture: Int
  var place: PhotoPlace
  /// Of which one is chosen, or which are merged.
  var frames: [Frame]
  /// That of the moment, among them.
  var moment: Frame
}

extension CaptureError {
  fileprivate static var unreadable: CaptureError {
    CaptureError(
      .encodingFailed,
      "what was kept of the photo is damaged, or was written by another version: its proxy is all there is"
    )
  }
}
