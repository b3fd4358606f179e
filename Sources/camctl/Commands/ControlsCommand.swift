import ArgumentParser
import CameraClient
import Words

/// Lists, reads and sets controls.
struct ControlsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "Lists, reads and sets a camera's controls.",
    subcommands: [List.self, Get.self, Set.self, Reset.self, Save.self, Load.self],
    defaultSubcommand: List.self
  )

  struct List: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists all controls with their values, ranges and defaults."
    )

    @OptionGroup var options: BusOptions

    func run(on bus: CameraBus) async throws {
      let controls = try await options.chosenCamera(of: bus).controls()
      if options.json { return controls.forEach { JSONLine.print($0) } }
      ControlTable.print(controls)
    }
  }

  struct Get: BusCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the values of controls.")

    @OptionGroup var options: BusOptions
    @Argument(help: ArgumentHelp("What to read.", valueName: "NAME"), completion: .controls)
    var names: [String]

    func run(on bus: CameraBus) async throws {
      ControlTable.printValues(
        try await options.chosenCamera(of: bus).controls(names), options)
    }
  }

  struct Set: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sets controls: all of them or, when one fails, none.",
      discussion: """
        The value for a menu is an item's name or number, for an array it is numbers with commas between them; \
        a button has no value. Controls with a meaning take units, and switch an automatic off that would overrule \
        them; locked holds what an automatic has chosen. Prints the values that took effect, and on the standard error the first frame that shows the change: as the camera says, or \
        as its pictures do. It looks for that frame if one of the controls is known to shape the picture.

          camctl controls set brightness=120 test_pattern="Grey Ramp"
          camctl controls set exposure.duration=10ms focus.position=0.4 zoom=2
          camctl controls set exposure.mode=locked white_balance.mode=locked
          camctl controls set zoom=4 --ramp 1
          camctl controls set point_of_interest=0.2,0.7 --seen-in preview
        """
    )

    @OptionGroup var options: BusOptions
    @Argument(
      help: ArgumentHelp("What to set, and to what.", valueName: "NAME=VALUE"),
      completion: .settings)
    var settings: [String] = []

    @Flag(
      inversion: .prefixedNo, exclusivity: .exclusive,
      help: "Look for the first frame that shows the change.")
    var effect: Bool?
    @Option(
      help: ArgumentHelp(
        "Move zoom smoothly, by so many doublings a second.", valueName: "RATE"))
    var ramp: Double?
    @Flag(help: "End a ramp of zoom where it stands.")
    var stopRamp = false
    @Option(
      help: ArgumentHelp(
        "Take point_of_interest as a point of previews or of photos, as they are turned and zoomed now.",
        valueName: "PICTURE"))
    var seenIn: SeenIn?

    func validate() throws {
      guard !settings.isEmpty || stopRamp else {
        throw ValidationError("write what to set as NAME=VALUE, for example brightness=120")
      }
      guard !settings.isEmpty || (ramp == nil && effect == nil) else {
        throw ValidationError("a ramp and an effect are those of a setting: give zoom=FACTOR")
      }
      guard ramp == nil || effect != true else {
        throw ValidationError("a ramp changes every frame: leave --effect out")
      }
      guard ramp == nil || !stopRamp else {
        throw ValidationError("--ramp begins what --stop-ramp ends: leave one of them out")
      }
      try SettingText.check(settings)
      guard seenIn == nil || settings.contains(where: { $0.hasPrefix("point_of_interest=") }) else {
        throw ValidationError("--seen-in is for a point: give point_of_interest=X,Y")
      }
    }

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      if stopRamp { try await camera.stopRamp() }
      guard !settings.isEmpty else {
        return ControlTable.printValues(try await camera.controls(["zoom"]), options)
      }
      var values = try await SettingText.values(settings, of: camera)
      if let seenIn { values = try await seenIn.onCamera(values, camera) }
      let applied = try await CommandFailure.ofChange {
        try await camera.set(values, findsEffect: effect, rampRate: ramp)
      }
      ControlTable.printValues(applied.controls, options)
      if options.json {
        if let effect = applied.effect { JSONLine.print(["effect": effect]) }
        return
      }
      for control in applied.controls {
        guard let target = control.rampingTo else { continue }
        options.note("\(control.id) moves to \(target.words(to: 6))")
      }
      if let effect = applied.effect {
        options.note("\(effect)")
      } else if effect == true {
        options.note("not looked for: \(camera.name) takes no frames now")
      }
    }
  }
}
