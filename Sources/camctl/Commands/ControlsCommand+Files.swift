import ArgumentParser
import CameraClient
import Words

extension ControlsCommand {
  struct Reset: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sets controls to their defaults: those that are named, or all.",
      discussion: """
        Without names, read-only and inactive controls and buttons are skipped, and a line names each other one that \
        could not be set. A control that is named and cannot be set is an error; the others are set all the same.
        """
    )

    @OptionGroup var options: BusOptions
    @Argument(
      help: ArgumentHelp("What to reset; default: all.", valueName: "NAME"),
      completion: .controls)
    var names: [String] = []

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      let all = try await camera.controls()
      // A driver's region has no default of its own: that of the point is the whole picture.
      let regions = Swift.Set(all.filter { $0.kind == .point }.flatMap(\.sources))
      let controls =
        names.isEmpty
        ? all.filter {
          ($0.standsAlone || $0.kind == .point) && !regions.contains($0.id) && $0.kind != .button
            && !$0.isReadOnly
        }
        : try await camera.controls(names)
      // An automatic that is switched on makes the values beside it inactive, so it comes last.
      let inOrder = controls.filter { !$0.isChoice } + controls.filter(\.isChoice)
      var change = ControlsChange(camera)
      try await change.set(
        inOrder.map { ($0.id, regions.contains($0.id) ? nil : $0.defaultSetting) }, isLenient: true)
      try change.report(options, mustBeWhole: !names.isEmpty)
    }
  }

  struct Save: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Saves the values of all controls that can be set again.",
      discussion: """
        The file has a JSON object a line, as controls --json prints them, with the id and the value. The values of \
        inactive controls are left out, because the camera sets them by itself.
        """
    )

    @OptionGroup var options: BusOptions
    @Argument(
      help: ArgumentHelp("The file; - is the standard output.", valueName: "FILE"),
      completion: .file())
    var file: String
    @OptionGroup var existing: OverwriteOption

    func run(on bus: CameraBus) async throws {
      try SavedControls.check(file, overwrites: existing.overwrite)
      let camera = try await options.chosenCamera(of: bus)
      let controls = SavedControls(try await camera.controls())
      try await controls.write(to: file, overwrites: existing.overwrite)
      if !OutputPattern.isStandardOutput(file), options.isTalkative {
        StandardOutput.write(
          line: "\(file): \(controls.settings.count.counted("control")) of \(camera.name)")
      }
    }
  }

  struct Load: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sets controls to the values of a file that save wrote.",
      discussion: """
        Up to 64 of them are set all or, when the camera refuses one, none. One that the camera does not have or that \
        cannot be set now is an error; the others are set all the same. Prints the values that took effect.
        """
    )

    @OptionGroup var options: BusOptions
    @Argument(
      help: ArgumentHelp("The file; - is the standard input.", valueName: "FILE"),
      completion: .file())
    var file: String

    func run(on bus: CameraBus) async throws {
      let saved = try await SavedControls(readingFrom: file)
      var change = ControlsChange(try await options.chosenCamera(of: bus))
      try await change.set(saved.settings, isLenient: false)
      try change.report(options, mustBeWhole: true)
    }
  }
}
