import FoundationEssentials
import Imaging

/// What is kept of a photo whose files are made later, as it is on the disk: a mark with the
/// record's version, the length of a note in four bytes, the note (JSON), and the frames' bytes.
///
/// Nodes of other versions read it. So what version 1 writes keeps its names and meanings, and a
/// new value is optional. A change that this reader could not follow gets the next number, and
/// the readers of earlier ones stay.
struct DeferredRecord {
  static let version = 1
  private static let name = Array("CameraBus photo ".utf8)
  private static let mark = name + Array("\(version)\n".utf8)

  private struct Note: Codable {
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

  private let frames: [Frame]
  private let text: Data

  /// - Throws: `encodingFailed`.
  init(_ kept: KeptFrames) throws(CaptureError) {
    frames = kept.frames
    let note = Note(
      order: kept.order, orientation: kept.orientation, facts: kept.facts, picture: kept.picture,
      place: kept.place, moment: kept.frames.firstIndex { $0 === kept.moment } ?? 0,
      frames: kept.frames.map {
        Note.Frame(layout: $0.layout, metadata: $0.metadata, byteCount: $0.byteCount)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let text = try? encoder.encode(note) else {
      throw CaptureError(.encodingFailed, "what is known of the photo cannot be written down")
    }
    self.text = text
  }

  var byteCount: Int { Self.mark.count + 4 + text.count + frames.reduce(0) { $0 + $1.byteCount } }

  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    bytes += Self.mark
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: text.count >> shift)) }
    bytes += text
    for frame in frames {
      frame.withBytes { picture in
        unsafe picture.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  /// The version of a record; nil if the bytes are none.
  static func version(of bytes: [UInt8]) -> Int? {
    let rest = bytes.dropFirst(name.count).prefix(10)
    guard bytes.starts(with: name), let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    return Int(String(decoding: rest[..<end], as: UTF8.self))
  }

  /// - Throws: `encodingFailed` for bytes that are damaged or of another version.
  static func decode(_ bytes: [UInt8]) throws(CaptureError) -> KeptFrames {
    guard let version = version(of: bytes) else { throw .unreadable }
    guard version == Self.version else { throw .unknownVersion(version) }
    let header = mark.count + 4
    guard bytes.count >= header, bytes.starts(with: mark) else { throw .unreadable }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[mark.count + $1]) << (8 * $1) }
    guard length <= bytes.count - header,
      let note = try? JSONDecoder().decode(
        Note.self, from: Data(bytes[header..<(header + length)])),
      note.frames.indices.contains(note.moment), !note.order.files.isEmpty
    else { throw .unreadable }
    var frames: [Frame] = []
    var offset = header + length
    for frame in note.frames {
      guard isSound(frame), frame.byteCount <= bytes.count - offset else { throw .unreadable }
      frames.append(self.frame(frame, of: bytes, at: offset))
      offset += frame.byteCount
    }
    return KeptFrames(
      order: note.order, orientation: note.orientation, facts: note.facts, picture: note.picture,
      place: note.place, frames: frames, moment: frames[note.moment])
  }

  private static func frame(_ note: Note.Frame, of bytes: [UInt8], at offset: Int) -> Frame {
    var draft = FrameDraft.single(note.byteCount, note.layout)
    let span = unsafe bytes.span.bytes
    draft.copyBytes(of: span.extracting(offset..<(offset + note.byteCount)))
    return draft.seal(layout: note.layout, metadata: note.metadata, byteCount: note.byteCount)
  }

  /// Whether a frame's layout is one, and that of so many bytes.
  private static func isSound(_ frame: Note.Frame) -> Bool {
    let layout = frame.layout
    guard layout.size.isValid, frame.byteCount > 0 else { return false }
    if layout.pixelFormat.isCompressed { return true }
    var checked = try? ImageLayout(
      size: layout.size, pixelFormat: layout.pixelFormat, bytesPerLine: layout.bytesPerLine,
      range: layout.range, matrix: layout.matrix)
    checked?.black = layout.black
    checked?.orientation = layout.orientation
    return checked == layout && frame.byteCount >= layout.byteCount
  }
}

extension CaptureError {
  fileprivate static var unreadable: CaptureError {
    CaptureError(
      .encodingFailed, "what was kept of the photo is damaged: its proxy is all there is")
  }

  static func unknownVersion(_ version: Int) -> CaptureError {
    CaptureError(
      .encodingFailed,
      "what was kept of the photo has version \(version), and this node reads version "
        + "\(DeferredRecord.version): start the node that has taken it")
  }
}
