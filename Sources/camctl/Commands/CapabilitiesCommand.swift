import ArgumentParser
import CameraClient
import Words

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
    for words in Self.words(of: capabilities.pictures) { facts.add("photos", words) }
    if let ring = capabilities.ring {
      facts.add(
        "reaches back",
        "\(ring.frames) frames, \(ring.duration.words)")
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
    facts.add("depth camera", capabilities.depthCamera ?? "none")
    facts.add(
      "photos at a time",
      "\(capabilities.limits.waitingPhotos) wait, \(capabilities.limits.encodedPhotos) are encoded")
    if capabilities.limits.deferredPhotos > 0 {
      facts.add(
        "files made later",
        "of at most \(capabilities.limits.deferredPhotos) photos, "
          + capabilities.limits.deferredByteCount.byteWords)
    }
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

  /// "640x480: jpeg (the camera's own), png, raw", a size a line.
  private static func words(of pictures: [Capabilities.Picture]) -> [String] {
    var lines: [(start: String, end: String, formats: [String])] = []
    for picture in pictures {
      let end = picture.switchesFormat ? "; in another format (camctl capture --size max)" : ""
      let format = PhotoFormat.allCases.first { $0.mediaType == picture.mediaType }?.rawValue
      let name =
        (format ?? picture.mediaType) + (picture.isPassthrough ? " (the camera's own)" : "")
      if let last = lines.last, last.start == "\(picture.size)", last.end == end {
        lines[lines.count - 1].formats.append(name)
      } else {
        lines.append(("\(picture.size)", end, [name]))
      }
    }
    return lines.map { "\($0.start): \($0.formats.joined(separator: ", "))\($0.end)" }
  }
}
