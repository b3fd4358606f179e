import Capture
import OperatingSystem
import TestSupport
import Testing

@testable import Recording

/// When a recording in segments goes on in its next file. All times are milliseconds.
struct SegmentCutterTests {
  private func frame(
    _ time: Int, isKey: Bool = true, wall offset: Int64 = 0
  ) throws -> FrameMetadata {
    var metadata = try Frame.jpeg([0], at: Int64(time) * 1_000_000, wallClockOffset: offset)
      .metadata
    metadata.dependence = isKey ? .key : .delta
    return metadata
  }

  /// The times of the frames that begin a file, of which an encoder makes key pictures where they
  /// are asked for, and else after `keys` frames.
  private func cuts(
    _ cutter: inout SegmentCutter, _ times: some Sequence<Int>, keys: Int = 1000,
    byteCount: Int = 1000, wall: Int64 = 0
  ) throws -> [Int] {
    var cuts: [Int] = []
    for (index, time) in times.enumerated() {
      let moment = MonotonicTime(nanoseconds: Int64(time) * 1_000_000)
      let asked = cutter.asksForKey(at: moment)
      let frame = try frame(time, isKey: asked || index.isMultiple(of: keys), wall: wall)
      if cutter.begins(frame, byteCount: byteCount) { cuts.append(time) }
    }
    return cuts
  }

  @Test func `Each file begins with the frame nearest to its time`() throws {
    var cutter = SegmentCutter(
      MovieSegments(duration: .seconds(1)), interval: .milliseconds(40))
    #expect(
      try cuts(&cutter, stride(from: 500, to: 4600, by: 40)) == [1500, 2500, 3500, 4500])
  }

  @Test func `The lengths of files do not add up to another rate`() throws {
    // 33 ms do not divide a second.
    var cutter = SegmentCutter(MovieSegments(duration: .seconds(1)), interval: .milliseconds(33))
    let cuts = try cuts(&cutter, stride(from: 0, to: 20_100, by: 33))
    #expect(cuts.count == 20)
    for (index, cut) in cuts.enumerated() { #expect(abs(cut - (index + 1) * 1000) <= 17) }
  }

  @Test func `A file goes on until a picture comes that needs no other`() throws {
    var cutter = SegmentCutter(MovieSegments(duration: .seconds(1)), interval: .milliseconds(100))
    let moment = { (time: Int) in MonotonicTime(nanoseconds: Int64(time) * 1_000_000) }
    var asked: [Int] = []
    var begun: [Int] = []
    for time in stride(from: 0, through: 2000, by: 100) {
      if cutter.asksForKey(at: moment(time)) { asked.append(time) }
      let isKey = [0, 1200].contains(time)
      if cutter.begins(try frame(time, isKey: isKey), byteCount: 1) { begun.append(time) }
    }
    // It is asked for once, and again when the frame of it was lost.
    #expect(asked == [1000, 1200, 2000] && begun == [1200])
  }

  @Test func `A file ends at its size`() throws {
    var cutter = SegmentCutter(MovieSegments(byteCount: 10_000), interval: .milliseconds(100))
    // Ten pictures of 1,000 bytes.
    #expect(try cuts(&cutter, stride(from: 0, to: 3500, by: 100)) == [1000, 2000, 3000])
    var both = SegmentCutter(
      MovieSegments(duration: .milliseconds(1500), byteCount: 10_000),
      interval: .milliseconds(100))
    #expect(try cuts(&both, stride(from: 0, to: 3500, by: 100), byteCount: 10) == [1500, 3000])
  }

  @Test func `Files end with the wall clock's seconds`() throws {
    var cutter = SegmentCutter(
      MovieSegments(duration: .seconds(1), isByWallClock: true), interval: .milliseconds(100))
    // The wall clock shows 0.25 s past a second when the monotonic one shows 0.
    let cuts = try cuts(
      &cutter, stride(from: 0, to: 3900, by: 100), wall: 1_700_000_000_250_000_000)
    // The frame nearest to 0.75, 1.75, …: in the middle between two, one of them.
    #expect(cuts.count == 4)
    for (cut, due) in zip(cuts, [750, 1750, 2750, 3750]) { #expect(abs(cut - due) <= 50) }
  }

  @Test func `A pause makes a file no shorter`() throws {
    var cutter = SegmentCutter(MovieSegments(duration: .seconds(1)), interval: .milliseconds(100))
    #expect(try cuts(&cutter, stride(from: 0, through: 600, by: 100)).isEmpty)
    cutter.resumes(at: MonotonicTime(nanoseconds: 10_700_000_000))
    #expect(try cuts(&cutter, stride(from: 10_700, to: 12_500, by: 100)) == [11_000, 12_000])
  }

  @Test func `After a gap that is longer than a file, files are whole again`() throws {
    var cutter = SegmentCutter(MovieSegments(duration: .seconds(1)), interval: .milliseconds(100))
    let times = [0, 100, 5030, 5130] + Array(stride(from: 5230, to: 6300, by: 100))
    #expect(try cuts(&cutter, times) == [5030, 6030])
  }
}
