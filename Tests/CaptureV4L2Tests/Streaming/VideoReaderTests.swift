import Capture
import Imaging
import OperatingSystem
import TestSupport
import Testing
import V4L2Conversion

@testable import CaptureV4L2

struct VideoReaderTests {
  /// What a reader makes of buffers.
  private struct Bench {
    let reader: VideoReader
    let layout: ImageLayout

    init(
      _ standard: AccessUnit.Standard = .h264, _ size: ImageSize = CodedVideo.size,
      maximumPixels: Int = 1920 * 1088
    ) throws {
      let decoder = try #require(
        ConversionLibrary.linked.decoder(standard, maximumPixels, .bt601))
      reader = VideoReader(
        standard == .h264 ? .h264 : .hevc, standard, maximumByteCount: 1 << 16, decoder: decoder)
      layout = try ImageLayout(size: size, pixelFormat: .yu12)
    }

    func read(_ buffer: [UInt8]) -> VideoReader.Outcome {
      unsafe reader.read(buffer.span.bytes)
    }

    /// The reason for which there is no picture; nil if there is one.
    func loss(_ buffer: [UInt8]) -> String? {
      let outcome = read(buffer)
      if case .picture = outcome { return nil }
      return "\(outcome)"
    }

    /// The pixels and the coded bytes of a picture.
    func picture(_ buffer: [UInt8]) throws -> (pixels: [UInt8], coded: Frame) {
      #expect(loss(buffer) == nil)
      var pixels = [UInt8](repeating: 0, count: layout.byteCount)
      var span = pixels.mutableSpan
      var output = unsafe span.mutableBytes
      let written = reader.write(into: &output, layout, isAwaited: true)
      guard case .written(layout.byteCount, layout) = written else {
        throw CaptureError(.deviceFailed, "\(written)")
      }
      let frame = try Frame.made(of: pixels, layout, at: 5)
      let coded = try #require(reader.coded(frame))
      #expect(coded.metadata.timestamp == frame.metadata.timestamp)
      return (pixels, coded)
    }
  }

  private static let corrupted = "\(VideoReader.Outcome.lost(.corrupted))"

  @Test(arguments: [AccessUnit.Standard.h264, .hevc])
  func `Every picture is decoded at once, and has the camera's own bytes beside it`(
    standard: AccessUnit.Standard
  ) throws {
    let (video, bench) = (try CodedVideo(standard), try Bench(standard))
    let pixels = try video.decoded(video.pictures)
    #expect(video.pictures.count == 30 && pixels.count == 30)
    for (index, buffer) in video.pictures.enumerated() {
      let picture = try bench.picture(buffer)
      #expect(picture.pixels == pixels[index])
      #expect(picture.coded.bytes == buffer)
      #expect(picture.coded.metadata.dependence == (index % 10 == 0 ? .key : .delta))
      #expect(picture.coded.layout.pixelFormat == (standard == .h264 ? .h264 : .hevc))
    }
  }

  @Test(arguments: [AccessUnit.Standard.h264, .hevc])
  func `Pictures that need a lost one are lost too, until the next key picture`(
    standard: AccessUnit.Standard
  ) throws {
    let (video, bench) = (try CodedVideo(standard), try Bench(standard))
    let pixels = try video.decoded(video.pictures)
    for index in 5..<10 {
      #expect(bench.loss(video.pictures[index]) == Self.corrupted, "it begins with deltas")
    }
    #expect(bench.reader.needsKey)
    #expect(try bench.picture(video.pictures[10]).pixels == pixels[10])
    #expect(!bench.reader.needsKey)
    _ = try bench.picture(video.pictures[11])
    bench.reader.miss()
    for index in 13..<20 { #expect(bench.loss(video.pictures[index]) == Self.corrupted) }
    #expect(try bench.picture(video.pictures[20]).pixels == pixels[20])
    #expect(try bench.picture(video.pictures[21]).pixels == pixels[21])
  }

  @Test(arguments: [AccessUnit.Standard.h264, .hevc])
  func `Parameters that came once are put before later key pictures`(
    standard: AccessUnit.Standard
  ) throws {
    let (video, bench) = (try CodedVideo(standard), try Bench(standard))
    let first = video.pictures[0]
    let delimiter = video.units(of: first)[0]
    let bare = video.pictures.map { video.withoutParameters($0) }
    // In a buffer of their own they are no picture, and belong to the next one.
    guard case .nothing = bench.read(video.parameters(of: first)) else {
      Issue.record("parameters are no picture")
      return
    }
    let begin = try bench.picture(bare[0])
    #expect(begin.coded.bytes == video.parameters(of: first) + bare[0])
    #expect(begin.coded.metadata.dependence == .key)
    for index in 1..<10 { #expect(try bench.picture(bare[index]).coded.bytes == bare[index]) }
    // They stand behind the delimiter.
    let later = try (10..<20).map { try bench.picture(bare[$0]).coded }
    let rest = bare[10].dropFirst(delimiter.count)
    #expect(later[0].bytes == delimiter + video.parameters(of: first) + rest)
    #expect(later[0].metadata.dependence == .key)
    #expect(later[1].bytes == bare[11])
    #expect(try video.decoded(later.map(\.bytes)).count == 10)
  }

  @Test func `A key picture whose parameters never came is no beginning`() throws {
    let (video, bench) = (try CodedVideo(), try Bench())
    #expect(bench.loss(video.withoutParameters(video.pictures[0])) == Self.corrupted)
    #expect(bench.reader.needsKey)
  }

  @Test func `A picture that is missing without the driver's word is noticed`() throws {
    let (video, bench) = (try CodedVideo(), try Bench())
    for index in 0..<3 { _ = try bench.picture(video.pictures[index]) }
    for index in 4..<10 { #expect(bench.loss(video.pictures[index]) == Self.corrupted) }
    _ = try bench.picture(video.pictures[10])
  }

  @Test func `A picture that is cut off costs itself and those that need it`() throws {
    let (video, bench) = (try CodedVideo(), try Bench())
    let pixels = try video.decoded(video.pictures)
    for index in 0..<3 { _ = try bench.picture(video.pictures[index]) }
    let whole = video.pictures[3]
    #expect(bench.loss(Array(whole.prefix(whole.count * 2 / 3))) == Self.corrupted)
    for index in 4..<10 { #expect(bench.loss(video.pictures[index]) == Self.corrupted) }
    for index in 10..<20 {
      #expect(try bench.picture(video.pictures[index]).pixels == pixels[index])
    }
  }

  @Test func `Pictures have their own size, whatever the driver says`() throws {
    let video = try CodedVideo()
    let bench = try Bench(.h264, ImageSize(width: 320, height: 240))
    #expect(bench.loss(video.pictures[0]) == nil)
    var output = [UInt8](repeating: 0, count: bench.layout.byteCount)
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let written = bench.reader.write(into: &bytes, bench.layout, isAwaited: true)
    guard case .differs(.size(CodedVideo.size)) = written else {
      Issue.record("\(written)")
      return
    }
  }

  @Test func `A picture that is too large takes no memory`() throws {
    let (video, bench) = (try CodedVideo(), try Bench(maximumPixels: 160 * 95))
    #expect(bench.loss(video.pictures[0]) == Self.corrupted)
  }

  @Test func `A camera that sorts its pictures is told what to do`() throws {
    let sorted = try CodedVideo(options: "bframes=2:b-adapt=0:repeat-headers=1")
    let bench = try Bench()
    let failures = sorted.pictures.compactMap { buffer -> String? in
      if case .failed(let error) = bench.read(buffer) { error.message } else { nil }
    }
    #expect(failures.first?.contains("video_b_frames") == true)
  }

  @Test(arguments: [AccessUnit.Standard.h264, .hevc])
  func `Any bytes are a picture, a loss or an error`(standard: AccessUnit.Standard) throws {
    let video = try CodedVideo(standard)
    var random = SeededGenerator(for: "VideoReaderTests")
    for _ in 0..<20 {
      let bench = try Bench(standard)
      for _ in 0..<40 {
        var buffer = video.pictures.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 0...6, using: &random) where !buffer.isEmpty {
          let place = Int.random(in: 0..<buffer.count, using: &random)
          switch Int.random(in: 0...3, using: &random) {
          case 0: buffer.removeLast(buffer.count - place)
          case 1: buffer.insert(contentsOf: [0, 0, 1], at: place)
          default: buffer[place] = .random(in: 0...255, using: &random)
          }
        }
        guard case .picture = bench.read(buffer) else { continue }
        var pixels = [UInt8](repeating: 0, count: bench.layout.byteCount)
        var span = pixels.mutableSpan
        var output = unsafe span.mutableBytes
        if case .written = bench.reader.write(into: &output, bench.layout, isAwaited: true) {
          let frame = try Frame.made(of: pixels, bench.layout, at: 5)
          #expect(bench.reader.coded(frame) != nil)
        }
      }
    }
  }
}
