import CVideo4Linux
import Capture
import Glibc
import OperatingSystem

/// The driver's events, which wait at the descriptor until they are read (`POLLPRI`).
struct EventQueue: Sendable {
  enum Event: Hashable {
    case controlChanged(ControlID)
    case sourceChanged
    case endOfStream
  }

  private let node: DeviceNode
  private let names: [UInt32: ControlID]

  /// Subscribes to changes of all controls and to events that end a stream.
  ///
  /// Setting a value through this descriptor raises no event for that control, but does for other
  /// controls that change with it. Drivers may lack events or some of these kinds, so failures are
  /// ignored.
  init(of node: DeviceNode, controls: ControlCatalog) {
    self.node = node
    names = controls.names
    for identifier in names.keys { subscribe(to: V4L2_EVENT_CTRL, of: identifier) }
    subscribe(to: V4L2_EVENT_SOURCE_CHANGE)
    subscribe(to: V4L2_EVENT_EOS)
  }

  /// Returns the next relevant event; nil if none waits.
  func next() -> Event? {
    var event = v4l2_event()
    // ENOENT means an empty queue, and ENOTTY a driver without events.
    while node.attempt(.dequeueEvent, &event) {
      switch event.type {
      case V4L2_EVENT_CTRL.bits:
        if let name = names[event.id] { return .controlChanged(name) }
      case V4L2_EVENT_SOURCE_CHANGE.bits:
        let changes = unsafe event.u.src_change.changes
        if changes & V4L2_EVENT_SRC_CH_RESOLUTION.bits != 0 { return .sourceChanged }
      case V4L2_EVENT_EOS.bits:
        return .endOfStream
      default:
        continue
      }
    }
    return nil
  }

  private func subscribe(to type: Int32, of identifier: UInt32 = 0) {
    var subscription = v4l2_event_subscription()
    subscription.type = type.bits
    subscription.id = identifier
    _ = node.attempt(.subscribe, &subscription)
  }
}
