public import CameraClient

/// What the bringing of cameras to a common phase has come to.
public struct RigAlignment: Sendable, Codable {
  /// The rig's name.
  public var rig: String?
  /// How far each camera's frames may lie from the common phase.
  public var tolerance: Duration
  /// The camera whose phase the others get; nil if there is none that runs.
  public var reference: String?
  /// The part of each camera, in the order of the rig.
  public var parts: [Part]

  private enum CodingKeys: String, CodingKey {
    case rig
    case tolerance = "toleranceNanoseconds"
    case reference, parts
  }

  /// Whether all cameras have the common phase.
  public var isComplete: Bool { parts.allSatisfy(\.isAligned) && !parts.isEmpty }

  /// One camera's part.
  public struct Part: Sendable, Codable {
    /// What the camera is called in the rig.
    public var camera: String
    /// Its node's name in the rig.
    public var node: String
    /// What the node calls it; nil if that is not known.
    public var nodeCamera: String?
    /// How far its frames were from the common phase before, by their timestamps; nil if that is
    /// not known.
    public var before: RigShot.Bounds?
    /// How far they are from it now.
    public var after: RigShot.Bounds?
    /// How fast its phase moves away from the reference's: millionths, which are microseconds a
    /// second. What the clocks of the machines differ by is in it.
    public var drift: Double?
    /// How often its stream was begun again.
    public var restarts = 0
    /// Whether its frames certainly have the common phase, within the tolerance.
    public var isAligned = false
    /// Why they do not.
    public var problem: Problem?

    private enum CodingKeys: String, CodingKey {
      case camera, node, nodeCamera, before, after
      case drift = "driftPPM"
      case restarts, isAligned, problem
    }
  }
}
