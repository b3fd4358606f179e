import Foundation
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// What is kept of a photo on the disk, which nodes of later versions read.
struct DeferredRecordTests {
  /// A file that never changes. A new version gets one of its own, which CAMERABUS_GOLDEN=write
  /// makes.
  private static func golden(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Golden/\(name)")
  }

  private static func sample() throws -> KeptFrames {
    var order = PhotoOrder([PhotoFileOrder(.png), PhotoFileOrder(.jpeg, quality: 71)])
    (order.prioritization, order.isDeferred, order.tolerance) = (.quality, true, 5_000_000)
    order.orientation = OrientationChange(rotation: .quarter, isMirrored: true)
    order.dimensions = ImageSize(width: 8, height: 6)
    var facts = PhotoFacts()
    (facts.make, facts.model, facts.camera) = ("Maker", "Model 3", "front")
    (facts.exposureTime, facts.iso, facts.flashFired) = (8_000_000, 200, false)
    facts.uniqueID = Array(0..<16)
    var place = PhotoPlace(moment: MonotonicTime(nanoseconds: 5_000_000_000))
    (place.prioritization, place.candidates, place.start) = (.quality, 6...9, -3)
    let size = ImageSize(width: 4, height: 2)
    let frames = try [
      Frame.sample(at: 5_000_000_001, shade: 20, size: size),
      Frame.sample(at: 5_033_000_001, shade: 40, size: size),
    ]
    return KeptFrames(
      order: order, orientation: Orientation(.quarter), facts: facts, picture: 2, place: place,
      frames: frames, moment: frames[1])
  }

  private static func bytes(_ frame: Frame) -> [UInt8] {
    frame.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
  }

  private static func expectSample(_ kept: KeptFrames) throws {
    let sample = try sample()
    #expect(kept.order == sample.order && kept.orientation == sample.orientation)
    #expect(kept.facts == sample.facts && kept.picture == 2)
    #expect(kept.place.moment == sample.place.moment && kept.place.candidates == 6...9)
    #expect(kept.place.prioritization == .quality && kept.place.start == -3)
    #expect(kept.frames.map(\.layout) == sample.frames.map(\.layout))
    #expect(kept.frames.map(bytes) == sample.frames.map(bytes))
    #expect(kept.frames.map(\.metadata) == sample.frames.map(\.metadata))
    #expect(kept.moment === kept.frames[1])
  }

  @Test func `The bytes of a record are those of its version`() throws {
    let record = try DeferredRecord(Self.sample())
    let (bytes, file) = (record.encoded(), Self.golden("deferred-photo-\(DeferredRecord.version)"))
    if ProcessInfo.processInfo.environment["CAMERABUS_GOLDEN"] == "write" {
      try Data(bytes).write(to: file)
    }
    let kept = try Array(Data(contentsOf: file))
    #expect(bytes == kept)
    #expect(bytes.count == record.byteCount)
  }

  /// The first nodes that kept photos wrote the keys of the note in any order.
  @Test(arguments: ["deferred-photo-1", "deferred-photo-1-any-order"])
  func `What version 1 has kept is read`(name: String) throws {
    let bytes = try Array(Data(contentsOf: Self.golden(name)))
    #expect(DeferredRecord.version(of: bytes) == 1)
    try Self.expectSample(DeferredRecord.decode(bytes))
  }

  @Test func `A record of another version is refused by its number`() throws {
    let bytes = Array("CameraBus photo 2\nwhat only version 2 knows".utf8)
    let error = #expect(throws: CaptureError.self) { try DeferredRecord.decode(bytes) }
    #expect(error?.message.contains("has version 2") == true)
    #expect(DeferredPhoto(bytes).foreignness == error)
    for other in ["", "CameraBus photo ", "CameraBus photo x\n", "CameraBus photo 1\n", "Else 2\n"]
    {
      #expect(DeferredPhoto(Array(other.utf8)).foreignness == nil)
    }
  }
}
