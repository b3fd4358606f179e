public import CameraClient

extension Rig {
  /// The events of all nodes, in the order of their times: see ``MonitorFeed``.
  ///
  /// It has connections of its own, with the rig's timeouts, which end when nobody has the feed or
  /// an iterator of it any more.
  /// - Parameter options: How to begin. The rig's own timeouts count.
  /// - Throws: `invalidArgument`, as ``withMonitor(of:options:_:)``.
  public func events(
    _ options: MonitorOptions = MonitorOptions()
  ) throws(CameraBusError) -> MonitorFeed {
    var options = options
    options.configuration = configuration
    return try MonitorFeed(following: links.map(\.connection), options)
  }
}
