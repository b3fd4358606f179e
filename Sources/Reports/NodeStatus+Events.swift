package import CameraClient

extension NodeStatus {
  /// Goes on to how the node is after an event.
  /// - Returns: False for an event that changes nothing of what is shown.
  package mutating func take(_ event: CameraEvent) -> Bool {
    switch event.body {
    case .state(let camera):
      take(camera)
    case .pressure(let pressure): self.pressure = pressure
    default: return false
    }
    now = event.time
    return true
  }

  /// Takes the state of a camera, which may be new to the node or gone.
  private mutating func take(_ camera: CameraStatus) {
    let index = cameras.firstIndex { $0.name == camera.name }
    switch (index, camera.adoption == .ended) {
    case (let index?, true): cameras.remove(at: index)
    case (let index?, false): cameras[index] = camera
    case (nil, true): break
    case (nil, false): cameras.append(camera)
    }
  }
}
