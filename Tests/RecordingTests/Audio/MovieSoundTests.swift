import Capture
import EventLoop
import Foundation
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureSynthetic
@testable import Recording

@Suite struct MovieSoundTests {
  static let kinds = [
    (MovieFormat(.mp4, .h264), SoundCodec.aac), (MovieFormat(.mp4, .h264), .opus),
    (MovieFormat(.matroska, .mjpeg), .aac), (MovieFormat(.matroska, .h264), .opus),
  ]

  /// What a microphone hears from a moment on: the synthetic one's beeps.
  private struct Sound {
    var format = SoundFormat()
    /// How much faster it samples than it says, in millionths.
    var drift = 0.0
    var start = MonotonicTime(nanoseconds: 6_900_000_000)
    /// Packets of 20 ms that do not come.
    var missing: Range<Int> = 0..<0

    func time(of number: Int) -> Double {
      Double(start.nanoseconds) + Double(number) * 1e9 / (Double(format.rate) * (1 + drift / 1e6))
    }

    func packet(_ index: Int) -> SoundPacket {
      let count = format.rate / 50
      let samples = (0..<count).flatMap { place in
        [Int16](
          repeating: SyntheticMicrophone.sample(at: time(of: index * count + place)),
          count: format.channels)
      }
      return SoundPacket(
        format: format, samples: samples,
        start: MonotonicTime(nanoseconds: Int64(time(of: index * count))))
    }
  }

  /// The moment of the first picture.
  private static let first: Int64 = 7_000_000_000

