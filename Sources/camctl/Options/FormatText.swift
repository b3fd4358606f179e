import ArgumentParser
import CameraClient

/// What `--format` takes: `1280x720@30,format=YUYV` or a part of it.
struct FormatText {
  private(set) var size: FrameSize?
  private(set) var frameRate: Double?
  private(set) var pixelFormat: String?

  init(_ text: String) throws {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part.hasPrefix("format=") {
        pixelFormat = String(part.dropFirst(7))
      } else if let match = part.wholeMatch(of: /(?:(\d{1,5})x(\d{1,5}))?(?:@(\d+(?:\.\d+)?))?/),
        !part.isEmpty
      {
        if let width = match.1.flatMap({ Int($0) }), let height = match.2.flatMap({ Int($0) }) {
          size = FrameSize(width: width, height: height)
        }
        frameRate = match.3.flatMap { Double($0) }
      } else {
        throw ValidationError("write 1280x720@30,format=YUYV or a part of it")
      }
    }
  }
}
