import ArgumentParser

/// Whether files that exist are replaced.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace a file that exists.")
  var overwrite = false
}
