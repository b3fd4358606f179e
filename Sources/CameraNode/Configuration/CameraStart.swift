import CameraProtocol
import Capture

/// What a camera of the configuration is meant to be like when it starts, beyond its source.
package struct CameraStart: Hashable, Sendable {
  /// Without an input and without settings.
  var request = WireConfigureRequest()
  /// In the order in which they are set.
  var controls: [SessionStart.Control] = []
  /// Whether clients' changes of it are kept; nil for what holds for all cameras of the node.
  var remembers: Bool?

  package init() {}

  /// What it says of services beside the session.
  var services: ServiceChange { ServiceChange(request) }

  /// The same for its session.
  var session: SessionStart {
    var start = SessionStart()
    // Only a pixel format can be wrong, and the source names that.
    start.change = (try? SessionConfiguration(request)) ?? SessionConfiguration()
    start.controls = controls
    return start
  }
}
