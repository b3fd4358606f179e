package import CameraProtocol

/// The sound of a movie that is asked for.
public struct SoundSettings: Hashable, Sendable {
  /// The microphone's name on the node; nil is the camera's, or the only one.
  public var microphone: String?
  /// How it is coded; nil is AAC in an MP4, and else Opus.
  public var codec: SoundCodec?
  /// Bits a second, 6000 to 512 000; nil is 64 000 for each channel.
  public var bitRate: UInt64?
  /// Whether there is no movie without sound: the start fails where none comes, and the movie ends
  /// with `soundLost`. Otherwise it is silent while no sound comes.
  public var isRequired: Bool

  /// The sound of the camera's microphone, unless you say otherwise.
  public init(
    microphone: String? = nil, codec: SoundCodec? = nil, bitRate: UInt64? = nil,
    isRequired: Bool = false
  ) {
    self.microphone = microphone
    self.codec = codec
    self.bitRate = bitRate
    self.isRequired = isRequired
  }

  var wire: WireSoundSettings {
    get throws(CameraBusError) {
      var settings = WireSoundSettings()
      if let microphone {
        settings.microphone = try Arguments.microphone(microphone)
      }
      if let codec {
        guard let wire = codec.wire else {
          throw Arguments.refusal("no node makes \(codec)", "codec")
        }
        settings.codec = wire
      }
      if bitRate == 0 { throw Arguments.refusal("a bit rate is above 0, or nil", "bitRate") }
      settings.bitRate = bitRate ?? 0
      settings.required = isRequired
      return settings
    }
  }
}

/// Why no sound comes from a microphone.
public struct SoundInterruption: Hashable, Sendable, Codable, CustomStringConvertible {
  /// For programs.
  public var reason: InterruptionReason
  /// For people, with the remedy.
  public var error: Problem

  /// The sentence for people.
  public var description: String { error.message }

  init(_ wire: WireSoundInterruption) {
    reason = InterruptionReason(wire.reason)
    error = Problem(wire.error)
  }
}

/// The sound of a recording that is under way.
public struct RecordingSound: Hashable, Sendable, Codable {
  /// The microphone's name on the node.
  public var microphone: String
  /// How it is coded.
  public var codec: SoundCodec?
  /// How much faster the microphone samples than it says, in millionths. The node corrects it. Nil
  /// while that is not known.
  public var driftPPM: Double?
  /// Samples of each channel that were lost since the microphone was opened.
  public var lostSamples: UInt64
  /// Why the movie is silent now; nil if it is not.
  public var interruption: SoundInterruption?

  /// Nil for a movie without sound.
  init?(_ wire: WireRecordingStatus) {
    guard !wire.microphone.isEmpty else { return nil }
    microphone = wire.microphone
    codec = SoundCodec(wire.soundCodec)
    driftPPM = wire.hasSoundDriftPpm ? wire.soundDriftPpm : nil
    lostSamples = wire.soundLostSamples
    interruption = wire.hasSoundInterruption ? SoundInterruption(wire.soundInterruption) : nil
  }
}

/// The sound of a movie that was recorded.
public struct MovieSound: Hashable, Sendable, Codable {
  /// How it is coded.
  public var codec: SoundCodec
  /// How much of the movie is silent because no sound came.
  public var silent: Duration
  /// As ``RecordingSound/driftPPM``, when the movie ended.
  public var driftPPM: Double?

  private enum CodingKeys: String, CodingKey {
    case codec
    case silent = "silentNanoseconds"
    case driftPPM
  }

  /// Nil for a movie without sound.
  init?(_ wire: WireRecordResult) {
    guard let codec = SoundCodec(wire.soundCodec) else { return nil }
    self.codec = codec
    silent = .nanoseconds(wire.silentNs)
    driftPPM = wire.hasSoundDriftPpm ? wire.soundDriftPpm : nil
  }
}

/// A microphone of a node. It is open while a movie needs it.
public struct Microphone: Hashable, Sendable, Codable {
  /// Its name in settings.
  public var name: String
  /// What the node's configuration calls its device.
  public var device: String
  /// Samples of each channel in a second; nil while it is not open.
  public var rate: Int?
  /// How many channels it has; nil while it is not open.
  public var channels: Int?
  /// How many movies have its sound now.
  public var movies: Int
  /// As ``RecordingSound/driftPPM``.
  public var driftPPM: Double?
  /// As ``RecordingSound/lostSamples``.
  public var lostSamples: UInt64
  /// Why no sound comes from it, although a movie needs it.
  public var interruption: SoundInterruption?

  package init(_ wire: WireMicrophoneStatus) {
    name = wire.name
    device = wire.device
    rate = wire.rate == 0 ? nil : Int(wire.rate)
    channels = wire.channels == 0 ? nil : Int(wire.channels)
    movies = Int(wire.movies)
    driftPPM = wire.hasDriftPpm ? wire.driftPpm : nil
    lostSamples = wire.lostSamples
    interruption = wire.hasInterruption ? SoundInterruption(wire.interruption) : nil
  }
}

/// A microphone of a node's machine, whether the node has it or not.
public struct SoundDevice: Hashable, Sendable, Codable {
  /// What a configuration calls it: "hw:CARD=Device,DEV=0".
  public var device: String
  /// What it is, for people.
  public var model: String
  /// The name of the node's microphone that uses it; nil if none does.
  public var microphone: String?

  package init(_ wire: WireSoundDevice) {
    device = wire.device
    model = wire.model
    microphone = wire.microphone.isEmpty ? nil : wire.microphone
  }
}

/// The sound of a movie under way has stopped, or is back.
public struct SoundChange: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The recording.
  public var recordingID: Identifier
  /// The microphone's name on the node.
  public var microphone: String
  /// Why no sound comes; nil if it is back.
  public var interruption: SoundInterruption?

  /// What happened.
  public var description: String {
    interruption.map { "recording \(recordingID) is silent: \($0)" }
      ?? "recording \(recordingID) has sound again"
  }

  /// Nil when it names no recording.
  package init?(_ wire: WireSoundEvent) {
    guard let id = Identifier(bytes: wire.recording) else { return nil }
    recordingID = id
    microphone = wire.microphone
    interruption = wire.hasInterruption ? SoundInterruption(wire.interruption) : nil
  }
}

extension CameraBus {
  /// The node's microphones that this program may use, as they are now, and those of its machine.
  public func microphones() async throws(CameraBusError) -> (
    microphones: [Microphone], devices: [SoundDevice]
  ) {
    guard
      case .microphones(let reply) = try await request(
        .microphones(WireMicrophonesRequest()), .reading)
    else { throw .unexpectedReply }
    return (reply.microphones.map(Microphone.init), reply.devices.map(SoundDevice.init))
  }
}
