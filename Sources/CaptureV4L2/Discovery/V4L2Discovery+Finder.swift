package import Capture
package import EventLoop
package import OperatingSystem

extension V4L2Discovery: DeviceFinder {
  package func look() -> [FoundDevice] {
    devices().map(FoundDevice.init)
  }

  package func hurry() { probes.hurry() }

  package func device(_ identity: String) -> any CameraDevice {
    V4L2Device(identity, converting: library)
  }

  package func watch(
    on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) -> @Sendable () -> Void {
    let watch = try DeviceFolderWatch(on: loop, onChange)
    return { watch.cancel() }
  }
}

extension FoundDevice {
  init(_ found: V4L2Discovery.Device) {
    self.init(
      found.description, found.authorization, problem: found.problem, aliases: found.aliases)
  }
}
