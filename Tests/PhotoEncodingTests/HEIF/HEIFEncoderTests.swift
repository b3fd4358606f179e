import Foundation
@testable import HEIFEncoding
import Imaging
@testable import PhotoEncoding
import TestSupport
import Testing

struct HEIFEncoderTests {
  private static let sizes = ImageSize.each(
    (640, 480), (641, 479), (63, 61), (16, 16), (3, 5), (1, 9), (9, 1), (1, 1))

  @Test(
    arguments: HEIFFormat.allCases,
    sizes.flatMap { size in
      [ChromaSubsampling.grey, .yuv420, .yuv422].map { Shape(size: size, subsampling: $0) }
    })
  func `Other programs see the size and the colours`(format: HEIFFormat, shape: Shape) throws {
    let picture = PlanarPicture.patches(shape.size, shape.subsampling)
    let file = try HEIFEncoder.encode(PhotoJob(picture, as: format, quality: 90))
    let photo = try DecodedPhoto(file, format)
    #expect(photo.size == shape.size)
    let count = PlanarPicture.patchCount(shape.size)
    for patch in 0..<count {
      let color = Color.patches[patch]
      let expected = shape.subsampling == .grey ? color.grey : color
      let seen = photo.color(ofPatch: patch, of: count)
      #expect(seen.distance(to: expected) <= 3, "\(color) became \(seen)")
    }
  }

  struct Shape: Hashable, Sendable, CustomTestStringConvertible {
    var size: ImageSize
    var subsampling: ChromaSubsampling
    var testDescription: String { "\(size) \(subsampling)" }
  }

  @Test func `Chroma of 4-2-2 becomes the mean of two rows, and an odd last row stays`() throws {
    // Three rows of chroma: the middle one is the upper one's neighbour.
    let size = ImageSize(width: 64, height: 3)
    let luma = [UInt8](repeating: 128, count: 64 * 3)
    let blue = [100, 140, 160].flatMap { [UInt8](repeating: $0, count: 32) }
    let red = [UInt8](repeating: 128, count: 32 * 3)
    let picture = PlanarPicture(size: size, subsampling: .yuv422, bytes: luma + blue + red)
    let halved = PlanarPicture(
      size: size, subsampling: .yuv420,
      bytes: luma + [UInt8](repeating: 120, count: 32) + [UInt8](repeating: 160, count: 32)
        + [UInt8](repeating: 128, count: 64))
    let files = try [picture, halved].map {
      try HEIFEncoder.encode(PhotoJob($0, as: .avif, quality: 100))
    }
    #expect(files[0] == files[1])
  }

  @Test(arguments: HEIFFormat.allCases)
  func `The file says what its codes mean`(format: HEIFFormat) throws {
    let picture = PlanarPicture.patches(ImageSize(width: 64, height: 64), .yuv420)
    let file = try HEIFEncoder.encode(PhotoJob(picture, as: format, quality: 80))
    // A colr box of the type nclx: BT.709 primaries, sRGB, BT.601, full range (ITU-T H.273).
    let profile = Array("colrnclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80]
    #expect(Data(file).range(of: Data(profile)) != nil)
    // The picture is not turned by a box.
    #expect(Data(file).range(of: Data("irot".utf8)) == nil)
  }

  @Test(arguments: HEIFFormat.allCases, ImageSize.each((64, 64), (33, 31)))
  func `EXIF and XMP are in the file`(format: HEIFFormat, size: ImageSize) throws {
    let exif = Array("II*\0\u{8}\0\0\0\0\0\0\0\0\0".utf8)
    let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    let job = try PhotoJob(
      .patches(size, .yuv420), as: format, quality: 80, exif: exif, xmp: xmp)
    let file = Data(try HEIFEncoder.encode(job))
    // Before EXIF there are the four bytes of its offset (ISO/IEC 23008-12, annex A).
    #expect(file.range(of: Data([0, 0, 0, 0] + exif)) != nil)
    #expect(file.range(of: Data(xmp)) != nil)
    let folder = try TemporaryFolder()
    let path = try folder.write(file, to: "photo.\(format)")
    let words = String(decoding: try output(of: "heif-info", [path]), as: UTF8.self)
    #expect(words.contains("Exif: \(exif.count + 4) bytes"))
    #expect(words.contains("XMP: \(xmp.count) bytes"))
  }

  @Test(arguments: HEIFFormat.allCases)
  func `A higher quality makes a larger file`(format: HEIFFormat) throws {
    let picture = PlanarPicture.noise(ImageSize(width: 160, height: 120))
    let counts = try [1, 50, 90].map {
      try HEIFEncoder.encode(PhotoJob(picture, as: format, quality: $0)).count
    }
    #expect(counts == counts.sorted() && Set(counts).count == 3)
  }
}
