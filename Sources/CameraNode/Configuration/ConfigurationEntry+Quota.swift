import CameraProtocol
import Yams
import MediaLibrary
import Words

extension ConfigurationEntry {
  /// What a library keeps.
  func quota() throws(ConfigurationError) -> LibraryQuota {
    var quota = LibraryQuota()
    for line in try lines(such: "size: 50GiB") {
      switch line.key {
      case "size": quota.all.byteCount = try line.byteCount()
      case "age": quota.all.age = try line.age()
      case "free": quota.freeByteCount = try line.byteCount()
      case "cameras":
        for camera in try line.lines(such: "front: {size: 10GiB}") {
          guard CameraName.isValid(camera.key) else {
            throw camera.origin.mistake(
              "is no name of a camera: it has 1 to 32 letters, digits, - and _")
          }
          quota.cameras[camera.key] = try camera.quotaLimits()
        }
      default: throw line.unknown(among: ["size", "age", "free", "cameras"], of: "a quota")
      }
    }
    return quota
  }

  private func quotaLimits() throws(ConfigurationError) -> LibraryQuota.Limits {
    var limits = LibraryQuota.Limits()
    for line in try lines(such: "size: 10GiB") {
      switch line.key {
      case "size": limits.byteCount = try line.byteCount()
      case "age": limits.age = try line.age()
      default: throw line.unknown(among: ["size", "age"], of: "a camera's quota")
      }
    }
    return limits
  }

  private func age() throws(ConfigurationError) -> Duration {
    guard let age = value.string.flatMap({ AgeText.parse($0) }) else {
      throw origin.mistake("needs \(AgeText.forms), not \(found)")
    }
    return age
  }
}
