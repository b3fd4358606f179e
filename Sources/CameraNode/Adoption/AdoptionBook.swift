import Capture
import OperatingSystem

/// Which devices the node has adopted, and what to do when devices come and go. Pure: no clock of
/// its own.
struct AdoptionBook {
  /// A device that becomes a camera.
  struct Adoption: Equatable {
    let name: String
    let device: DeviceDescription
    let rule: AdoptionRule
  }

  enum Action: Equatable {
    case adopt(Adoption)
    case remove(_ name: String)
    /// There is no room for the device.
    case decline(DeviceDescription)
  }

  private enum Phase: Equatable {
    case arriving
    case present
    case missing(until: MonotonicTime)
    case leaving
  }

  private struct Entry {
    let device: DeviceDescription
    var rule: AdoptionRule
    var phase: Phase
    /// Whether its rule is there no more.
    var isUnwanted = false
  }

  private var rules: [AdoptionRule]
  private let limit: Int
  /// How long a device may be gone before its camera is: one that is reset, or moved to another
  /// port, comes back within seconds.
  private let patience: Duration
  private var entries: [String: Entry] = [:]
  private var declined: Set<String> = []

  init(rules: [AdoptionRule], limit: Int, patience: Duration) {
    self.rules = rules
    self.limit = limit
    self.patience = patience
  }

  /// The cameras whose rules stay, by their new form.
  func staying(by rules: [AdoptionRule]) -> [String: (old: AdoptionRule, new: AdoptionRule)] {
    entries.compactMapValues { entry in
      rules.first { $0.isSame(as: entry.rule) }.map { (entry.rule, $0) }
    }
  }

  /// Takes other rules.
  /// - Returns: The removal of the cameras whose rules are there no more.
  mutating func take(_ rules: [AdoptionRule]) -> [Action] {
    self.rules = rules
    declined = []
    var actions: [Action] = []
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      if let rule = rules.first(where: { $0.isSame(as: entry.rule) }) {
        entries[name]?.rule = rule
      } else if [.arriving, .leaving].contains(entry.phase) {
        // It is removed when it has come.
        entries[name]?.isUnwanted = true
      } else {
        entries[name]?.phase = .leaving
        actions.append(.remove(name))
      }
    }
    return actions
  }

  /// The next moment at which there is something to do although no device comes or goes.
  var deadline: MonotonicTime? {
    entries.values.compactMap { entry -> MonotonicTime? in
      if case .missing(let end) = entry.phase { end } else { nil }
    }.min()
  }

  /// The device that becomes, or is, this camera.
  func device(of name: String) -> DeviceDescription? { entries[name]?.device }

  /// Takes the devices that are there.
  /// - Parameters:
  ///   - isTaken: Whether the node has the device for another camera.
  ///   - isNameTaken: Whether another camera has the name.
  mutating func look(
    at devices: [FoundDevice], now: MonotonicTime, isTaken: (FoundDevice) -> Bool,
    isNameTaken: (String) -> Bool
  ) -> [Action] {
    let present = Set(devices.map(\.description.identity))
    declined.formIntersection(present)
    var actions: [Action] = []
    for name in entries.keys.sorted() {
      if update(name, isPresent: present.contains, now) { actions.append(.remove(name)) }
    }
    for found in devices where found.problem == nil {
      let device = found.description
      let isKnown = entries.values.contains { $0.device.identity == device.identity }
      guard !isKnown, !isTaken(found), let rule = rules.first(where: { $0.matches(found) })
      else { continue }
      let name = rule.cameraName(for: device)
      guard entries[name] == nil, !isNameTaken(name) else { continue }
      guard entries.count < limit else {
        if declined.insert(device.identity).inserted { actions.append(.decline(device)) }
        continue
      }
      entries[name] = Entry(device: device, rule: rule, phase: .arriving)
      actions.append(.adopt(Adoption(name: name, device: device, rule: rule)))
    }
    return actions
  }

  /// - Returns: Whether the camera is to be removed now.
  private mutating func update(
    _ name: String, isPresent: (String) -> Bool, _ now: MonotonicTime
  ) -> Bool {
    guard let entry = entries[name] else { return false }
    let isThere = isPresent(entry.device.identity)
    switch entry.phase {
    case .arriving, .leaving: return false
    case .present where entry.isUnwanted:
      entries[name]?.phase = .leaving
      return true
    case .present:
      if !isThere { entries[name]?.phase = .missing(until: now + patience) }
      return false
    case .missing where isThere:
      entries[name]?.phase = .present
      return false
    case .missing(let end):
      guard end <= now else { return false }
      entries[name]?.phase = .leaving
      return true
    }
  }

  /// The camera is one of the node now.
  mutating func adopted(_ name: String) { entries[name]?.phase = .present }

  /// The node does not have the camera, or not any more.
  mutating func removed(_ name: String) { entries[name] = nil }
}
