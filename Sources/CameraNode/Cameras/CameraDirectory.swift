import CameraProtocol

/// The node's cameras by name.
// Sendable: belongs to the control loop.
final class CameraDirectory: @unchecked Sendable {
  private(set) var all: [Camera] = []

  func add(_ camera: Camera) { all.append(camera) }

  func removeAll() { all = [] }

  /// The camera of this name, if the node has it.
  subscript(name: String) -> Camera? { all.first { $0.name == name } }

  /// The camera that a request names, or the only one there is.
  /// - Throws: `noSuchCamera` with a list of the node's cameras.
  func named(_ name: String) throws(WireError) -> Camera {
    if name.isEmpty, all.count == 1 { return all[0] }
    if let camera = self[name] { return camera }
    let names = all.map(\.name).joined(separator: ", ")
    let problem = name.isEmpty ? "the request names no camera" : "there is no camera \(name)"
    throw WireError(.noSuchCamera, "\(problem): this node has \(names)")
  }
}
