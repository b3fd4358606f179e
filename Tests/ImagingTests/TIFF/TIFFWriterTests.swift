import Testing

@testable import Imaging

struct TIFFWriterTests {
  @Test(
    arguments: [
      (.bytes([1, 2, 3]), 1, 3, [1, 2, 3]), (.ascii("cam"), 2, 4, [0x63, 0x61, 0x6d, 0]),
      (.ascii("camera"), 2, 7, [0x63, 0x61, 0x6d, 0x65, 0x72, 0x61, 0]),
      (.shorts([0x0102, 3]), 3, 2, [2, 1, 3, 0]), (.longs([0x0102_0304]), 4, 1, [4, 3, 2, 1]),
      (.rationals([Rational(1, 256)]), 5, 1, [1, 0, 0, 0, 0, 1, 0, 0]),
      (.signedBytes([-1, 1]), 6, 2, [255, 1]),
      (.undefined([9, 8, 7, 6, 5]), 7, 5, [9, 8, 7, 6, 5]),
      (.signedShorts([-2]), 8, 1, [254, 255]), (.signedLongs([-2]), 9, 1, [254, 255, 255, 255]),
      (.signedRationals([Rational(-2, 3)]), 10, 1, [254, 255, 255, 255, 3, 0, 0, 0]),
    ] as [(TIFFValue, Int, Int, [UInt8])])
  func `A value has its type, its count and its bytes`(
    value: TIFFValue, type: Int, count: Int, bytes: [UInt8]
  ) throws {
    var directory = TIFFDirectory()
    directory[.make] = value
    // An odd length before it.
    directory[.imageDescription] = .ascii("description.")
    let entry = try #require(TIFFReader(TIFFWriter.write([directory])).directories()[0][271])
    #expect(entry.type == type)
    #expect(entry.count == count)
    #expect(entry.bytes == bytes)
  }

  @Test func `Entries are in the order of their tags, and a removed one is left out`() throws {
    var directory = TIFFDirectory()
    for tag in [TIFFTag.xmp, .make, .exifDirectory, .imageWidth] { directory[tag] = .short(1) }
    directory[.make] = nil
    // The reader refuses another order.
    let directories = try TIFFReader(TIFFWriter.write([directory])).directories()
    #expect(directories.count == 1)
    #expect(directories[0].keys.sorted() == [256, 700, 34_665])
  }

  @Test func `Directories lie in one another and follow one another`() throws {
    var (main, exif, gps, second) = (
      TIFFDirectory(), TIFFDirectory(), TIFFDirectory(), TIFFDirectory()
    )
    exif[.exifVersion] = .undefined(Array("0232".utf8))
    exif[.imageUniqueID] = .ascii("0123456789")
    gps[.gpsVersion] = .bytes([2, 3, 0, 0])
    main[.exifDirectory] = .directory(exif)
    main[.gpsDirectory] = .directory(gps)
    second[.thumbnailOffset] = .blocks([[1, 2, 3]])
    second[.thumbnailByteCount] = .long(3)
    let reader = try TIFFReader(TIFFWriter.write([main, second]))
    let directories = try reader.directories()
    #expect(directories.count == 2)
    #expect(try reader.directory(34_665, of: directories[0])[0xa420]?.text == "0123456789")
    #expect(try reader.directory(34_853, of: directories[0])[0]?.numbers == [2, 3, 0, 0])
    #expect(try reader.blocks(513, 514, of: directories[1]) == [[1, 2, 3]])
  }

  @Test func `Blocks of odd lengths follow everything else of their directory`() throws {
    var directory = TIFFDirectory()
    directory[.stripOffsets] = .blocks([[1, 2, 3], [4], [5, 6]])
    directory[.stripByteCounts] = .longs([3, 1, 2])
    directory[.xmp] = .bytes([7, 8, 9, 10, 11])
    let reader = try TIFFReader(TIFFWriter.write([directory]))
    let main = try reader.directories()[0]
    #expect(try reader.blocks(273, 279, of: main) == [[1, 2, 3], [4], [5, 6]])
    #expect(try #require(main[700]).place < #require(main[273]).numbers[0])
    #expect(reader.bytes.suffix(2) == [5, 6])
  }
}
