import TestSupport

extension TemporaryFolder {
  /// The path of the test's movie.
  var movie: String { path + "/movie.mkv" }

  func readMovie() throws -> [UInt8] { try read("movie.mkv") }

  func writeMovie(_ bytes: some Sequence<UInt8>) throws { try write(bytes, to: "movie.mkv") }
}
