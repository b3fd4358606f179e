import ArgumentParser
import Keys
import OperatingSystem

/// Where a node's keys are.
struct KeyFolderOptions: ParsableArguments {
  @Option(
    name: .customLong("keys"),
    help: ArgumentHelp(
      "The node's folder of keys; default: beside its library.", valueName: "DIR"),
    completion: .directory)
  var path: String?

  @Option(
    help: ArgumentHelp("The node's library, if it is not the default one.", valueName: "DIR"),
    completion: .directory)
  var library: String?

  @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
  var json = false

  func validate() throws {
    if path != nil, library != nil {
      throw ValidationError("--keys and --library say the same: leave one out")
    }
  }

  var keys: KeyFolder {
    KeyFolder(path ?? KeyFolder.standard(forLibrary: library ?? DefaultLibrary.path))
  }

  /// Reports a key that may use the node from now on.
  func report(_ key: AuthorizedKey) {
    if json {
      KeyTable.print([key], asJSON: true)
    } else {
      StandardOutput.write(
        line: key.isExpired(at: WallTime.nowNanoseconds)
          ? "the time of \(key.name) is over: camctl keys change \(key.name) --expires 30d lets it in again"
          : "\(key.name) may use the node as \(key.grant), says \(keys.path)")
    }
  }
}
