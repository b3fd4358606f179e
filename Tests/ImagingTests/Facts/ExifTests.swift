import Imaging
import Testing

struct ExifTests {
  private let size = ImageSize(width: 1920, height: 1080)

  private struct Directories {
    var main, exif: TIFFReader.Directory
    var gps, thumbnail: TIFFReader.Directory?
    var thumbnailBytes: [UInt8]?

    init(_ facts: PhotoFacts, _ size: ImageSize, thumbnail bytes: [UInt8] = []) throws {
      let reader = try TIFFReader(Exif.stream(facts, size: size, thumbnail: bytes))
      let directories = try reader.directories()
      main = directories[0]
      exif = try reader.directory(0x8769, of: main)
      gps = main[0x8825] == nil ? nil : try reader.directory(0x8825, of: main)
      thumbnail = directories.count > 1 ? directories[1] : nil
      thumbnailBytes = try thumbnail.map { try reader.blocks(513, 514, of: $0)[0] }
    }
  }

  @Test func `Everything that is known is written`() throws {
    let directories = try Directories(.example, size)
    let (main, exif) = (directories.main, directories.exif)
    #expect(main[0x010e]?.text == "Stra?e & Br?cke")
    #expect(main[0x010f]?.text == "Maker")
    #expect(main[0x0110]?.text == "Model 1")
    #expect(main[0x0112]?.numbers == [6])
    #expect(main[0x0131]?.text == "CameraBus 1.2.3")
    #expect(exif[0x829a]?.fractions == [[1, 100]])
    #expect(exif[0x829d]?.fractions == [[9, 5]])
    #expect(exif[0x8827]?.numbers == [400])
    #expect(exif[0x9204]?.type == 10)
    #expect(exif[0x9204]?.fractions == [[-133, 100]])
    // 36 mm x 1500 / 1920, and 15000 / 4.3 pixels on a centimetre.
    #expect(exif[0xa405]?.type == 3)
    #expect(exif[0xa405]?.numbers == [28])
    let resolution = [0xa20e, 0xa20f].map { tag in
      exif[tag]?.fractions.map { Double($0[0]) / Double($0[1]) } ?? []
    }
    #expect(abs(resolution[0][0] - 15_000 / 4.3) < 0.001)
    #expect(abs(resolution[1][0] - 15_055 / 4.3) < 0.001)
    #expect(exif[0xa210]?.numbers == [3])
    #expect(exif[0x9209]?.numbers == [1])
    #expect(exif[0x920a]?.fractions == [[43, 10]])
    #expect(exif[0x9286]?.type == 7)
    #expect(exif[0x9286]?.bytes == Array("ASCII\0\0\0by the third robot".utf8))
    #expect(exif[0xa404]?.fractions == [[3, 2]])
    #expect(exif[0xa420]?.text == "000102030405060708090a0b0c0d0e0f")
  }

