import Imaging
import TestSupport
import Testing

struct OrientationJPEGTests {
  /// A TIFF file with one directory, in which another tag comes before the orientation.
  private static func tiff(_ value: UInt8, isLittleEndian: Bool, type: UInt8 = 3) -> [UInt8] {
    let short = { (number: UInt16) in
      let bytes = [UInt8(number >> 8), UInt8(number & 0xff)]
      return isLittleEndian ? bytes.reversed() : bytes
    }
    let long = { (number: UInt16) in
      isLittleEndian ? short(number) + [0, 0] : [0, 0] + short(number)
    }
    var bytes = Array((isLittleEndian ? "II" : "MM").utf8) + short(42) + long(8) + short(2)
    bytes += short(0x0100) + short(3) + long(1) + short(77) + [0, 0]
    bytes += short(0x0112) + short(UInt16(type)) + long(1) + short(UInt16(value)) + [0, 0]
    return bytes + long(0)
  }

  private static func jpeg(_ payload: [UInt8], marker: UInt8 = 0xe1) throws -> [UInt8] {
    let jpeg = try TestJPEG.bars(ImageSize(width: 32, height: 16))
    let length = payload.count + 2
    return Array(jpeg[..<2]) + [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + payload
      + Array(jpeg[2...])
  }

  private static let exif = Array("Exif\0\0".utf8)

  private func orientation(_ jpeg: [UInt8]) -> Orientation {
    unsafe Orientation(ofJPEG: jpeg.span.bytes)
  }

  @Test(arguments: 1...8, [true, false])
  func `The tag is read in both byte orders`(value: UInt8, isLittleEndian: Bool) throws {
    let jpeg = try Self.jpeg(Self.exif + Self.tiff(value, isLittleEndian: isLittleEndian))
    #expect(orientation(jpeg) == Orientation(exifValue: Int(value)))
  }

  @Test func `A segment of XMP before it is passed over`() throws {
    let exif = try Self.jpeg(Self.exif + Self.tiff(6, isLittleEndian: true))
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)
    let jpeg =
      Array(exif[..<2]) + [0xff, 0xe1, 0, UInt8(xmp.count + 2)] + xmp + Array(exif[2...])
    #expect(orientation(jpeg) == Orientation(.quarter))
  }

  @Test func `Without the tag, or with one that means nothing, a picture is upright`() throws {
    #expect(orientation(try TestJPEG.bars(ImageSize(width: 32, height: 16))) == .upright)
    #expect(orientation([]) == .upright)
    for (value, type) in [(0, 3), (9, 3), (6, 4)] as [(UInt8, UInt8)] {
      let tiff = Self.tiff(value, isLittleEndian: true, type: type)
      #expect(orientation(try Self.jpeg(Self.exif + tiff)) == .upright)
    }
    // In another segment it is something else.
    let tiff = Self.tiff(6, isLittleEndian: true)
    #expect(orientation(try Self.jpeg(Self.exif + tiff, marker: 0xe2)) == .upright)
  }

  @Test func `Data that are cut off or hostile never end the process`() throws {
    let payload = Self.exif + Self.tiff(6, isLittleEndian: false)
    for count in 0..<payload.count - 4 - 12 {
      #expect(orientation(try Self.jpeg(Array(payload[..<count]))) == .upright)
    }
    var random = SeededGenerator(for: "hostile EXIF")
    for _ in 0..<500 {
      _ = orientation(try Self.jpeg(HostileBytes.next(payload, &random)))
    }
    for offset in [0xff, 0xf0] as [UInt8] {
      var far = payload
      far.replaceSubrange(10..<14, with: [offset, 0xff, 0xff, 0xff])
      #expect(orientation(try Self.jpeg(far)) == .upright)
    }
  }
}
