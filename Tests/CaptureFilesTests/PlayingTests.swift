import Capture
import EventLoop
import Glibc
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureFiles

struct PlayingTests {
  @Test func `JPEGs are played repeatedly in the order of their names, byte for byte`()
    async throws
  {
    let folder = try TemporaryFolder()
    let pictures = try [10, 120, 240].map { try jpeg(shade: $0) }
    try folder.write(pictures[1], to: "b.jpg")
    try folder.write(pictures[0], to: "a.JPEG")
    try folder.write(pictures[2], to: "c.jpg")
    try folder.write([1, 2, 3], to: "notes.txt")
    try folder.write([1, 2, 3], to: ".hidden.jpg")
    for (number, bytes) in try await folder.device("@200").pictures(7) {
      #expect(bytes == pictures[Int(number - 1) % 3])
    }
  }

  @Test func `A file of raw frames is as many pictures as it holds`() async throws {
    let folder = try TemporaryFolder()
    let frames = (0..<3).map { shade in [UInt8](repeating: shade, count: 16 * 8 * 2) }
    try folder.write(frames[0] + frames[1], to: "0.yuv")
    try folder.write(frames[2], to: "1.yuv")
    for (number, bytes) in try await folder.device("16x8@200,format=YUYV").pictures(7) {
      #expect(bytes == frames[Int(number - 1) % 3])
    }
  }

  @Test func `Names that are no UTF-8 are played, and broken ones are named by their bytes`()
    async throws
  {
    let folder = try TemporaryFolder()
    let pictures = try [10, 200].map { try jpeg(shade: $0) }
    let latin = [0xE8, 0xE9].map { Array("\(folder.path)/caf".utf8) + [$0] + Array(".jpg".utf8) }
    for (name, picture) in zip(latin, pictures) { try write(picture, to: name) }
    for (number, bytes) in try await folder.device("@200").pictures(4) {
      #expect(bytes == pictures[Int(number - 1) % 2])
    }
    try write(Array("GIF89a".utf8), to: latin[1])
    let error = #expect(throws: CaptureError.self) { try folder.device().open() }
    #expect(error?.message.contains(#"/caf\xE9.jpg is no JPEG"#) == true)
  }

  private func write(_ bytes: [UInt8], to path: [UInt8]) throws {
    let name = (path + [0]).map(CChar.init(bitPattern:))
    let opened = unsafe fopen(name, "w")
    guard let file = unsafe opened else { throw SystemError(errno: errno, operation: "fopen") }
    defer { _ = unsafe fclose(file) }
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    try #require(count == bytes.count)
  }

  @Test func `Links that lead nowhere are left out and named`() async throws {
    let folder = try TemporaryFolder()
    let picture = try jpeg(shade: 99)
    try folder.write(picture, to: "b.jpg")
    #expect(try folder.remarks == [])
    try folder.link("a.jpg", to: "gone.jpg")
    #expect(
      try folder.remarks == [
        "\(folder.path) is played without a.jpg, a link that leads nowhere"
      ])
    try folder.link("c.jpg", to: "c.jpg")
    #expect(
      try folder.remarks == [
        "\(folder.path) is played without 2 links that lead nowhere, a.jpg first"
      ])
    #expect(try await folder.device("@200").pictures(2).map(\.bytes) == [picture, picture])
  }

  @Test func `A path with commas and backslashes is played`() async throws {
    let folder = try TemporaryFolder()
    let picture = try jpeg(shade: 99)
    try folder.write(picture, to: #"a,b\c\,d/a.jpg"#)
    let path = "\(folder.path)/" + #"a\,b\c\\\,d"#
    let device = FilesDevice(try .parse("\(path),@100"))
    #expect(device.specification.path == "\(folder.path)/" + #"a,b\c\,d"#)
    #expect(try await device.pictures(1).map(\.bytes) == [picture])
  }

  @Test func `A single file is played too`() async throws {
    let folder = try TemporaryFolder()
    let picture = try jpeg(shade: 99)
    try folder.write(picture, to: "a.jpg")
    let device = FilesDevice(try .parse("\(folder.path)/a.jpg,@100"))
    #expect(try await device.pictures(2).map(\.bytes) == [picture, picture])
  }

  @Test
  func `Frames come at the rate's ticks in one layout, and every number is delivered or counted`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(try jpeg(shade: 99), to: "a.jpg")
    let rate = try #require(FrameRate(500))
    let metronome = Metronome(rate: rate, phase: 0)
    let device = try folder.device("@500")
    var next: UInt64 = 1
    for event in try await device.play(until: { $0.count == 50 }) {
      switch event {
      case .lost(let count, let reason):
        #expect(reason == .skipped)
        next += UInt64(count)
      case .picture(let metadata, let layout, _):
        #expect(metadata.sequence == next)
        next += 1
        #expect(
          metronome.time(of: metronome.tick(notAfter: metadata.timestamp)) == metadata.timestamp)
        #expect(metadata.timestamp <= metadata.dequeued)
        #expect(metadata.dequeued <= metadata.copied)
        #expect(layout == .compressed(.mjpeg, size: ImageSize(width: 32, height: 16)))
      }
    }
  }

  @Test func `A late loop gets the newest picture, and the others are counted`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(try jpeg(shade: 99), to: "a.jpg")
    let reel = try Reel.load(try .parse(folder.path))
    let rate = try #require(FrameRate(1000))
    let format = StreamFormat(
      layout: reel.layout, maximumByteCount: reel.maximumByteCount, frameRate: rate,
      devicePixelFormat: .mjpeg)
    let receiver = PlayedReceiver(format)
    let loop = EventLoop(name: "test frames")
    let player = ReelPlayer(reel, rate: rate, to: receiver)
    await loop.run {
      player.start(on: loop)
      // Block the loop for longer than several frames.
      let late = MonotonicTime.now + .milliseconds(20)
      while MonotonicTime.now < late {}
    }
    var events = receiver.events.makeAsyncIterator()
    guard case .lost(let count, .skipped) = await events.next() else {
      throw CaptureError(.deviceFailed, "nothing was counted")
    }
    #expect(count >= 15)
    guard case .picture(let metadata, _, _) = await events.next() else {
      throw CaptureError(.deviceFailed, "no picture came")
    }
    #expect(metadata.sequence == UInt64(count) + 1)
    await loop.run { player.stop() }
    loop.stop()
  }
}

extension TemporaryFolder {
  fileprivate var remarks: [String] {
    get throws {
      let device = try device()
      try device.open()
      return device.remarks
    }
  }
}
