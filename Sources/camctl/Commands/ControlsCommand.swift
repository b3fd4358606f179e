import ArgumentParser
import CameraClient

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
      let controls = try await options.chosenCamera(of: bus).controls(names)
      if options.json { return controls.forEach { JSONLine.print($0) } }
      for control in controls {
        StandardOutput.write(line: control.assignment)
      }
    }
  }

  struct Set: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sets controls: all of them or, when one fails, none.",
      discussion: """
        The value for a menu is an item's name or number, for an array it is numbers with commas between them; \
        a button has no value. Prints the values that took effect.

          camctl controls set brightness=120 test_pattern="Grey Ramp"
        """
    )

    @OptionGroup var options: BusOptions
    @Argument(
      help: ArgumentHelp("What to set, and to what.", valueName: "NAME=VALUE"),
      completion: .settings)
    var settings: [String]

    func validate() throws { try SettingText.check(settings) }

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      let controls = try await camera.set(SettingText.values(settings, of: camera))
      for control in controls {
        if options.json {
          JSONLine.print(control)
        } else {
          StandardOutput.write(line: control.assignment)
        }
      }
    }
  }
}
