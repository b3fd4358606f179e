import CameraProtocol

/// How far a program has come in a node's events, so that it can go on there later:
/// `bus.events(after: position)`.
///
/// A node counts the events of each camera and kind by themselves, and from 1 after each start. So
/// a position is a start of the node with a number for each camera and kind. Those that it does
/// not name count as 0: nothing of them was read.
///
/// Begin with ``NodeStatus/eventPosition``, and let it ``take(_:)`` what an ``EventSequence`` hands
/// out. As text it is the epoch and the numbers: `EPOCH:front/capture=12,front/state=3`.
public struct EventPosition: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The most cameras and kinds that a position names.
  static let limit = 4096

  /// The start of the node; see ``NodeStatus/epoch``.
  public private(set) var epoch: Identifier
  /// The last numbers, by topic.
  package private(set) var numbers: [String: UInt64] = [:]

  /// The position before a start's first event.
  public init(epoch: Identifier) { self.epoch = epoch }

  init(_ topics: [String: UInt64], of epoch: Identifier) {
    self.init(epoch: epoch)
    for (topic, number) in topics { set(number, topic) }
  }

  /// Reads the text form; nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let epoch = parts.first.flatMap({ Identifier(String($0)) }) else { return nil }
    self.init(epoch: epoch)
    guard parts.count > 1, !parts[1].isEmpty else { return }
    let entries = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    guard entries.count <= Self.limit else { return nil }
    for entry in entries {
      let pair = entry.split(separator: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, let number = UInt64(pair[1]), number < .max,
        let topic = Self.topic(pair[0]), numbers.updateValue(number, forKey: topic) == nil
      else { return nil }
    }
  }

  /// The text form. Its numbers are in the order of their names.
  public var description: String {
    let entries = numbers.sorted { $0.key < $1.key }.map { topic, number in
      "\(Self.name(topic))=\(number)"
    }
    return entries.isEmpty ? "\(epoch)" : "\(epoch):\(entries.joined(separator: ","))"
  }

  /// Reads the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let position = EventPosition(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a position is EPOCH:CAMERA/KIND=NUMBER,…")
    }
    self = position
  }

  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// The number of the last event that was read of a camera and kind; 0 if there is none.
  public func number(of camera: String, _ kind: CameraEvent.Kind) -> UInt64 {
    Self.topic(camera, kind).flatMap { numbers[$0] } ?? 0
  }

  /// Goes on to what was read last.
  public mutating func take(_ event: NodeEvent) {
    switch event {
    case .snapshot(let node):
      let before = node.epoch == epoch ? numbers : [:]
      self = node.eventPosition
      // The snapshot of one camera says nothing of the others.
      for (topic, number) in before { set(max(number, numbers[topic] ?? 0), topic) }
    case .event(let event):
      if event.epoch != epoch { self = EventPosition(epoch: event.epoch) }
      if let topic = Self.topic(event.camera, event.kind) { set(event.sequence, topic) }
    case .gap(let missed, let camera, let kind):
      guard let topic = Self.topic(camera, kind) else { return }
      let (number, isTooLarge) = (numbers[topic] ?? 0).addingReportingOverflow(
        UInt64(max(0, missed)))
      set(isTooLarge ? .max - 1 : number, topic)
    case .nodeRestarted, .disconnected, .reconnected: break
    }
  }

  /// The error if the node, in the same start, has not published so many events.
  func mistake(at node: NodeStatus, _ scope: EventScope) -> CameraBusError? {
    guard node.epoch == epoch else { return nil }
    let own = numbers.filter { scope.contains($0.key) }.sorted { $0.key < $1.key }
    for (topic, number) in own {
      let published = node.eventPosition.numbers[topic] ?? 0
      guard number > published else { continue }
      return CameraBusError(
        .invalidArgument,
        "the position names event \(number) of \(Self.name(topic)), and the node has published \(published) "
          + "since this start: give a position that this node's events led to", field: "after")
    }
    return nil
  }

  private static let prefix = "event/"

  /// "front/capture"
  private static func name(_ topic: String) -> Substring {
    topic.dropFirst(prefix.count).dropLast()
  }

  private mutating func set(_ number: UInt64, _ topic: String) {
    guard numbers.count < Self.limit || numbers[topic] != nil else { return }
    numbers[topic] = min(number, .max - 1)
  }

  /// The topic of `front/subject_area`, also of `front/subjectArea` as JSON has it.
  private static func topic(_ name: Substring) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let kind = CameraEvent.Kind(rawValue: String(parts[1]))
    return topic(String(parts[0]), kind)
      ?? Topic(parsing: "\(prefix)\(name)/".utf8).map(\.name)
  }

  private static func topic(_ camera: String, _ kind: CameraEvent.Kind) -> String? {
    guard CameraName.isValid(camera) else { return nil }
    let wire = EventKind.allCases.first { CameraEvent.Kind($0) == kind }
    return wire.map { Topic.event(camera: camera, kind: $0).name }
  }
}
