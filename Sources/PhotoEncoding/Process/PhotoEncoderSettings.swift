import Imaging

/// How a ``PhotoEncoder`` treats the process that encodes.
package struct PhotoEncoderSettings: Hashable, Sendable {
  /// The program to start, which calls ``EncodingService/run()``: by default this one.
  package var program = "/proc/self/exe"
  package var arguments = EncodingService.arguments
  /// After so many jobs the process is renewed. HEIC leaves about 30 kB of each.
  package var maximumJobs = 50
  /// A process with more bytes of memory than this after a job is renewed.
  package var maximumMemory = 256 << 20
  /// A process that was idle for longer is renewed, because it is about to end by itself.
  package var longestPause: Duration = EncodingService.idleTime - .seconds(10)
  /// How long a job may take: this, and more for each megapixel.
  package var patience: Duration = .seconds(20)
  package var patiencePerMegapixel: Duration = .seconds(10)

  package init() {}

  func patience(for size: ImageSize) -> Duration {
    patience + patiencePerMegapixel * (Double(size.width * size.height) / 1e6)
  }
}
