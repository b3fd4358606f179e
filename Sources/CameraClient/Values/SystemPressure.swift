package import CameraProtocol

/// How hard a node's machine is pressed by its heat, by a lack of memory, and by frames that the
/// node is too late for, and what the node does about it.
///
/// A busy processor or disk alone changes nothing: ``waiting`` shows it.
public struct SystemPressure: Hashable, Sendable, Codable {
  /// How hard the machine is pressed.
  public var level: Level
  /// When that began.
  public var since: Timestamp
  /// What has raised the pressure, for people; nil while it is nominal.
  public var cause: String?
  /// Encoded streams have one of so many frames; 1 for all.
  public var thinning: Int
  /// What the machine's programs waited for; nil in events.
  public var waiting: WaitingPrograms?
}

/// For which part of the last ten seconds a machine's programs waited, 0 to 1, as its kernel
/// computes it. Nil where the kernel does not.
public struct WaitingPrograms: Hashable, Sendable, Codable {
  /// Some programs waited for a processor. A machine that computes all day has 1.
  public var cpu: Double?
  /// All programs waited for memory.
  public var memory: Double?
  /// All programs waited for a disk.
  public var io: Double?
}

extension WaitingPrograms: CustomStringConvertible {
  /// "of the last 10 s, some programs waited for the processor 34 %, all for memory 0 %, all for
  /// the disk 2 %"; empty if nothing is known.
  public var description: String {
    let shares = [
      ("some programs waited for the processor", cpu), ("all for memory", memory),
      ("all for the disk", io),
    ]
    let words = shares.compactMap { words, share in
      share.map { "\(words) \(Int(($0 * 100).rounded())) %" }
    }
    return words.isEmpty ? "" : "of the last 10 s, " + words.joined(separator: ", ")
  }
}

extension SystemPressure: CustomStringConvertible {
  /// "the pressure on the machine is serious: cpu-thermal is at 86.2 °C; encoded streams have one
  /// frame in 4".
  public var description: String {
    "the pressure on the machine is \(level)" + (cause.map { ": \($0)" } ?? "")
      + (thinning > 1 ? "; encoded streams have one frame in \(thinning)" : "")
  }
}

extension SystemPressure {
  package init(_ wire: WirePressure) {
    self.init(
      level: Level(wire.level),
      since: Timestamp(wire.since),
      cause: wire.cause.isEmpty ? nil : wire.cause,
      thinning: max(1, Int(wire.thinning)),
      waiting: wire.hasWaiting ? WaitingPrograms(wire.waiting) : nil
    )
  }
}

extension WaitingPrograms {
  fileprivate init(_ wire: WireWaitingPrograms) {
    self.init(
      cpu: wire.hasCpu ? wire.cpu.asShare : nil,
      memory: wire.hasMemory ? wire.memory.asShare : nil,
      io: wire.hasIo ? wire.io.asShare : nil
    )
  }
}

extension Double {
  /// A node may send any number.
  fileprivate var asShare: Double? { isFinite ? min(max(self, 0), 1) : nil }
}
