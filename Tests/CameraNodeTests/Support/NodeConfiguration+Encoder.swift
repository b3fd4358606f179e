import Foundation
import PhotoEncoding

@testable import CameraNode

extension NodeConfiguration {
  /// Lets the node make AVIF and HEIC with the camerad of this build, which is beside the test
  /// bundle.
  mutating func encodesPhotos() {
    var settings = PhotoEncoderSettings()
    settings.program =
      URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "camerad")
      .path
    photoEncoder = settings
  }
}
