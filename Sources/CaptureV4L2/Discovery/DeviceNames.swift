import OperatingSystem

/// The identities that this process has given to devices.
///
/// A device keeps its identity for as long as the process runs, also when it comes back to its port
/// after it was unplugged. So its links may come late, or move to another device, and it has one
/// name all the same.
final class DeviceNames: Sendable {
  /// A device as its driver names it.
  struct Device: Hashable {
    /// Its bus info, with the node's index: for USB, the port.
    var place: String
    /// Its model, and its serial number if it has one.
    var product: String
  }

  /// A name that a device may get.
  struct Choice {
    var name: String
    /// Whether the device takes the name along to another port.
    var isPortable = false
  }

  private struct Entry {
    var device: Device
    var name: String
    /// The node that it had last. The kernel makes a new file for each node.
    var node: FileStatus.Identity?
  }

  /// The names of the devices that are plugged into this machine.
  static let ofMachine = DeviceNames()

  /// More names than a machine has ports. A device with ever new serial numbers must not fill the
  /// memory.
  private static let limit = 1024

  private let entries = Mutex<[Entry]>([])
  private let lastSeen = Mutex<Set<String>>([])

  /// The name that the device was given.
  /// - Parameter node: Its present node.
  func name(of device: Device, at node: FileStatus.Identity?) -> String? {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.device == device }) else { return nil }
      entries[place].node = node
      return entries[place].name
    }
  }

  /// The name of the device at a node that cannot be opened now.
  func name(at node: FileStatus.Identity) -> String? {
    entries.withLock { entries in entries.last { $0.node == node }?.name }
  }

  /// Every name that was given.
  var all: Set<String> { entries.withLock { Set($0.map(\.name)) } }

  /// The names of the devices that were there when somebody looked at all of them.
  var present: Set<String> { lastSeen.withLock { $0 } }

  func see(_ names: Set<String>) { lastSeen.withLock { $0 = names } }

  /// Gives the device the first name that no other device has, unless it has one.
  /// - Parameter last: The name if each of the others is taken.
  func name(
    _ device: Device, at node: FileStatus.Identity?, _ choices: [Choice], last: String
  ) -> String {
    entries.withLock { entries in
      if let known = entries.first(where: { $0.device == device }) { return known.name }
      let choice = choices.first { choice in
        entries.allSatisfy { entry in
          entry.name != choice.name || entry.device.place == device.place
            || (choice.isPortable && entry.device.product == device.product)
        }
      }
      let name = choice?.name ?? last
      if choice?.isPortable == true {
        entries.removeAll { $0.name == name && $0.device.product == device.product }
      }
      entries = entries.suffix(Self.limit - 1) + [Entry(device: device, name: name, node: node)]
      return name
    }
  }
}
