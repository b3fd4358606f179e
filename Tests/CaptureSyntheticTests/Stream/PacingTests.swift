import Capture
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureSynthetic

/// Tests streams from the receiver's side.
struct PacingTests {
  @Test(
    arguments: [
      ("160x120@100,format=GREY", 0), ("160x120@59.94,format=YUYV", 0),
      ("160x120@100,format=GREY,phase=3ms", 3_000_000),
    ] as [(String, Int64)]
  )
  func `Timestamps are exact ticks, and every number is delivered or counted as lost`(
    specification: String,
    phase: Int64
  ) async throws {
    try await Rig.run(specification) { rig in
      let framesPerSecond = rig.device.specification.framesPerSecond
      let rate = try #require(FrameRate(framesPerSecond: framesPerSecond))
      let metronome = Metronome(rate: rate, phase: phase)
      var (seen, lost) = (0, 0)
      var firstTick: Int64?
      while seen < 20 {
        switch try #require(await rig.receiver.next { $0 }) {
        case .lost(let count, _): lost += count
        case .picture(let picture):
          seen += 1
          let (number, time) = (picture.metadata.sequence, picture.metadata.timestamp)
          #expect(number == UInt64(seen + lost))
          let tick = metronome.tick(notAfter: time)
          #expect(metronome.time(of: tick) == time)
          #expect(tick - (firstTick ?? tick - Int64(number) + 1) == Int64(number) - 1)
          firstTick = firstTick ?? tick - Int64(number) + 1
        case .controlChanged, .failed: Issue.record("nothing was changed and nothing fails")
        }
      }
    }
  }

  @Test(arguments: rawFormats)
  func `Every raw format has the frame's number and time in its strip`(
    format: PixelFormat
  ) async throws {
    try await Rig.run("320x240@100,format=\(format.name)") { rig in
      for picture in await rig.receiver.pictures(3) {
        #expect(picture.layout.pixelFormat == format)
        #expect(picture.bytes.count == picture.layout.byteCount)
        let strip = try #require(picture.strip)
        #expect(strip.number == picture.metadata.sequence)
        #expect(strip.timestamp == picture.metadata.timestamp)
        #expect(picture.metadata.marks == .exposureStart)
        #expect(picture.metadata.exposure.earliestStart == picture.metadata.timestamp)
        #expect(picture.metadata.exposure.latestEnd <= picture.metadata.dequeued)
        #expect(picture.metadata.facts.exposure == nil)
        #expect(picture.metadata.timestamp <= picture.metadata.dequeued)
        #expect(picture.metadata.dequeued <= picture.metadata.copied)
      }
    }
  }

  @Test(arguments: [100, 5000] as [Int64], ["on", "off"])
  func `The bounds of a frame contain the exposure that was set`(
    time: Int64, facts: String
  ) async throws {
    try await Rig.run(
      "160x120@100,format=GREY,facts=\(facts)",
      controls: ["auto_exposure": 1, "exposure_time_absolute": time]
    ) { rig in
      for picture in await rig.receiver.pictures(2) {
        let (bounds, metadata) = (picture.metadata.exposure, picture.metadata)
        #expect(bounds.earliestStart == metadata.timestamp)
        #expect(bounds.latestEnd - bounds.earliestStart >= .nanoseconds(time * 100_000))
        if facts == "on" { #expect(metadata.facts.exposure == time * 100_000) }
      }
    }
  }

  @Test func `Successive pictures differ in the marker`() async throws {
    try await Rig.run("320x180@60,format=GREY,caption=off") { rig in
      let pictures = await rig.receiver.pictures(2)
      let rows = (320 * 90)..<(320 * 130)
      #expect(pictures[0].bytes[rows] != pictures[1].bytes[rows])
      #expect(pictures[0].bytes[..<rows.lowerBound] == pictures[1].bytes[..<rows.lowerBound])
    }
  }

  @Test func `Two cameras with the same rate differ by their phases`() async throws {
    func timestamp(_ phase: String) async throws -> Int64 {
      try await Rig.run("160x120@50,format=GREY,phase=\(phase)") { rig in
        let picture = try #require(await rig.receiver.picture())
        return picture.metadata.timestamp.nanoseconds
      }
    }
    let (left, right) = (try await timestamp("1ms"), try await timestamp("6ms"))
    #expect((right - left) % 20_000_000 == 5_000_000)
  }

  @Test func `A wrong clock shows in the timestamps`() async throws {
    try await Rig.run("160x120@50,format=GREY,clock_offset=3s") { rig in
      let picture = try #require(await rig.receiver.picture())
      let ahead = picture.metadata.timestamp - picture.metadata.dequeued
      #expect(ahead > .seconds(2) && ahead <= .seconds(3))
    }
  }

  @Test
  func `When the pool is exhausted the receiver counts losses, and the stream continues later`()
    async throws
  {
    let receiver = RecordingReceiver(poolLimit: 2, holdsFrames: true)
    try await Rig.run("160x120@100,format=GREY", receiver: receiver) { rig in
      let events = await receiver.events { $0 == .lost(1, .poolExhausted) }
      let delivered = events.filter { if case .picture = $0 { true } else { false } }
      #expect(delivered.count == 2)
      await rig.loop.run { receiver.releaseHeldFrames() }
      #expect(await receiver.picture() != nil)
    }
  }

  @Test func `A late frame loop gets the newest buffer, and the others are counted`()
    async throws
  {
    try await Rig.run("160x120@200,format=GREY", attachesAtOnce: false) { rig in
      try await Rig.letPass(pictures: 10)
      await rig.attach()
      var (pictures, counts) = (0, [FrameLoss: Int]())
      while pictures < 2 {
        switch try #require(await rig.receiver.next { $0 }) {
        case .picture: pictures += 1
        case .lost(let count, let reason): counts[reason, default: 0] += count
        case .controlChanged, .failed: Issue.record("nothing was changed and nothing fails")
        }
      }
      let skipped = try #require(counts[.skipped])
      #expect(skipped >= 3, "the camera has four buffers, all of them full")
      let lost = try #require(counts[.camera])
      #expect(lost > 5, "ticks without a free buffer are lost by the camera")
    }
  }
}
