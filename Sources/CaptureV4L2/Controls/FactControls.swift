import Capture
import OperatingSystem

/// What an open camera's controls say of how it takes frames. The session's thread reads it from
/// the driver at the start of the stream and after each change; the frame loop only looks at the
/// result.
final class FactControls: Sendable {
  /// The controls that decide on the facts.
  private let controls: Set<ControlID>
  private let catalog: ControlCatalog
  private let transfer: ControlTransfer
  private let reading = Mutex(SettledFacts.Reading())

  init(of node: DeviceNode, controls catalog: ControlCatalog) {
    controls = Set(
      catalog.names.compactMap { identifier, name in
        StandardControl(rawValue: identifier).map(ControlMeanings.decideFacts) == true ? name : nil
      })
    self.catalog = catalog
    transfer = ControlTransfer(node: node)
  }

  var current: SettledFacts.Reading { reading.withLock { $0 } }

  /// Whether the facts depend on this control.
  func depend(on control: ControlID) -> Bool { controls.contains(control) }

  /// Forgets the facts until they are read again.
  func invalidate() {
    reading.withLock { reading in
      reading.facts = FrameFacts()
      reading.changes += 1
    }
  }

  func read() {
    let known = controls.compactMap { try? catalog.control(named: $0) }
    let facts = ControlMeanings(known.map(\.description)).facts { name in
      known.first { $0.description.id == name }.flatMap { try? transfer.read($0) }
    }
    reading.withLock { reading in
      guard reading.facts != facts else { return }
      reading.facts = facts
      reading.changes += 1
    }
  }
}