  let folder: TemporaryFolder
  let loop = TestLoop()
  var path: String { folder.path + "/movie" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Records pictures, ten a second, and what the microphone hears meanwhile.
  private func record(
    seconds: Int, _ format: MovieFormat, _ codec: SoundCodec, _ sound: Sound,
    delay: Duration = .milliseconds(30), isLeft: Bool = false, cut: MovieCut = .never,
    trigger: Int64? = nil, pause: Range<Int> = 0..<0
  ) async throws -> MovieSummary? {
    let scene = try Scene(
      format.codec == .mjpeg ? .mjpeg : .yuyv, interval: 100_000_000)
    let picture =
      try format.codec == .mjpeg
      ? scene.frame(0) : #require(try scene.coded(1).first)
    let bytes = picture.bytes
    let frames = try (0..<seconds * 10).map { index in
      var metadata = try Frame.made(
        of: bytes, picture.layout, at: Self.first + Int64(index) * 100_000_000
      ).metadata
      (metadata.sequence, metadata.ordinal) = (UInt64(index + 1), UInt64(index + 1))
      if format.codec == .h264 { metadata.dependence = .key }
      let pool = FramePool(limit: 1, byteCount: bytes.count, layout: picture.layout)
      guard var draft = pool.take() else { throw CaptureError(.overloaded, "no frame") }
      unsafe draft.copyBytes(of: bytes.span.bytes)
      return draft.seal(layout: picture.layout, metadata: metadata, byteCount: bytes.count)
    }
    let (summaries, continuation) = AsyncStream<MovieSummary>.makeStream()
    let path = path
    let files = OperatingSystem.Mutex(0)
    let recorder = MovieRecorder(
      loop: loop.loop, syncLoop: loop.loop,
      plan: MoviePlan(
        format: format, title: "front", framesPerSecond: 10, cut: cut, sound: SoundSettings(codec)),
      nextPlace: {
        let number = files.withLock { files in
          files += 1
          return files
        }
        return number == 1 ? path : "\(path)-\(number)"
      }
    ) {
      guard case .ended(let summary) = $0 else { return }
      continuation.yield(summary)
      continuation.finish()
    }
    var next = 0
    for (index, frame) in frames.enumerated() {
      // Sound comes a little after its time.
      while Int64(sound.time(of: (next + 1) * sound.format.rate / 50))
        <= (frame.metadata.timestamp - delay).nanoseconds
      {
        if !sound.missing.contains(next) { recorder.receive(sound.packet(next)) }
        next += 1
      }
      if pause.contains(index) { continue }
      if index > 0, index == pause.upperBound { recorder.resume() }
      recorder.receive(frame)
      if let trigger, frame.metadata.timestamp.nanoseconds - Self.first == trigger {
        recorder.trigger(at: frame.metadata.timestamp)
      }
      loop.finish()
    }
    if isLeft { return nil }
    // What comes while it is stopped.
    for index in next..<next + 20 where !sound.missing.contains(index) {
      recorder.receive(sound.packet(index))
    }
    recorder.stop()
    for await summary in summaries { return summary }
    return nil
  }

  /// Checks that a beep begins at each whole second of the movie.
  private func checkBeeps(
    _ expected: [Int], within tolerance: Double = 0.004
  ) throws {
    // The last piece of sound may end a little after the last picture.
    let end = 48_000 * (1 + (expected.last ?? 0)) - 4800
    let onsets = Beeps.onsets(in: Array(try Beeps.samples(of: path).prefix(end)))
    #expect(onsets.map { Int($0.rounded()) } == expected)
    for onset in onsets where onset > 0.5 {
      #expect(abs(onset - onset.rounded()) < tolerance, "a beep at \(onset)")
    }
  }

  @Test(arguments: kinds)
  func `Each beep is heard at its moment, in each container and codec`(
    format: MovieFormat, codec: SoundCodec
  ) async throws {
    let summary = try #require(try await record(seconds: 5, format, codec, Sound()))
    #expect(summary.frames == 50 && summary.error == nil)
    #expect(summary.sound == MovieSummary.Sound(codec: codec, silent: .zero))
    let text = try output(
      of: "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name,start_time", "-of", "csv=p=0", path])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: ",")[0] } == [
        format.codec.rawValue[...], codec.rawValue[...],
      ])
    for line in lines { #expect(Double(line.split(separator: ",")[1]) == 0) }
    try checkBeeps([0, 1, 2, 3, 4])
    // The pictures are as without sound.
    let frames = try output(
      of: "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of",
        "csv=p=0", path,
      ])
    let times = String(decoding: frames, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { Double($0.split(separator: ",")[0]) }
    #expect(times.count == 50)
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 10) < 0.0011) }
    try Movie.play(path)
  }

  @Test(arguments: kinds)
  func `Sound goes on in the next file`(format: MovieFormat, codec: SoundCodec) async throws {
    let summary = try await record(
      seconds: 6, format, codec, Sound(), cut: .segments(MovieSegments(duration: .seconds(2))))
    #expect(summary?.frames == 60)
    #expect(summary?.sound == MovieSummary.Sound(codec: codec, silent: .zero))
    for file in [path, "\(path)-2", "\(path)-3"] {
      try Movie.play(file)
      let onsets = Beeps.onsets(in: Array(try Beeps.samples(of: file).prefix(48_000 * 19 / 10)))
      #expect(onsets.map { Int($0.rounded()) } == [0, 1], "\(onsets)")
      #expect(abs((onsets.last ?? 0) - 1) < 0.004, "\(onsets)")
    }
  }

  @Test(arguments: kinds)
  func `Sound is in step behind a pause`(format: MovieFormat, codec: SoundCodec) async throws {
    // From 2 s to 5.5 s.
    let summary = try await record(seconds: 9, format, codec, Sound(), pause: 20..<55)
    #expect(summary?.frames == 55 && summary?.dropped == 0)
    let onsets = Beeps.onsets(in: Array(try Beeps.samples(of: path).prefix(48_000 * 54 / 10)))
    #expect(onsets.count == 5, "\(onsets)")
    for (onset, expected) in zip(onsets.dropFirst(), [1, 2.5, 3.5, 4.5]) {
      #expect(abs(onset - expected) < 0.02, "\(onsets)")
    }
    try Movie.play(path)
  }

  @Test func `A clip has the sound from before its trigger`() async throws {
    let clips = MovieClips(before: .milliseconds(7500), after: .milliseconds(1000))
    let summary = try await record(
      seconds: 12, MovieFormat(.mp4, .h264), .aac, Sound(), cut: .clips(clips),
      trigger: 10_000_000_000)
    #expect(summary?.frames == 86 && summary?.sound?.silent == .zero)
    // It begins 2.5 s after the first picture.
    let onsets = Beeps.onsets(in: Array(try Beeps.samples(of: path).prefix(48_000 * 84 / 10)))
    #expect(onsets.count == 8, "\(onsets)")
    for (index, onset) in onsets.enumerated() {
      #expect(abs(onset - Double(index) - 0.5) < 0.004, "\(onsets)")
    }
  }

  @Test(arguments: [(300.0, 48_000, 1), (-400, 44_100, 2), (0, 96_000, 2)])
  func `A microphone that drifts stays in step`(drift: Double, rate: Int, channels: Int)
    async throws
  {
    let sound = Sound(format: SoundFormat(rate: rate, channels: channels), drift: drift)
    _ = try await record(seconds: 60, MovieFormat(.mp4, .h264), .aac, sound)
    try checkBeeps(Array(0..<60))
  }

  @Test func `A gap becomes silence, and what comes after it is at its moment`() async throws {
    var sound = Sound()
    // From 0.9 s to 3.4 s of the movie.
    sound.missing = 50..<175
    let summary = try await record(seconds: 6, MovieFormat(.mp4, .h264), .opus, sound)
    let silent = try #require(summary?.sound?.silent)
    #expect((.milliseconds(2000)...(.milliseconds(2600))).contains(silent), "\(silent)")
    try checkBeeps([0, 4, 5])
  }

  @Test func `A movie without a sound from the microphone is silent to its end`() async throws {
    var sound = Sound()
    sound.missing = 0..<10_000
    let summary = try await record(seconds: 4, MovieFormat(.matroska, .mjpeg), .opus, sound)
    #expect(try #require(summary?.sound?.silent) > .milliseconds(3900))
    let samples = try Beeps.samples(of: path)
    #expect(samples.count > 48_000 * 39 / 10 && samples.allSatisfy { abs($0) < 10 })
  }

  @Test func `A short loss leaves the rest at its moment`() async throws {
    var sound = Sound()
    sound.missing = 60..<63
    let summary = try await record(seconds: 4, MovieFormat(.matroska, .mjpeg), .aac, sound)
    #expect(summary?.sound?.silent == .zero)
    try checkBeeps([0, 1, 2, 3])
  }

  @Test(arguments: kinds)
  func `A movie that was cut off anywhere keeps its sound after it was completed`(
    format: MovieFormat, codec: SoundCodec
  ) async throws {
    _ = try await record(seconds: 6, format, codec, Sound(), isLeft: true)
    let whole = try folder.read("movie")
    var random = SeededGenerator(for: "A movie with sound that was cut off")
    for round in 0..<8 {
      let count = round == 0 ? whole.count : Int.random(in: 0...whole.count, using: &random)
      try folder.write(whole.prefix(count), to: "movie")
      guard
        let contents = try UnfinishedMovie(path: path, minimumFreeBytes: 0).finish()
      else { continue }
      try Movie.play(path)
      let seconds = Double(contents.frames) / 10
      let samples = try Beeps.samples(of: path)
      // It may lack what was not written with the last pictures.
      #expect(Double(samples.count) / 48_000 >= seconds - 0.25, "cut at \(count)")
      let onsets = Beeps.onsets(in: samples)
      #expect(Set(onsets.map { Int($0.rounded()) }).isSubset(of: Set(0..<6)))
      for onset in onsets where onset > 0.5 {
        #expect(abs(onset - onset.rounded()) < 0.004, "cut at \(count)")
      }
      if round == 0 { #expect(onsets.count >= 5 && contents.frames >= 53) }
    }
  }
}
