/// What a flash driver says is wrong: bits of `V4L2_CID_FLASH_FAULT`.
struct FlashFaults: OptionSet, Hashable, Sendable {
  let rawValue: Int64

  /// That the light ended by its own limit, which it may, and what is wrong with the LED that shows
  /// that a camera is in use.
  private static let harmless = FlashFaults(rawValue: 1 << 1 | 1 << 5)

  private static let names = [
    "over-voltage", "timeout", "over-temperature", "short circuit", "over-current", "indicator LED",
    "under-voltage", "input voltage too low", "LED over-temperature",
  ]

  /// The error; nil if the flash can light.
  var error: CaptureError? {
    let grave = subtracting(Self.harmless)
    guard !grave.isEmpty else { return nil }
    let words = (0..<Int64.bitWidth).filter { grave.rawValue >> $0 & 1 == 1 }.map { bit in
      bit < Self.names.count ? Self.names[bit] : "fault \(bit)"
    }
    return CaptureError(
      .deviceFailed,
      "the flash has a fault (\(words.joined(separator: ", "))): let it cool down, look at its LED and its supply, "
        + "or take the photo without it")
  }
}
