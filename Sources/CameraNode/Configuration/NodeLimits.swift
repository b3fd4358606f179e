import MediaLibrary

/// How much a node keeps for slow clients, and for how long. The defaults are those of the
/// protocol; tests use smaller ones.
struct NodeLimits: Sendable {
  /// The most events that wait for one subscriber. libzmq drops further ones. Each takes about 200
  /// bytes for each subscriber, so all connections that there may be take 50 MB at most.
  var eventQueueLength = 1000
  /// The most bytes of replies that wait for one client. Further replies are dropped.
  var unsentByteCount = 32 << 20
  /// The most bytes of replies that wait for all clients. The client that has taken nothing for the
  /// longest time is disconnected. What libzmq has yet to free of such clients takes up to half as
  /// much again.
  var unsentByteCountOfAll = 48 << 20
  /// The bytes that photos and movies leave free on the library's disk.
  var libraryReserve = MediaLibrary.defaultReserve
  var requests = RequestMemory.Limits()
  /// When the node looks how hard its machine is pressed.
  var pressure = PressureWatch.Pace()
  /// How long a download waits for its client.
  var downloadPatience = Duration.seconds(60)
  /// How long a download that sends little keeps its place when others want one.
  var downloadGrace = Duration.seconds(10)
  /// How long a movie that was cut off and cannot be recovered waits before the second try. Later
  /// pauses are longer.
  var recoveryPause = Duration.seconds(5)
  /// The most cameras that rules may make of devices.
  var adoptedCameras = 8
  /// How long the device of an adopted camera may be gone.
  var adoptionPatience = Duration.seconds(5)
  /// How long a call into a driver may take before its camera counts as stalled.
  var driverCall = Duration.seconds(10)
  /// How long drivers have when the node stops: to answer the requests that wait for them, and then
  /// to let their cameras go.
  var driverEnd = Duration.seconds(2)
  /// The limits of connections; nil to share out the descriptors of the process.
  var connections: ConnectionLimits?
}
