import CameraProtocol
import Capture

/// The node's cameras by name.
@ControlLoop final class CameraDirectory {
  private(set) var all: [Camera] = []

  /// The devices that are about to become cameras, by the names that these get.
  var arriving: [String: DeviceDescription] = [:]

  func add(_ camera: Camera) { all.append(camera) }

  func remove(_ camera: Camera) { all.removeAll { $0 === camera } }

  func removeAll() { all = [] }

  /// The camera of this name, if the node has it.
  subscript(name: String) -> Camera? { all.first { $0.name == name } }

  /// The name of the camera that has this device, or is about to.
  /// - Parameter excluded: Does not count.
  func user(of device: DeviceDescription, besides excluded: Camera) -> String? {
    all.first { $0 !== excluded && $0.has(device) }?.name
      ?? arriving.first { $0.value.isSameDevice(as: device) }?.key
  }

  /// The cameras that a client may use.
  func all(for access: Access) -> [Camera] { all.filter { access.isFor(camera: $0.name) } }

  /// The camera that a request names, or the only one that its client may use.
  /// - Throws: `noSuchCamera` with a list of the cameras; `forbidden` for one that the client may
  ///   not use, whether the node has it or not.
  func named(_ name: String, for access: Access) throws(WireError) -> Camera {
    let usable = all(for: access)
    if name.isEmpty, usable.count == 1 { return usable[0] }
    guard name.isEmpty || access.isFor(camera: name) else { throw .forbidden(camera: name, access) }
    if let camera = self[name] { return camera }
    guard !usable.isEmpty || all.isEmpty else {
      throw WireError(
        .noSuchCamera,
        "this node has none of the cameras that \(access.name) is for: ask the node's owner")
    }
    guard !all.isEmpty else {
      throw WireError(.noSuchCamera, "this node has no camera now: plug one in")
    }
    let names = usable.map(\.name).joined(separator: ", ")
    let problem = name.isEmpty ? "the request names no camera" : "there is no camera \(name)"
    throw WireError(
      .noSuchCamera, "\(problem): this node has \(names)",
      reason: name.isEmpty ? .cameraNotNamed : .unspecified)
  }
}
