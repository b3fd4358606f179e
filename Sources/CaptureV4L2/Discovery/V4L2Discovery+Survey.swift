package import Capture

extension V4L2Discovery {
  /// Every camera with all that is known of it. This opens each one, and looks at every process, so
  /// it may take long; a camera that streams goes on.
  package func survey() -> [FoundDevice] {
    devices().map { found in
      let path = found.description.location
      var device = FoundDevice(found)
      device.holders = NodeHolders(of: path).holders.map(\.words)
      guard found.problem == nil else { return device }
      let answer = probes.answer(at: path, times: Self.questions) { Self.facts(of: path) }
      guard let answer else {
        device.problem = .stalled(in: "list the formats of \(path)")
        return device
      }
      if let (mounting, formats) = answer {
        (device.mounting, device.formats) = (mounting, formats)
      }
      return device
    }
  }

  private static func facts(of path: String) -> (DeviceMounting, [CameraFormat])? {
    guard let camera = try? OpenCamera(path: path) else { return nil }
    let formats = (try? camera.formats(including: FormatRequest()).offers) ?? []
    return (MountingControls.read(of: camera), formats + ((try? camera.otherFormats()) ?? []))
  }
}
