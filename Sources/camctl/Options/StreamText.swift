import ArgumentParser
import CameraClient
import Words

/// How a stream is to be sent, as people write it: `preview=rate:5,quality:60`, `full=off`.
enum StreamText {
  private static let form =
    "write a stream and its settings, such as preview=rate:5,quality:60 or full=off"

  static func parse(_ text: String) throws -> StreamSettings {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let stream = FrameStream(String(parts[0])) else {
      throw ValidationError(
        "\(form); a stream is preview, full, raw, h264 or a size such as 320x240")
    }
    var settings = StreamSettings(stream)
    for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      if ["on", "off"].contains(part) {
        guard settings.isEnabled == nil else { throw ValidationError("write on or off once") }
        settings.isEnabled = part == "on"
        continue
      }
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2 else { throw ValidationError(form) }
      switch words[0] {
      case "rate":
        guard settings.maximumRate == nil, let rate = Double(words[1])
        else { throw ValidationError("write rate once, in frames a second, or 0 for all of them") }
        settings.maximumRate = rate
      case "quality":
        guard settings.quality == nil, let quality = Int(words[1])
        else { throw ValidationError("write quality once, 1 to 100, or 0 for the node's") }
        settings.quality = quality
      case "bit-rate":
        guard settings.bitRate == nil, let rate = words[1] == "0" ? 0 : BitRateText.parse(words[1])
        else { throw ValidationError("write bit-rate once, such as 4M, or 0 to keep a quality") }
        settings.bitRate = rate
      case "key-interval":
        guard settings.keyInterval == nil,
          let interval = words[1] == "0" ? .zero : DurationText.parse(String(words[1]))
        else { throw ValidationError("write key-interval once, such as 2s, or 0 for a second") }
        settings.keyInterval = interval
      case "size":
        guard settings.bound == nil,
          let sides = words[1] == "0" ? (width: 0, height: 0) : SizeText.sides(of: words[1])
        else {
          throw ValidationError("write size once, such as 1280x720, or 0 for the camera's size")
        }
        settings.bound = FrameSize(width: sides.width, height: sides.height)
      default:
        throw ValidationError(
          "a stream has rate and quality, h264 has bit-rate, key-interval and size too, and each is on or off: \(form)"
        )
      }
    }
    return settings
  }
}
