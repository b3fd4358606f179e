import Glibc
import OperatingSystem
import TestSupport

extension TemporaryFolder {
  /// Whether this process may make devices of its own, so that no test endangers those of the
  /// system.
  static let canMakeDevices: Bool = {
    guard let folder = try? TemporaryFolder(), let device = try? folder.makeDevice(7) else {
      return false
    }
    return (try? FileDescriptor(device, O_WRONLY)) != nil
  }()

  /// A device that is always full.
  func makeFullDevice() throws -> String { try makeDevice(7) }

  /// A device that takes everything.
  func makeNullDevice() throws -> String { try makeDevice(3) }

  /// Makes a device of the kernel's memory driver, such as /dev/null (3) and /dev/full (7).
  private func makeDevice(_ minor: dev_t) throws -> String {
    let device = "\(path)/device-\(minor)"
    try systemCall("mknod") { unsafe mknod(device, S_IFCHR | 0o666, 1 << 8 | minor) }
    return device
  }
}
