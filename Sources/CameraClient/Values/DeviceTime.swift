/// When a frame was captured by the camera's own clock, and where that moment lies on the node's.
public struct DeviceTime: Hashable, Sendable, Codable {
  /// The camera's clock when it began to capture the frame, in ticks of a length that only the
  /// camera knows. It wraps around.
  public var ticks: UInt32
  /// The same moment on the node's monotonic clock: the middle of what is possible.
  public var monotonicNanoseconds: Int64
  /// The moment lies at most this far from ``monotonicNanoseconds``.
  public var errorNanoseconds: UInt64
  /// How the clocks were compared.
  public var basis: Basis
}
