import ArgumentParser
import CameraClient
import OperatingSystem

/// Says what a camera can do.
struct CapabilitiesCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "capabilities",
    abstract: "Says what a camera can do: presets, photos, controls with a meaning, limits.",
    discussion: """
      All formats are in camctl formats, all controls with their values in camctl controls.
      """
  )

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let capabilities = try await options.chosenCamera(of: bus).capabilities()
    if options.json { return JSONLine.print(capabilities) }
    var facts = Table("WHAT", "IS")
    facts.add("format", capabilities.format?.words ?? "does not run")
    for picture in capabilities.pictures {
      let origin =
        if picture.switchesFormat {
          "in another format (camctl capture --size max)"
        } else {
          picture.isPassthrough ? "the camera's own" : "encoded by the node"
        }
      facts.add("photos", "\(picture.mediaType) \(picture.size), \(origin)")
    }
    if let ring = capabilities.ring {
      facts.add(
        "reaches back",
        "\(ring.frames) frames, \(Duration.nanoseconds(ring.durationNanoseconds).words)")
    }
    facts.add("timestamps mark", capabilities.timestampMark.rawValue.separated)
    facts.add("says how it took a frame", capabilities.saysFacts ? "yes" : "no")
    facts.add("says the camera's own time", capabilities.saysDeviceTime ? "yes" : "no")
    for (name, isThere) in [
      ("flash", capabilities.hasFlash), ("torch", capabilities.hasTorch),
      ("depth", capabilities.hasDepth), ("points of interest", capabilities.hasPointsOfInterest),
    ] {
      facts.add(name, isThere ? "yes" : "no")
    }
    facts.add(
      "photos at a time",
      "\(capabilities.limits.waitingPhotos) wait, \(capabilities.limits.encodedPhotos) are encoded")
    facts.print()
    StandardOutput.write(line: "")
    var presets = Table("PRESET", "FORMAT", "SIZE", "FRAMES A SECOND")
    for preset in capabilities.presets {
      presets.add(
        preset.preset.rawValue, preset.format.pixelFormat, "\(preset.format.size)",
        preset.format.frameRates.first?.words(to: 2) ?? "")
    }
    presets.print()
    StandardOutput.write(line: "")
    ControlTable.print(meanings: capabilities.controls)
  }
}
