package import Capture

extension V4L2Discovery {
  /// Every camera with all that is known of it. This opens each one, and looks at every process, so
  /// it may take long; a camera that streams goes on.
  package func survey() -> [FoundDevice] {
    devices().map { found in
      let path = found.description.location
      var device = FoundDevice(found)
      device.holders = NodeHolders(of: path).holders.map(\.words)
      guard found.problem == nil, let camera = try? OpenCamera(path: path) else { return device }
      device.mounting = MountingControls.read(of: camera)
      device.formats = (try? camera.formats(including: FormatRequest()).offers) ?? []
      device.formats += (try? camera.otherFormats()) ?? []
      return device
    }
  }
}
