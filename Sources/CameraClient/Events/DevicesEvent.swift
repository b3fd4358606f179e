/// Cameras of the node's machine came or went.
public struct DevicesEvent: Hashable, Sendable, Codable {
  /// Those that are there from now on, or in another way than before. They come without their
  /// formats: see ``CameraBus/devices()``.
  public var appeared: [MachineDevice]
  /// Those that have gone.
  public var disappeared: [MachineDevice]
}

extension DevicesEvent: CustomStringConvertible {
  /// What changed, in words.
  public var description: String {
    let parts =
      appeared.map {
        "\($0.words) is there" + ($0.error.map { ", and cannot be used: \($0.message)" } ?? "")
      }
      + disappeared.map { "\($0.words) has gone" }
    return parts.joined(separator: "; ")
  }
}

extension MachineDevice {
  fileprivate var words: String { "\(device.location) (\(device.model))" }
}