  @Test func `The wall clock is local, with its offset and its microseconds`() throws {
    let directories = try Directories(.example, size)
    #expect(directories.main[0x0132]?.text == "2026:05:04 06:41:12")
    for tag in [0x9003, 0x9004] {
      #expect(directories.exif[tag]?.text == "2026:05:04 06:41:12")
    }
    for tag in [0x9010, 0x9011, 0x9012] { #expect(directories.exif[tag]?.text == "-03:30") }
    for tag in [0x9290, 0x9291, 0x9292] { #expect(directories.exif[tag]?.text == "345678") }
  }

  @Test(
    arguments: [
      (0, 0, "1970:01:01 00:00:00", "+00:00", "000000"),
      (-1, 60, "1970:01:01 00:59:59", "+01:00", "999999"),
      (1_709_164_800_000_001_000, 839, "2024:02:29 13:59:00", "+13:59", "000001"),
      (0, 1440, "1970:01:01 00:00:00", "+00:00", "000000"),
      (.max, 1439, "2262:04:11 23:47:16", "+23:59", "854775"),
      (.min, -1439, "1677:09:21 00:12:43", "-23:59", "145224"),
    ] as [(Int64, Int, String, String, String)])
  func `Any moment has a date`(
    nanoseconds: Int64, utcOffset: Int, date: String, offset: String, fraction: String
  ) throws {
    var facts = PhotoFacts()
    facts.moment = PhotoFacts.Moment(nanoseconds: nanoseconds, utcOffset: utcOffset)
    let exif = try Directories(facts, size).exif
    #expect(exif[0x9003]?.text == date)
    #expect(exif[0x9011]?.text == offset)
    #expect(exif[0x9291]?.text == fraction)
  }

  @Test func `Only what the standard demands is written if nothing is known`() throws {
    let directories = try Directories(PhotoFacts(), size)
    #expect(directories.main.keys.sorted() == [0x011a, 0x011b, 0x0128, 0x0213, 0x8769])
    #expect(directories.main[0x011a]?.fractions == [[72, 1]])
    #expect(directories.main[0x011b]?.fractions == [[72, 1]])
    #expect(directories.main[0x0128]?.numbers == [2])
    #expect(directories.main[0x0213]?.numbers == [1])
    let exif = directories.exif
    #expect(exif.keys.sorted() == [0x9000, 0x9101, 0xa000, 0xa001, 0xa002, 0xa003])
    #expect(exif[0x9000]?.bytes == Array("0232".utf8))
    #expect(exif[0x9101]?.bytes == [1, 2, 3, 0])
    #expect(exif[0xa000]?.bytes == Array("0100".utf8))
    #expect(exif[0xa001]?.numbers == [1])
    #expect(exif[0xa002]?.numbers == [1920])
    #expect(exif[0xa003]?.numbers == [1080])
    #expect(directories.gps == nil)
    #expect(directories.thumbnail == nil)
  }

  @Test func `Values that make no sense are left out`() throws {
    var facts = PhotoFacts()
    (facts.make, facts.model, facts.comment) = ("", " \u{0} ", "\u{7f}")
    facts.exposureTime = -1
    facts.iso = 65_536
    (facts.focalLength, facts.fNumber, facts.zoom) = (.nan, 0, -1)
    facts.exposureBias = .nan
    facts.view = AngleOfView(
      size: ImageSize(width: 10, height: 10), horizontal: 1e9, vertical: .nan)
    facts.uniqueID = [1, 2, 3]
    let directories = try Directories(facts, size)
    let nothing = try Directories(PhotoFacts(), size)
    #expect(directories.main.keys == nothing.main.keys)
    #expect(directories.exif.keys == nothing.exif.keys)
    facts.iso = 0
    #expect(try Directories(facts, size).exif.keys == nothing.exif.keys)
  }

  @Test func `A flash that did not fire is known too`() throws {
    var facts = PhotoFacts()
    facts.flashFired = false
    #expect(try Directories(facts, size).exif[0x9209]?.numbers == [0])
  }

  @Test func `Texts of a hostile camera become short printable ASCII`() throws {
    var facts = PhotoFacts()
    facts.make = " \u{1b}[31mUSB\n\u{0}Ünïcode\u{202e} "
    facts.model = String(repeating: "m", count: 100_000)
    facts.description = String(repeating: "d", count: 100_000)
    facts.comment = String(repeating: "c", count: 100_000)
    let directories = try Directories(facts, size)
    #expect(directories.main[0x010f]?.text == "[31mUSB?n?code?")
    #expect(directories.main[0x0110]?.text == String(repeating: "m", count: 200))
    #expect(directories.main[0x010e]?.text == String(repeating: "d", count: 2000))
    #expect(directories.exif[0x9286]?.count == 2008)
  }

  @Test func `A position is written in degrees, minutes and seconds`() throws {
    let gps = try #require(Directories(.example, size).gps)
    #expect(gps[0]?.bytes == [2, 3, 0, 0])
    #expect(gps[1]?.text == "S")
    #expect(gps[2]?.fractions == [[33, 1], [51, 1], [24_423_840, 1_000_000]])
    #expect(gps[3]?.text == "E")
    #expect(gps[4]?.fractions == [[151, 1], [12, 1], [55_068_120, 1_000_000]])
    #expect(gps[5]?.bytes == [1])
    #expect(gps[6]?.fractions == [[13, 4]])
    #expect(gps[27]?.type == 7)
    #expect(gps[27]?.bytes == Array("ASCII\0\0\0MANUAL".utf8))
  }

  @Test(arguments: zip(GeographicPosition.Source.allCases, ["GPS", "CELLID", "WLAN", "MANUAL"]))
  func `The source of a position has the name that the standard gives it`(
    source: GeographicPosition.Source, name: String
  ) throws {
    var facts = PhotoFacts()
    facts.position = GeographicPosition(latitude: 1, longitude: 2, source: source)
    let gps = try #require(Directories(facts, size).gps)
    #expect(gps[27]?.bytes.suffix(from: 8) == Array(name.utf8)[...])
  }

  @Test func `A position without a height, and one that is rounded up, are right`() throws {
    var facts = PhotoFacts()
    facts.position = GeographicPosition(latitude: 11.999_999_999_99, longitude: -180)
    let gps = try #require(Directories(facts, size).gps)
    #expect(gps.keys.sorted() == [0, 1, 2, 3, 4])
    #expect(gps[1]?.text == "N")
    #expect(gps[2]?.fractions == [[12, 1], [0, 1], [0, 1_000_000]])
    #expect(gps[3]?.text == "W")
    #expect(gps[4]?.fractions == [[180, 1], [0, 1], [0, 1_000_000]])
    facts.position = GeographicPosition(latitude: 0, longitude: 0, altitude: .nan)
    #expect(try Directories(facts, size).gps?.keys.sorted() == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [(90.1, 0), (0, -180.1), (.nan, 0), (0, .infinity)])
  func `Angles that no place has are refused`(latitude: Double, longitude: Double) {
    #expect(GeographicPosition(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func `A thumbnail has a directory of its own`() throws {
    let jpeg = try TestJPEG.bars(ImageSize(width: 160, height: 120))
    let directories = try Directories(.example, size, thumbnail: jpeg)
    #expect(directories.thumbnailBytes == jpeg)
    #expect(directories.thumbnail?[0x0103]?.numbers == [6])
    #expect(
      directories.thumbnail?.keys.sorted() == [0x0103, 0x011a, 0x011b, 0x0128, 0x0201, 0x0202])
  }

  @Test func `A thumbnail that is too large or no JPEG is left out`() throws {
    let largest = [0xff, 0xd8] + [UInt8](repeating: 0, count: Exif.maximumThumbnailByteCount - 2)
    #expect(try Directories(.example, size, thumbnail: largest).thumbnailBytes == largest)
    #expect(try Directories(.example, size, thumbnail: largest + [0]).thumbnail == nil)
    #expect(try Directories(.example, size, thumbnail: [0xff]).thumbnail == nil)
  }
}
