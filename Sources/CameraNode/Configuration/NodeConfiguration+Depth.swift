extension NodeConfiguration {
  /// What is wrong with the names of depth cameras.
  func depthMistakes() -> [ConfigurationError] {
    let cameras = cameras.map { ($0.name, $0.options, $0.origin) }
    let rules = adoptions.map { ($0.name, $0.options, $0.origin) }
    return (cameras + rules).compactMap { (name, options, origin) in
      options.depthCamera.flatMap { depthMistake(of: name, $0) }.map(origin.error)
    }
  }

  /// - Parameters:
  ///   - camera: The camera, or the rule that makes it.
  ///   - depth: Its depth camera.
  private func depthMistake(of camera: String, _ depth: String) -> String? {
    let names = CameraNames(self)
    guard names.contains(depth) else {
      return
        "camera \(camera): there is no camera \(depth) for its depth: the cameras are \(names.words)"
    }
    let rule = adoptions.first { $0.mayMakeName(depth) }
    guard camera != depth, camera != rule?.name else {
      return "camera \(camera): it would be its own depth camera: name another one"
    }
    let options = cameras.first { $0.name == depth }?.options ?? rule?.options
    guard options?.depthCamera == nil else {
      return "camera \(camera): its depth camera \(depth) has one of its own: leave one of them out"
    }
    return nil
  }
}
