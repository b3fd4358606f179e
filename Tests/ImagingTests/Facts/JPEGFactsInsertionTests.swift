@testable import Imaging
import TestSupport
import Testing

struct JPEGFactsInsertionTests {
  private let jpeg: [UInt8]

  init() throws {
    jpeg = try TestJPEG.bars(ImageSize(width: 64, height: 48))
  }

  @Test func `EXIF and XMP follow the start of the image, and the rest keeps its bytes`() throws {
    let filled = try insert(into: jpeg, .example)
    let segments = Segments(filled)
    #expect(segments.markers.prefix(2) == [0xe1, 0xe1])
    #expect(segments.payloads[0].starts(with: Array("Exif\0\0".utf8)))
    let exif = Exif.stream(.example, size: ImageSize(width: 64, height: 48))
    #expect(Array(segments.payloads[0].dropFirst(6)) == exif)
    #expect(
      segments.payloads[1] == Array("http://ns.adobe.com/xap/1.0/\0".utf8) + XMP.packet(.example))
    #expect(Array(filled.suffix(jpeg.count - 2)) == Array(jpeg.dropFirst(2)))
    #expect(
      filled.count == jpeg.count + 8 + segments.payloads[0].count + segments.payloads[1].count)
    #expect(removeFacts(filled) == jpeg)
    #expect(try Picture(filled).pixels == Picture(jpeg).pixels)
    let orientation = try #require(PhotoFacts.example.orientation)
    let size = try Picture(filled).size
    let summary = JPEGSummary(byteCount: filled.count, size: size, orientation: orientation)
    #expect(unsafe JPEGIntegrity.check(filled.span.bytes) == .complete(summary))
  }

  @Test func `The camera's EXIF and XMP are left out, and its other segments are kept`() throws {
    let short = segment(0xe1, "") + segment(0xe1, "Exif") + segment(0xe1, "http://")
    let others =
      short + segment(0xe1, "Extra\0") + segment(0xe2, "Exif\0\0") + segment(0xfe, "a comment")
    let old =
      segment(0xe1, "Exif\0\0II*\0") + segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x/>")
      + segment(0xe1, "http://ns.adobe.com/xmp/extension/\0more") + segment(0xe1, "Exif\0\u{1}MM")
    let clean = Array(jpeg[..<2]) + others + jpeg[2...]
    let camera = Array(jpeg[..<2]) + segment(0xe0, "JFIF\0") + old + others + jpeg[2...]
    let filled = try insert(into: camera, .example)
    #expect(
      removeFacts(filled) == Array(jpeg[..<2]) + segment(0xe0, "JFIF\0") + others + jpeg[2...])
    #expect(Segments(filled).markers.filter { $0 == 0xe1 }.count == 6)
    // A segment between two others that are left out.
    let mixed = Array(jpeg[..<2]) + old + others + old + jpeg[2...]
    #expect(removeFacts(mixed) == clean)
    #expect(try removeFacts(insert(into: mixed, .example)) == clean)
  }

  @Test(arguments: [("ICC_PROFILE\0", true), ("ICC_PROFILE", false), ("MPF\0", false)])
  func `The colours of a profile are not called sRGB`(start: String, isProfile: Bool) throws {
    let camera = Array(jpeg[..<2]) + segment(0xe2, start + "\u{1}\u{1}") + jpeg[2...]
    let filled = try insert(into: camera, PhotoFacts())
    let stream = Exif.stream(
      PhotoFacts(), size: ImageSize(width: 64, height: 48), isProfile ? .uncalibrated : .sRGB)
    #expect(Array(Segments(filled).payloads[0].dropFirst(6)) == stream)
    #expect(removeFacts(filled) == camera)
  }

  @Test func `Facts that are written twice are those of the last time`() throws {
    let twice = try insert(into: insert(into: jpeg, PhotoFacts()), .example)
    #expect(try twice == insert(into: jpeg, .example))
  }

  @Test func `The standard Huffman tables are inserted if they are missing`() throws {
    let bare = withoutHuffmanTables(jpeg)
    let filled = try insert(into: bare, .example)
    #expect(try JPEGHeader.read(filled).hasHuffmanTables)
    #expect(removeFacts(withoutHuffmanTables(filled)) == bare)
    #expect(removeFacts(filled)?.count == bare.count + JPEGHuffmanTables.byteCount)
    #expect(try Picture(filled).pixels == Picture(jpeg).pixels)
    // The tables go into the right part also behind segments that are left out.
    let camera = Array(bare[..<2]) + segment(0xe1, "Exif\0\0II*\0") + bare[2...]
    #expect(try insert(into: camera, .example) == filled)
  }

  @Test func `Bytes after the end of the image are kept`() throws {
    let padded = jpeg + [0, 0xff, 0xe1, 0, 4, 1, 2]
    let filled = try insert(into: padded, .example)
    #expect(removeFacts(filled) == padded)
  }

  @Test func `A thumbnail is inserted if it has room`() throws {
    let small = try TestJPEG.bars(ImageSize(width: 32, height: 24))
    let exif = Segments(try insert(into: jpeg, .example, thumbnail: small)).payloads[0]
    #expect(exif.suffix(small.count) == small[...])
    // The largest thumbnail beside short texts, and beside the longest ones.
    let large = small + [UInt8](repeating: 0, count: Exif.maximumThumbnailByteCount - small.count)
    var facts = PhotoFacts.example
    #expect(Segments(try insert(into: jpeg, facts, thumbnail: large)).payloads[0].count > 60_000)
    let text = String(repeating: "t", count: 3000)
    (facts.make, facts.model, facts.software) = (text, text, text)
    (facts.description, facts.comment) = (text, text)
    let filled = try insert(into: jpeg, facts, thumbnail: large)
    #expect(filled.count - jpeg.count <= JPEGFactsInsertion.maximumGrowth)
    #expect(removeFacts(filled) == jpeg)
    let withoutThumbnail = Segments(filled).payloads[0]
    #expect((4000..<10_000).contains(withoutThumbnail.count))
    #expect(try insert(into: jpeg, facts) == filled)
  }

  @Test(
    arguments: [
      ([], ImagingError.Code.notJPEG), (Array("text".utf8), .notJPEG),
      ([0xff, 0xd8, 0xff, 0xd9], .truncated), ([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff], .truncated),
      ([0xff, 0xd8, 0xff, 0xda, 0, 2], .corrupt),
    ] as [([UInt8], ImagingError.Code)])
  func `Other bytes are refused`(bytes: [UInt8], code: ImagingError.Code) {
    let error = #expect(throws: ImagingError.self) { try insert(into: bytes, .example) }
    #expect(error?.code == code)
  }

  @Test func `Nothing is removed from bytes without a scan`() {
    #expect(removeFacts([]) == nil)
    #expect(removeFacts([0xff, 0xd8, 0xff, 0xd9]) == nil)
  }

  @Test func `Short memory is refused`() throws {
    let insertion = try unsafe JPEGFactsInsertion(into: jpeg.span.bytes, .example)
    func code(_ image: [UInt8], room: Int) -> ImagingError.Code? {
      var output = [UInt8](repeating: 0, count: room)
      var span = output.mutableSpan
      var bytes = unsafe span.mutableBytes
      do throws(ImagingError) {
        _ = try unsafe insertion.write(image.span.bytes, into: &bytes)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(jpeg, room: insertion.byteCount) == nil)
    #expect(code(jpeg, room: insertion.byteCount - 1) == .shortOutput)
    #expect(code(jpeg.dropLast(), room: insertion.byteCount) == .shortInput)
  }

  @Test func `Hostile bytes never end the process`() throws {
    var random = SeededGenerator(for: "hostile JPEGs with facts")
    let bare = withoutHuffmanTables(jpeg)
    let filled = try insert(into: jpeg, .example)
    var (written, refused) = (0, 0)
    for round in 0..<10_000 {
      let image = HostileBytes.next([jpeg, bare, filled][round % 3], &random)
      guard let result = try? insert(into: image, .example) else {
        refused += 1
        continue
      }
      written += 1
      #expect(result.count <= image.count + JPEGFactsInsertion.maximumGrowth)
      let hasTables = try JPEGHeader.read(image).hasHuffmanTables
      guard hasTables else { continue }
      #expect(removeFacts(result) == removeFacts(image))
    }
    #expect(written > 1000)
    #expect(refused > 1000)
  }

  private func insert(
    into image: [UInt8], _ facts: PhotoFacts, thumbnail: [UInt8] = []
  ) throws(ImagingError) -> [UInt8] {
    let insertion = try unsafe JPEGFactsInsertion(
      into: image.span.bytes, facts, thumbnail: thumbnail)
    var output = [UInt8](repeating: 0xaa, count: insertion.byteCount)
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = try unsafe insertion.write(image.span.bytes, into: &bytes)
    #expect(count == output.count)
    return output
  }

  private func removeFacts(_ image: [UInt8]) -> [UInt8]? {
    unsafe JPEGFactSegments.removed(from: image.span.bytes)
  }

  private func segment(_ marker: UInt8, _ text: String) -> [UInt8] {
    [0xff, marker, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
  }
}

/// The segments of a JPEG before its scan.
private struct Segments {
  var markers: [UInt8] = []
  var payloads: [[UInt8]] = []

  init(_ jpeg: [UInt8]) {
    var index = 2
    while jpeg[index + 1] != 0xda {
      let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
      markers.append(jpeg[index + 1])
      payloads.append(Array(jpeg[(index + 4)..<end]))
      index = end
    }
  }
}
