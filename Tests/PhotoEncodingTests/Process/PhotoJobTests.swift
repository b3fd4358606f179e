import Imaging
@testable import PhotoEncoding
import TestSupport
import Testing

struct PhotoJobTests {
  private static let picture = PlanarPicture.patches(ImageSize(width: 321, height: 7), .yuv422)

  private static func header() throws -> PhotoJobHeader {
    try PhotoJobHeader(
      PhotoJob(picture, as: .heic, quality: 73, exif: [1, 2, 3], xmp: [4, 5]))
  }

  @Test func `A job's header comes back as it was`() throws {
    let header = try Self.header()
    #expect(header.bytes.count == PhotoJobHeader.byteCount)
    #expect(try PhotoJobHeader(header.bytes) == header)
    #expect(header.sampleCount == Self.picture.bytes.count)
    #expect(header.exifCount == 3 && header.xmpCount == 2)
  }

  @Test(
    arguments: [
      (0, 0), (4, 0), (4, 3), (5, 3), (6, 0), (6, 101), (7, 1), (8, 0), (10, 1), (12, 0), (15, 1),
      (19, 2), (23, 2),
    ] as [(Int, UInt8)])
  func `A forged header is refused`(place: Int, value: UInt8) throws {
    var bytes = try Self.header().bytes
    bytes[place] = value
    if place == 8 { bytes[9] = 0 }
    let error = #expect(throws: ImagingError.self) { try PhotoJobHeader(bytes) }
    #expect(error?.code == .corrupt)
  }

  @Test func `A header that is cut off is refused`() throws {
    let bytes = try Self.header().bytes
    #expect(throws: ImagingError.self) { try PhotoJobHeader(Array(bytes.dropLast())) }
  }

  @Test(arguments: [(-5, 1), (0, 1), (100, 100), (1000, 100)])
  func `A quality beyond the limits becomes the nearest`(quality: Int, expected: Int) throws {
    #expect(try PhotoJob(Self.picture, as: .avif, quality: quality).quality == expected)
  }

  @Test func `Pictures that no encoder takes are refused`() throws {
    let large = PlanarPicture(
      size: ImageSize(width: 16_385, height: 1), subsampling: .grey,
      bytes: [UInt8](repeating: 0, count: 16_385))
    let full = PlanarPicture.patches(ImageSize(width: 16, height: 16), .yuv444)
    for (picture, code) in [(large, ImagingError.Code.invalidSize), (full, .unsupportedFormat)] {
      let error = #expect(throws: ImagingError.self) {
        try PhotoJob(picture, as: .avif, quality: 80)
      }
      #expect(error?.code == code)
    }
  }

  @Test func `Metadata beyond the limit are refused`() throws {
    let large = [UInt8](repeating: 0, count: PhotoJob.maximumMetadata + 1)
    for (exif, xmp) in [(large, []), ([], large)] {
      let error = #expect(throws: ImagingError.self) {
        try PhotoJob(Self.picture, as: .avif, quality: 80, exif: exif, xmp: xmp)
      }
      #expect(error?.code == .invalidMetadata)
    }
  }

  @Test func `An answer's header comes back as it was, and a forged one is refused`() throws {
    let job = try Self.header()
    let reply = PhotoReplyHeader(isFile: true, count: 1234, resident: 5 << 20)
    #expect(try PhotoReplyHeader(reply.bytes, of: job) == reply)
    let forged = [
      PhotoReplyHeader(isFile: true, count: 2 << 20, resident: 0).bytes,
      PhotoReplyHeader(isFile: true, count: 0, resident: 0).bytes,
      PhotoReplyHeader(isFile: false, count: 1001, resident: 0).bytes,
      [UInt8](repeating: 0, count: 16), Array("<html><body>404\n".utf8),
    ]
    for bytes in forged {
      let error = #expect(throws: ImagingError.self) { try PhotoReplyHeader(bytes, of: job) }
      #expect(error?.code == .encoderLost)
    }
  }
}
