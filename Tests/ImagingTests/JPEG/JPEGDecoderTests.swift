import Imaging
import TestSupport
import Testing

struct JPEGDecoderTests {
  private let jpeg: [UInt8]
  private let size = ImageSize(width: 320, height: 240)

  init() throws {
    jpeg = try TestJPEG.bars(size)
  }

  private func decodingError(_ bytes: [UInt8]) -> ImagingError? {
    #expect(throws: ImagingError.self) { try Picture(bytes) }
  }

  @Test(
    arguments: [
      (nil, 320, 240), ((320, 240), 320, 240), ((161, 120), 320, 240), ((160, 120), 160, 120),
      ((90, 60), 160, 120), ((80, 60), 80, 60), ((40, 30), 40, 30), ((1, 1), 40, 30),
      ((1000, 1000), 320, 240),
    ] as [((Int, Int)?, Int, Int)])
  func `A picture is decoded at the smallest scale that is at least the target`(
    target: (Int, Int)?,
    width: Int,
    height: Int
  ) throws {
    let picture = try Picture(
      jpeg,
      atLeast: target.map { ImageSize(width: $0.0, height: $0.1) }
    )
    #expect(picture.size == ImageSize(width: width, height: height))
    #expect(picture.pixels.count == 3 * width * height)
    for (index, color) in Color.bars.enumerated() {
      #expect(picture.barColor(index, of: 8).distance(to: color) <= 4)
    }
  }

  @Test func `The size is read from the headers alone`() throws {
    let decoder = try JPEGDecoder()
    let cut = Array(jpeg[..<(jpeg.count / 2)])
    #expect(try unsafe decoder.size(of: cut.span.bytes) == size)
    #expect(throws: ImagingError.self) { try unsafe decoder.size(of: [UInt8]().span.bytes) }
  }

  @Test(arguments: [[], [0xff], Array("not a picture".utf8)] as [[UInt8]])
  func `Bytes that are not a JPEG are refused`(bytes: [UInt8]) {
    #expect(decodingError(bytes)?.code == .notJPEG)
  }

  @Test func `A JPEG that is cut off is refused as truncated, with the codec's message`() {
    let error = decodingError(Array(jpeg[..<(jpeg.count / 2)]))
    #expect(error?.code == .truncated)
    #expect(error?.message.contains("libturbojpeg says: Premature end of JPEG file") == true)
  }

  @Test func `A header that promises more pixels than there are bytes for is refused`() throws {
    var lying = jpeg
    let frame = try #require(lying.indices.first { lying[$0] == 0xff && lying[$0 + 1] == 0xc0 })
    // The height and the width: 16384.
    lying.replaceSubrange(frame + 5..<frame + 9, with: [0x40, 0, 0x40, 0])
    let error = decodingError(lying)
    #expect(error?.code == .truncated)
    #expect(error?.message.contains("16384x16384") == true)
  }

  @Test func `A damaged JPEG is refused as corrupt`() throws {
    let noise = try TestJPEG.bars()
    let header = try #require(noise.firstIndex(of: 0xda))
    var damaged = noise
    for index in (header + 40)..<(header + 140) { damaged[index] = 0x55 }
    #expect(decodingError(damaged)?.code == .corrupt)
  }

  /// Breaches of the rules that change nothing of the picture.
  enum Breach: CaseIterable, Sendable {
    case unknownVersion, scanOfZeros

    func apply(to jpeg: inout [UInt8]) throws {
      switch self {
      case .unknownVersion:
        let name = try #require(jpeg.firstRange(of: Array("JFIF\0".utf8)))
        jpeg[name.upperBound] = 5
      case .scanOfZeros:
        let scan = try #require(jpeg.firstRange(of: [0xff, 0xda]))
        let length = Int(jpeg[scan.upperBound]) << 8 | Int(jpeg[scan.upperBound + 1])
        let end = scan.upperBound + length
        jpeg.replaceSubrange(end - 3..<end, with: [0, 0, 0])
      }
    }
  }

  @Test(arguments: Breach.allCases)
  func `A breach of the rules that changes nothing is accepted`(breach: Breach) throws {
    var odd = jpeg
    try breach.apply(to: &odd)
    #expect(try Picture(odd).pixels == Picture(jpeg).pixels)
  }

  @Test(arguments: Breach.allCases)
  func `Damage behind a breach of the rules is found`(breach: Breach) throws {
    var cut = Array(jpeg[..<(jpeg.count * 2 / 3)]) + jpeg.suffix(2)
    try breach.apply(to: &cut)
    #expect(decodingError(cut) != nil)
  }

  @Test func `Many stray bytes are lost blocks`() throws {
    var strayed = jpeg
    strayed.insert(contentsOf: [UInt8](repeating: 0x5a, count: 40), at: jpeg.count - 2)
    #expect(decodingError(strayed)?.code == .corrupt)
  }

  @Test func `A stray byte before the end marker, as many cameras send it, is accepted`() throws {
    var strayed = jpeg
    strayed.insert(0x00, at: jpeg.count - 2)
    #expect(try Picture(strayed).pixels == Picture(jpeg).pixels)
  }

  @Test func `A JPEG whose header claims an enormous size is refused`() throws {
    var enormous = jpeg
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xff, 0xc0]) })
    enormous.replaceSubrange((frame + 5)..<(frame + 9), with: [0x40, 0x01, 0x40, 0x01])
    #expect(decodingError(enormous)?.code == .invalidSize)
  }

  @Test(
    arguments: [
      [0xff, 0xd8, 0xff, 0x63, 0, 0], [0xff, 0xd8, 0xff, 0xc0, 0, 4, 1, 2], [0xff, 0xd8], [1],
    ] as [[UInt8]])
  func `After a bad header the next picture is decoded`(bad: [UInt8]) throws {
    let decoder = try JPEGDecoder()
    for _ in 0..<3 {
      #expect(throws: ImagingError.self) { try unsafe decoder.decodeRGB(bad.span.bytes) }
      #expect(try unsafe decoder.decodeRGB(jpeg.span.bytes).size == size)
    }
  }

  @Test func `Hostile bytes never end the process`() throws {
    var random = SeededGenerator(for: "hostile JPEGs")
    let small = try TestJPEG.bars(ImageSize(width: 48, height: 32), .yu12)
    let decoder = try JPEGDecoder()
    for _ in 0..<500 {
      let bytes = HostileBytes.next(small, &random)
      do {
        let (size, pixels) = try unsafe decoder.decodeRGB(
          bytes.span.bytes,
          atLeast: ImageSize(width: 20, height: 20)
        )
        #expect(pixels.count == 3 * size.width * size.height, "\(random)")
      } catch {
        #expect(!error.message.isEmpty, "\(random)")
      }
    }
    // The decoder still works afterwards.
    #expect(try unsafe decoder.decodeRGB(jpeg.span.bytes).size == size)
  }
}
