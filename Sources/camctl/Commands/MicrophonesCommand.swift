import ArgumentParser
import CameraClient
import Words

/// Lists the node's microphones and those of its machine.
struct MicrophonesCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "microphones",
    abstract: "Lists the node's microphones, and those of its machine.",
    discussion: """
      A microphone is open while a movie needs it: `camctl record --sound`. DEVICE is what `camerad --microphone \
      NAME=alsa:DEVICE` takes.
      """)

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let (microphones, devices) = try await bus.microphones()
    if options.json {
      return JSONLine.print(MicrophonesReport(microphones: microphones, devices: devices))
    }
    if microphones.isEmpty {
      StandardOutput.write(
        line: "the node has no microphone: camerad --microphone NAME=alsa:DEVICE")
    } else {
      var table = Table("MICROPHONE", "DEVICE", "SAMPLES", "MOVIES", "DRIFT", "LOST")
      for microphone in microphones {
        table.add(
          microphone.name, microphone.device, microphone.formatWords, "\(microphone.movies)",
          microphone.driftPPM.map { "\(Int(max(-1e6, min(1e6, $0)).rounded())) ppm" } ?? "",
          "\(microphone.lostSamples)")
      }
      table.print()
    }
    for microphone in microphones {
      guard let interruption = microphone.interruption else { continue }
      StandardOutput.write(line: "\(microphone.name): \(interruption)", style: .bad)
    }
    StandardOutput.write(line: "")
    guard !devices.isEmpty else {
      return StandardOutput.write(line: "the machine has no microphone that ALSA knows")
    }
    var table = Table("DEVICE", "MODEL", "MICROPHONE")
    for device in devices { table.add(device.device, device.model, device.microphone ?? "") }
    table.print()
  }
}

extension Microphone {
  fileprivate var formatWords: String {
    guard let rate, let channels else { return "" }
    return "\(rate) Hz, \(channels.counted("channel"))"
  }
}

/// What `microphones --json` prints.
private struct MicrophonesReport: Encodable {
  var microphones: [Microphone]
  var devices: [SoundDevice]
}
