import Imaging
import TestSupport
import Testing

struct DNGFileTests {
  @Test(arguments: BayerPattern.allCases, [8, 10, 12, 14, 16])
  func `A file has every sample, the pattern and the levels`(
    pattern: BayerPattern, bits: Int
  ) throws {
    let picture = MosaicPicture.noise(
      ImageSize(width: 123, height: 45), pattern, bits: bits, black: 16)
    let reader = try TIFFReader(DNGFile.encode(picture, PhotoFacts()))
    let directories = try reader.directories()
    #expect(directories.count == 1)
    let main = directories[0]
    #expect(try reader.blocks(273, 279, of: main).flatMap(\.self) == picture.bytes)
    #expect(main[254]?.numbers == [0])
    #expect(main[256]?.numbers == [123])
    #expect(main[257]?.numbers == [45])
    #expect(main[258]?.numbers == [bits == 8 ? 8 : 16])
    #expect(main[262]?.numbers == [32_803])
    #expect(main[274]?.numbers == [1])
    #expect(main[277]?.numbers == [1])
    #expect(main[33_421]?.numbers == [2, 2])
    // The letters of the pattern's name, row by row.
    let names = try #require(main[33_422]).bytes.map { ["r", "g", "b"][Int($0)] }
    #expect(names.joined() == pattern.rawValue)
    #expect(main[50_710]?.bytes == [0, 1, 2])
    #expect(main[50_711]?.numbers == [1])
    #expect(main[50_714]?.numbers == [16])
    #expect(main[50_717]?.numbers == [(1 << bits) - 1])
    #expect(main[50_706]?.bytes == [1, 4, 0, 0])
    #expect(main[50_707]?.bytes == [1, 1, 0, 0])
    #expect(main[50_708]?.text == "Unknown camera")
    #expect(main[50_778]?.numbers == [21])
    // AsShotNeutral and BaselineExposure: grey, as bright as it is.
    #expect(main[50_728]?.type == 5)
    #expect(main[50_728]?.fractions == [[1, 1], [1, 1], [1, 1]])
    #expect(main[50_730]?.fractions == [[0, 1]])
    // The sensor's colours are none that EXIF knows.
    #expect(try reader.directory(0x8769, of: main)[0xa001]?.numbers == [0xffff])
  }

  @Test func `Without other knowledge the sensor sees sRGB`() throws {
    let main = try main(MosaicPicture.noise(ImageSize(width: 2, height: 2), .rggb, bits: 8))
    #expect(main[50_721]?.type == 10)
    let matrix = try #require(main[50_721]).fractions.map { Double($0[0]) / Double($0[1]) }
    // The white of daylight (D65) is as much red as green and blue.
    let white = [0.95047, 1, 1.08883]
    for row in 0..<3 {
      let sum = (0..<3).reduce(0) { $0 + matrix[3 * row + $1] * white[$1] }
      #expect(abs(sum - 1) < 0.001)
    }
    // The red of sRGB is seen by no other pixels.
    let red = [0.4124564, 0.2126729, 0.0193339]
    let seen = (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix[3 * row + $1] * red[$1] } }
    #expect(abs(seen[0] - 1) < 0.001 && abs(seen[1]) < 0.001 && abs(seen[2]) < 0.001)
  }

  @Test func `A colour matrix is written as it is given`() throws {
    let matrix = try #require(ColorMatrix([1.5, -0.25, 0, 0, 1, 0, 0, -1000, 1000]))
    let main = try main(
      MosaicPicture.noise(ImageSize(width: 2, height: 2), .rggb, bits: 8), matrix: matrix)
    #expect(
      main[50_721]?.fractions.map { $0[0] } == [
        15_000, -2500, 0, 0, 10_000, 0, 0, -10_000_000, 10_000_000,
      ])
    #expect(main[50_721]?.fractions.allSatisfy { $0[1] == 10_000 } == true)
  }

  @Test(
    arguments: [
      [], [1, 2, 3], [.nan, 0, 0, 0, 1, 0, 0, 0, 1], [1001, 0, 0, 0, 1, 0, 0, 0, 1],
    ] as [[Double]])
  func `Other factors are no colour matrix`(factors: [Double]) {
    #expect(ColorMatrix(factors) == nil)
  }

  @Test(arguments: [(-1, 0), (1022, 1022), (1023, 1022), (.max, 1022)])
  func `Black is darker than white`(given: Int, written: Int) throws {
    let picture = MosaicPicture.noise(
      ImageSize(width: 4, height: 2), .gbrg, bits: 10, black: given)
    let file = try DNGFile.encode(picture, PhotoFacts())
    #expect(try TIFFReader(file).directories()[0][50_714]?.numbers == [written])
  }

  @Test func `A file has what is known`() throws {
    let picture = MosaicPicture.noise(ImageSize(width: 4, height: 2), .rggb, bits: 12)
    let reader = try TIFFReader(DNGFile.encode(picture, .example))
    let main = try reader.directories()[0]
    #expect(main[50_708]?.text == "Maker Model 1")
    #expect(main[0x010f]?.text == "Maker")
    #expect(main[0x0112]?.numbers == [6])
    #expect(main[700]?.bytes == XMP.packet(.example))
    let exif = try reader.directory(0x8769, of: main)
    #expect(exif[0xa420]?.text == "000102030405060708090a0b0c0d0e0f")
  }

  @Test func `A picture without pixels is refused`() {
    let picture = MosaicPicture(
      size: ImageSize(width: 8, height: 0), pattern: .rggb, bits: 8, bytes: [])
    let error = #expect(throws: ImagingError.self) { try DNGFile.encode(picture, PhotoFacts()) }
    #expect(error?.code == .invalidSize)
  }

  private func main(
    _ picture: MosaicPicture, matrix: ColorMatrix = .sRGB
  ) throws -> TIFFReader.Directory {
    try TIFFReader(DNGFile.encode(picture, PhotoFacts(), colorMatrix: matrix)).directories()[0]
  }
}

extension MosaicPicture {
  /// Samples at random, in all their bits.
  static func noise(
    _ size: ImageSize, _ pattern: BayerPattern, bits: Int, black: Int = 0
  ) -> MosaicPicture {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<(size.width * size.height)).flatMap { _ -> [UInt8] in
      let sample = Int.random(in: 0..<(1 << bits), using: &random)
      return bits == 8 ? [UInt8(sample)] : [UInt8(sample & 255), UInt8(sample >> 8)]
    }
    return MosaicPicture(size: size, pattern: pattern, bits: bits, black: black, bytes: bytes)
  }
}
