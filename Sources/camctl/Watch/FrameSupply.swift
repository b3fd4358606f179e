import CameraClient
import OperatingSystem

/// Whether the frames of a camera, or of one of its streams, come, and why not or why fewer, as the
/// node's events tell it.
struct FrameSupply {
  /// Nil for the camera's frames themselves.
  private let stream: FrameStream?
  /// Why no frames come; nil while they should.
  private(set) var trouble: String?
  /// Whether nothing is heard of the node.
  private(set) var isNodeSilent = false
  /// The stream has one of so many frames because of the pressure on the machine.
  private var thinning = 1

  init(of stream: FrameStream? = nil) {
    self.stream = stream
  }

  /// Takes an event of the node.
  /// - Returns: What to tell the user, if something changed.
  mutating func take(_ event: NodeEvent, of camera: String) -> String? {
    let (before, wasSilent) = (trouble, isNodeSilent)
    switch event {
    case .disconnected(let reason):
      isNodeSilent = true
      trouble =
        reason?.message
        ?? "nothing is heard of the node: it has ended, or the connection to it is broken"
    case .snapshot(let node):
      isNodeSilent = false
      take(node.cameras.first { $0.name == camera }, of: camera)
      if trouble == before, let news = node.pressure.flatMap({ take($0) }) { return news }
    case .event(let event):
      switch event.body {
      case .state(let status) where event.camera == camera: take(status, of: camera)
      case .pressure(let pressure): return take(pressure)
      default: break
      }
    case .nodeRestarted:
      return "the node was restarted"
    default: break
    }
    guard trouble != before else { return nil }
    if wasSilent, trouble == nil { return "the node is heard again" }
    return trouble.map { "no frames: \($0)" } ?? "\(camera) sends frames again"
  }

  /// - Returns: What to tell the user, if the stream has fewer or more frames from now on.
  private mutating func take(_ pressure: SystemPressure) -> String? {
    guard let stream, stream != .raw, pressure.thinning != thinning else { return nil }
    thinning = pressure.thinning
    return thinning > 1
      ? pressure.description
      : "the pressure on the machine has fallen: \(stream) has all frames again"
  }

  private mutating func take(_ status: CameraStatus?, of camera: String) {
    guard let status else {
      trouble = "the node has no camera \(camera) any more"
      return
    }
    switch status.state {
    case .starting: break
    case .running, .idle:
      // With another error nothing is waited for.
      let refused = status.streams.first {
        $0.name == stream?.description && $0.error?.code == .conflict
      }
      trouble = refused.map { "\(camera), \($0.name): \($0.error?.message ?? "")" }
    case .stopped:
      trouble = "\(camera) is stopped: if the node still runs, camctl session start starts it"
    default:
      trouble = "\(camera) is \(status.stateWords)" + (status.error.map { ": \($0.message)" } ?? "")
    }
  }
}

/// Follows the supply of a camera's frames, for a command that waits for them.
final class FrameSupplyMonitor: Sendable {
  private let supply: Mutex<FrameSupply>

  init(of stream: FrameStream? = nil) {
    supply = Mutex(FrameSupply(of: stream))
  }

  /// Why no frames come at present.
  var trouble: String? { supply.withLock(\.trouble) }
  var isNodeSilent: Bool { supply.withLock(\.isNodeSilent) }

  /// Prints a note whenever frames stop, and when they come again, until the task is cancelled. The
  /// live line tells the trouble too.
  /// - Parameter writesNotes: False where there is no room for notes.
  func follow(_ camera: Camera, _ options: BusOptions, writesNotes: Bool = true) async {
    var isFirst = true
    do {
      for try await event in camera.bus.events() {
        isFirst = false
        guard let news = supply.withLock({ $0.take(event, of: camera.name) }) else { continue }
        if writesNotes {
          options.note("camctl: \(news)", style: trouble == nil ? .plain : .warning)
        }
        if let trouble, options.isTalkative {
          LiveLine.shared.show(isUrgent: true) { _ in "no frames: \(trouble)" }
        }
      }
    } catch {
      // What the command waits for fails with the same error if there were no events at all.
      if !isFirst, writesNotes { options.note("camctl: \(error.message)", style: .warning) }
    }
  }
}
