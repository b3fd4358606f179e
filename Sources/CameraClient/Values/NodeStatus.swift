/// Everything that a node reports about itself and its cameras, at one moment.
public struct NodeStatus: Hashable, Sendable, Codable {
  /// The node's name.
  public var name: String
  /// The version of its software.
  public var version: String
  /// Random for each start of the node.
  public var epoch: Identifier
  /// The moment of this status.
  public var now: Timestamp
  /// When it started.
  public var started: MonotonicInstant
  /// Where it publishes events.
  public var eventsEndpoint: String
  /// Where it publishes frames.
  public var framesEndpoint: String
  /// Its cameras, or the one that the request named.
  public var cameras: [CameraStatus]
  /// Requests that it refused since its start because it could not read them, or because they had a
  /// value that is not allowed.
  public var malformedRequests: UInt64
  /// Requests that it refused since its start because it had too many.
  public var busyReplies: UInt64
  /// Replies that it dropped since its start because their client was gone or too slow.
  public var undeliverableReplies: UInt64
  /// Events since its start that at least one monitor was too slow for. Monitors get them by a
  /// replay.
  public var eventsDropped: UInt64
  /// Requests that it refused since its start because their clients may not make them.
  public var forbiddenRequests: UInt64
  /// Connections that it refused since its start because they had no authorized key.
  public var refusedConnections: UInt64
  /// What this program may do.
  public var access: KeyAccess
  /// Its photos and movies.
  public var library: LibraryStatus
  /// The threads on which everything else depends.
  public var loops: [LoopStatus]
  /// How hard its machine is pressed; nil if it does not watch that.
  public var pressure: SystemPressure?
  /// The microphones that this program may use.
  public var microphones: [Microphone]
  /// The last events that this status includes: where to go on with
  /// ``CameraBus/events(after:)``.
  public var eventPosition: EventPosition

  private enum CodingKeys: String, CodingKey {
    case name, version, epoch, now
    case started = "startedMonotonicNanoseconds"
    case eventsEndpoint, framesEndpoint, cameras, malformedRequests, busyReplies
    case undeliverableReplies, eventsDropped, forbiddenRequests, refusedConnections, access
    case library, loops, pressure, microphones, eventPosition
  }
}

/// A thread of a node that must never wait: `control` serves requests and events, `frames` the
/// cameras' frames. A node in which one does not turn for ten seconds ends, to be started again.
public struct LoopStatus: Hashable, Sendable, Codable {
  /// "control" or "frames".
  public var name: String
  /// The longest time since the node's start in which the thread worked without looking for new
  /// work.
  public var longestTurn: Duration

  private enum CodingKeys: String, CodingKey {
    case name
    case longestTurn = "longestTurnNanoseconds"
  }
}

/// The folder in which a node keeps photos and movies, and the room on its disk.
public struct LibraryStatus: Hashable, Sendable, Codable {
  /// The folder, on the node's machine.
  public var folder: String
  /// The bytes that were free when the node last looked, including the reserve; nil if the folder
  /// is gone or its disk cannot be read. It looks once a second, and when it stores or deletes
  /// something.
  public var freeBytes: UInt64?
  /// The bytes that the node leaves free. It refuses a photo or movie that needs them with
  /// `storageFull`.
  public var reserveBytes: UInt64
  /// Why a photo taken now would not be kept; nil if the photos of all cameras would be.
  public var error: Problem?
  /// The photos whose files are still to be made later.
  public var deferredPhotos: Int
  /// The bytes that these take on the disk.
  public var deferredBytes: UInt64
  /// What the assets of each camera take, also of cameras that the node has no more.
  public var usage: [LibraryUsage]
  /// What the node removes by itself; nil for nothing.
  public var quota: LibraryQuota?
  /// Why the library takes more than its quota: what is left is protected, in use or the newest of
  /// its camera. Nil if it does not.
  public var quotaProblem: Problem?
  /// The files in the folders of cameras that are no assets, when the node started or repaired the
  /// library. ``CameraBus/repair(droppingMissing:timeout:onProgress:)`` lists those that nodes
  /// made.
  public var unlistedFiles: UInt64
  /// The name of an index that was damaged when the node started, and that is kept beside a new
  /// one.
  public var damagedIndex: String?
}

/// What a program's key may do on a node. Where the node requires no keys, that is everything.
public struct KeyAccess: Hashable, Sendable, Codable {
  /// What it may do.
  public var role: KeyRole
  /// The cameras that it is for; nil for all.
  public var cameras: [String]?
  /// When it ends; nil for never.
  public var expires: WallInstant?

  private enum CodingKeys: String, CodingKey {
    case role, cameras
    case expires = "expiresWallNanoseconds"
  }
}

/// Something that is wrong, as part of a status or an event.
public struct Problem: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Why, for programs.
  public var code: CameraBusError.Code
  /// One sentence with the remedy.
  public var message: String

  package init(code: CameraBusError.Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension Problem {
  package init(_ error: CameraBusError) { self.init(code: error.code, message: error.message) }

  /// A recording that ended before any frame came, and so left no movie.
  static let noFrameRecorded = Problem(
    code: .frameUnavailable,
    message: "it ended without a movie: no frame came, or nothing triggered a clip")
}

extension CameraBusError {
  /// The problem as the error of a request.
  init(_ problem: Problem) {
    self.init(problem.code, problem.message)
  }
}
