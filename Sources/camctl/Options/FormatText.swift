import ArgumentParser
import CameraClient
import Words

/// What `--format` takes: `1280x720@30,format=YUYV` or a part of it.
struct FormatText {
  private(set) var size: FrameSize?
  private(set) var frameRate: Double?
  private(set) var pixelFormat: String?

  init(_ text: String) throws {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part.hasPrefix("format=") {
        pixelFormat = String(part.dropFirst(7))
      } else if !part.isEmpty, let match = part.wholeMatch(of: /([^@]*)(?:@(\d+(?:\.\d+)?))?/),
        case let sides = SizeText.sides(of: match.1), sides != nil || match.1.isEmpty
      {
        if let sides { size = FrameSize(width: sides.width, height: sides.height) }
        frameRate = match.2.flatMap { Double($0) }
      } else {
        throw ValidationError("write 1280x720@30,format=YUYV or a part of it")
      }
    }
  }
}
