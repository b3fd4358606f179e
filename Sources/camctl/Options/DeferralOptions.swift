import ArgumentParser

/// Whether the files of photos are made later, and waited for.
struct DeferralOptions: ParsableArguments {
  @Flag(
    help: "Take a proxy at once, a JPEG, and let the node make the files of --format afterwards.")
  var deferred = false

  @Flag(help: "With --deferred, wait for these files and write them too.")
  var wait = false

  func validate() throws {
    if wait, !deferred {
      throw ValidationError("--wait is for files that are made later: give --deferred too")
    }
  }
}
