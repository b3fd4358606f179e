import ArgumentParser
import CameraClient
import CameraProtocol
import Words

/// What kind of movie is made.
struct MovieOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Quality 1 to 100, where the node encodes.", valueName: "Q"))
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "How pictures are coded: mjpeg or h264; default: h264 in an mp4, else mjpeg.",
      valueName: "CODEC"))
  var codec: Codec?

  @Option(
    help: ArgumentHelp(
      "The kind of file: matroska or mp4; default: as --output is named, else mp4 for h264.",
      valueName: "KIND"))
  var container: Container?

  @Option(
    help: ArgumentHelp(
      "Bits a second of h264 instead of a quality, such as 4M.", valueName: "RATE"),
    transform: Self.bitRate)
  var bitRate: UInt64?

  @Option(
    help: ArgumentHelp(
      "The longest time from one key picture of h264 to the next: \(DurationText.forms).",
      valueName: "DURATION"),
    transform: DurationText.positive)
  var keyInterval: Duration?

  @OptionGroup var labels: LabelOptions
  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp(
      "Record sound too: of this microphone, or without a name of the camera's or the only one (see camctl microphones).",
      valueName: "MICROPHONE"))
  var sound: String?

  @Option(
    help: ArgumentHelp(
      "How sound is coded: aac or opus; default: aac in an mp4, else opus.", valueName: "CODEC"))
  var soundCodec: SoundCodecName?

  @Option(
    help: ArgumentHelp(
      "Bits a second of the sound, such as 96k; default: 64k for each channel.", valueName: "RATE"),
    transform: Self.bitRate)
  var soundBitRate: UInt64?

  @Flag(help: "Fail where no sound comes, and end the movie where it stops.")
  var soundRequired = false

  enum SoundCodecName: String, CaseIterable, ExpressibleByArgument {
    case aac, opus
  }

  enum Codec: String, CaseIterable, ExpressibleByArgument {
    case mjpeg, h264
  }

  enum Container: String, CaseIterable, ExpressibleByArgument {
    case matroska, mp4
  }

  private static func bitRate(_ text: String) throws -> UInt64 {
    guard let rate = BitRateText.parse(text) else {
      throw ValidationError("a bit rate is bits a second: 4000000, 4000k or 4M")
    }
    return rate
  }

  func validate() throws {
    if sound == nil, soundCodec != nil || soundBitRate != nil || soundRequired {
      throw ValidationError("--sound-codec, --sound-bit-rate and --sound-required need --sound")
    }
    try RequestRules.check { () throws(CameraBusError) in try settings().request() }
  }

  /// - Parameter output: Where the movie is written, if that is known: its name says the kind of
  ///   file.
  func settings(for output: String? = nil) -> MovieSettings {
    let named: MovieContainer? =
      switch output.flatMap(MediaType.named) {
      case .mp4: .mp4
      case .matroska: .matroska
      default: nil
      }
    return MovieSettings(
      codec: codec.map { VideoCodec(rawValue: $0.rawValue) },
      container: container.map { MovieContainer(rawValue: $0.rawValue) } ?? named,
      quality: quality, bitRate: bitRate, keyInterval: keyInterval, name: labels.name,
      tags: labels.tags,
      sound: sound.map { microphone in
        SoundSettings(
          microphone: microphone.isEmpty ? nil : microphone,
          codec: soundCodec.map { SoundCodec(rawValue: $0.rawValue) }, bitRate: soundBitRate,
          isRequired: soundRequired)
      })
  }

  /// The kind of file that is made.
  func kind(for output: String? = nil) -> MediaType {
    let settings = settings(for: output)
    return settings.container == .mp4 || settings.container == nil && settings.codec == .h264
      ? .mp4 : .matroska
  }
}

extension MediaType {
  /// The kind of movie that a file's name promises; nil if it promises none.
  static func named(by path: String) -> MediaType? {
    allCases.first { kind in
      kind.kind == .movie
        && kind.fileExtensions.contains { path.lowercased().hasSuffix(".\($0)") }
    }
  }
}

/// The size at which a movie ends by itself.
struct MovieSizeLimit: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End it by itself before its pictures take more: \(ByteCountText.forms).", valueName: "SIZE"),
    transform: Self.byteCount)
  var size: UInt64?

  private static func byteCount(_ text: String) throws -> UInt64 {
    guard let byteCount = ByteCountText.parse(text), byteCount >= Int(WireLimits.movieByteCount)
    else {
      throw ValidationError(
        "write \(ByteCountText.forms), and at least \(WireLimits.movieByteCount.byteWords)")
    }
    return UInt64(byteCount)
  }
}

/// Bits a second as people write them: "4000000", "4000k" or "4M".
enum BitRateText {
  /// Nil for a text that is none above 0.
  static func parse(_ text: some StringProtocol) -> UInt64? {
    let factors: [Character: UInt64] = ["k": 1000, "M": 1_000_000]
    let factor = text.last.flatMap { factors[$0] }
    guard let number = UInt64(factor == nil ? String(text) : String(text.dropLast())), number > 0
    else { return nil }
    let (rate, isTooMuch) = number.multipliedReportingOverflow(by: factor ?? 1)
    return isTooMuch ? nil : rate
  }
}
