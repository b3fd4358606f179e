import Foundation
import Imaging
import TestSupport
import Testing

/// The folder to write to, if there is one.
private let photoFolder = ProcessInfo.processInfo.environment["CAMERABUS_PHOTO_FILES"]

/// Writes files for other programs to read: `exiftool -validate -warning -a`, `tiffinfo`, `dcraw`
/// and the like. `CAMERABUS_PHOTO_FILES` names the folder. Beside each file that keeps its samples
/// is one that has only them.
@Suite(.enabled(if: photoFolder != nil))
struct PhotoFilesTests {
  @Test func `JPEG files are written`() throws {
    let jpeg = try TestJPEG.bars()
    let thumbnail = try TestJPEG.bars(ImageSize(width: 160, height: 120))
    try write(jpeg, "camera.jpg")
    try write(insert(into: jpeg, .example, thumbnail), "full.jpg")
    try write(insert(into: withoutHuffmanTables(jpeg), .example, thumbnail), "tables.jpg")
    try write(insert(into: jpeg, PhotoFacts()), "empty.jpg")
    try write(insert(into: TestJPEG.bars(.init(width: 64, height: 48), .grey), .hostile), "odd.jpg")
    for value in 1...8 {
      var facts = PhotoFacts()
      facts.orientation = Orientation(exifValue: value)
      try write(insert(into: jpeg, facts), "turned-\(value).jpg")
    }
  }

  @Test(arguments: Bitmap.Samples.allCases)
  func `TIFF files are written`(samples: Bitmap.Samples) throws {
    for (size, facts, name) in [
      (ImageSize(width: 640, height: 480), PhotoFacts.example, "full"),
      (ImageSize(width: 37, height: 29), PhotoFacts(), "empty"),
      (ImageSize(width: 1, height: 1), PhotoFacts.hostile, "odd"),
    ] {
      let picture = Bitmap.noise(size, samples)
      try write(TIFFFile.encode(picture, facts), "\(name)-\(samples).tif")
      try write(picture.bytes, "\(name)-\(samples).tif.samples")
    }
  }

  @Test(arguments: BayerPattern.allCases, [8, 10, 12, 14, 16])
  func `DNG files are written`(pattern: BayerPattern, bits: Int) throws {
    let picture = MosaicPicture.noise(ImageSize(width: 322, height: 243), pattern, bits: bits)
    let name = "\(pattern.rawValue)-\(bits).dng"
    var facts = PhotoFacts.example
    // Programs that turn the picture would not show its samples in the file's order.
    facts.orientation = .upright
    try write(DNGFile.encode(picture, facts), "full-\(name)")
    let lifted = MosaicPicture(
      size: picture.size, pattern: pattern, bits: bits, black: 16, bytes: picture.bytes)
    try write(DNGFile.encode(lifted, PhotoFacts()), "empty-\(name)")
    try write(picture.bytes, "full-\(name).samples")
    try write(picture.bytes, "empty-\(name).samples")
  }

  private func insert(
    into image: [UInt8], _ facts: PhotoFacts, _ thumbnail: [UInt8] = []
  ) throws -> [UInt8] {
    let insertion = try unsafe JPEGFactsInsertion(
      into: image.span.bytes, facts, thumbnail: thumbnail)
    var output = [UInt8](repeating: 0, count: insertion.byteCount)
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    _ = try unsafe insertion.write(image.span.bytes, into: &bytes)
    return output
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let folder = try #require(photoFolder)
    try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
  }
}

extension PhotoFacts {
  /// Texts that a hostile camera and a hostile client give, and numbers at the limits.
  fileprivate static var hostile: PhotoFacts {
    var facts = PhotoFacts.example
    let text =
      " \u{0}\u{1b}[31m</camerabus:camera>&\"'\u{202e}\u{ffff}ü\n"
      + String(repeating: "x", count: 5000)
    (facts.make, facts.model, facts.camera, facts.software) = (text, text, text, text)
    (facts.description, facts.comment, facts.requestID) = (text, text, text)
    facts.timing.clockSource = text
    facts.moment = Moment(nanoseconds: .min, utcOffset: -1439)
    facts.exposureTime = .max
    (facts.focalLength, facts.fNumber, facts.zoom) = (.infinity, -1, 1e300)
    facts.position = GeographicPosition(
      latitude: 90, longitude: -180, altitude: 1e300, source: .satellites)
    facts.iso = 65_535
    return facts
  }
}
