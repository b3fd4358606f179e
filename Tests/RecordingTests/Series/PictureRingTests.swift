import Capture
import OperatingSystem
import TestSupport
import Testing

@testable import Recording

struct PictureRingTests {
  private func metadata(_ time: Int, isKey: Bool) throws -> FrameMetadata {
    var metadata = try Frame.jpeg([0], at: Int64(time) * 1_000_000).metadata
    metadata.dependence = isKey ? .key : .delta
    return metadata
  }

  @Test func `It has the bytes of the pictures that it did not forget, whatever their sizes`()
    throws
  {
    var random = SeededGenerator(for: "pictures")
    for _ in 0..<20 {
      // Twice as much as a ring begins with.
      let limit = Int.random(in: 300_000...2_500_000, using: &random)
      let ring = PictureRing(maximumBytes: limit)
      var model: [(bytes: [UInt8], time: Int)] = []
      var first = 0
      for time in 0..<400 {
        let size = Int.random(in: 0...60_000, using: &random)
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: time), count: size)
        let isKey = time.isMultiple(of: 10)
        let metadata = try metadata(time, isKey: isKey)
        while unsafe !ring.append(bytes.span.bytes, metadata, dropped: time) {
          // Only a ring that is full refuses one.
          let used = model[first...].reduce(0) { $0 + $1.bytes.count }
          #expect(used + size > limit / 2 || used + size > 1 << 19, "\(random)")
          first += 1
          ring.forget(before: first)
        }
        model.append((bytes, time))
        if Bool.random(using: &random), Int.random(in: 0..<20, using: &random) == 0 {
          first = Int.random(in: first...model.count, using: &random)
          ring.forget(before: first)
        }
        #expect(ring.indices == first..<model.count, "\(random)")
        for index in ring.indices where index == first || index % 40 == time % 40 {
          #expect(
            ring.metadata(at: index).timestamp.nanoseconds == Int64(model[index].time) * 1_000_000)
          #expect(ring.dropped(at: index) == model[index].time)
          let isSame = ring.withBytes(at: index) { bytes in
            unsafe bytes.withUnsafeBytes { unsafe $0.elementsEqual(model[index].bytes) }
          }
          #expect(isSame, "\(random)")
        }
      }
    }
  }

  @Test func `It begins with a picture that needs no other`() throws {
    let ring = PictureRing()
    for time in 0..<40 {
      let metadata = try metadata(time * 100, isKey: time.isMultiple(of: 10))
      let bytes = [UInt8(time)]
      #expect(unsafe ring.append(bytes.span.bytes, metadata, dropped: 0))
    }
    let moment = { (time: Int) in MonotonicTime(nanoseconds: Int64(time) * 1_000_000) }
    #expect(ring.start(for: moment(1899)) == 10 && ring.start(for: moment(2000)) == 20)
    // Nothing of what is wanted comes before the next one.
    #expect(ring.start(for: moment(1901)) == 20 && ring.start(for: moment(2001)) == 20)
    #expect(ring.start(for: moment(-5)) == 0)
    ring.forget(before: moment(2500))
    #expect(ring.indices == 20..<40 && ring.reach == .milliseconds(1900))
    ring.forget(before: moment(9999), limit: 25)
    #expect(ring.indices == 20..<40)
    ring.forget(before: moment(9999))
    #expect(ring.indices == 30..<40)
  }
}
