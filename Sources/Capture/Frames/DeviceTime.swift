package import OperatingSystem

/// When a frame was captured by the camera's own clock, and where that moment lies on the node's.
package struct DeviceTime: Codable, Hashable, Sendable {
  /// The way in which the two clocks were compared.
  package enum Basis: Codable, Hashable, Sendable {
    /// The camera and the node count the same frames of the USB bus.
    case usbFrames
    /// The camera's packets arrive after they were stamped, and the fastest of them soon.
    case arrival
  }

  /// The camera's clock when it began to capture the frame. It wraps around.
  package var ticks: UInt32
  /// The same moment on the node's clock: the middle of what is possible.
  package var time: MonotonicTime
  /// The moment lies at most this far from `time`, in nanoseconds.
  package var error: Int64
  package var basis: Basis

  package init(ticks: UInt32, time: MonotonicTime, error: Int64, basis: Basis) {
    self.ticks = ticks
    self.time = time
    self.error = error
    self.basis = basis
  }
}
