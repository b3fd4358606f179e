extension CameraBusError {
  /// Why something failed. Open: more may come, so a switch needs a default.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, which never changes: `noSuchCamera`.
    public let rawValue: String

    /// The code of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }
}

// What nodes answer.
extension CameraBusError.Code {
  /// The node could not read the request.
  public static let malformed = Self(rawValue: "malformed")
  /// The node does not know this kind of request.
  public static let unsupported = Self(rawValue: "unsupported")
  /// An argument has a value that it cannot have.
  public static let invalidArgument = Self(rawValue: "invalidArgument")
  /// The node has no camera of this name.
  public static let noSuchCamera = Self(rawValue: "noSuchCamera")
  /// The camera has no control of this name.
  public static let noSuchControl = Self(rawValue: "noSuchControl")
  /// The library has no such photo or movie.
  public static let noSuchAsset = Self(rawValue: "noSuchAsset")
  /// The control is read-only, inactive or held by the device at present.
  public static let controlNotWritable = Self(rawValue: "controlNotWritable")
  /// The camera does not have this format.
  public static let unsupportedFormat = Self(rawValue: "unsupportedFormat")
  /// The session is stopped, failed or interrupted.
  public static let notRunning = Self(rawValue: "notRunning")
  /// The camera was interrupted while the request was under way.
  public static let interrupted = Self(rawValue: "interrupted")
  /// No frame that meets the request is held or will come.
  public static let frameUnavailable = Self(rawValue: "frameUnavailable")
  /// The client's or the node's queue is full; nothing was done.
  public static let busy = Self(rawValue: "busy")
  /// The node did not get to it within the time that was left.
  public static let deadlineExceeded = Self(rawValue: "deadlineExceeded")
  /// The request was cancelled, by you or by another.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The request's id was used for other settings.
  public static let idReused = Self(rawValue: "idReused")
  /// The node may or may not have done it, and it is not done again: it restarted meanwhile, or
  /// forgot.
  public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
  /// The request does not fit the present state, such as recording twice at once.
  public static let conflict = Self(rawValue: "conflict")
  /// The camera's device is not there.
  public static let deviceNotFound = Self(rawValue: "deviceNotFound")
  /// Another program has the device.
  public static let deviceBusy = Self(rawValue: "deviceBusy")
  /// The system does not let the node, or this program, do it.
  public static let permissionDenied = Self(rawValue: "permissionDenied")
  /// The device is no camera that the node can use.
  public static let unsuitableDevice = Self(rawValue: "unsuitableDevice")
  /// The bus that the device is on, usually USB, has no room for it.
  public static let noBandwidth = Self(rawValue: "noBandwidth")
  /// The device failed.
  public static let deviceFailed = Self(rawValue: "deviceFailed")
  /// The disk of the node's library is full, or that of a file here.
  public static let storageFull = Self(rawValue: "storageFull")
  /// The node's library cannot be read or written, or a file here.
  public static let storageFailed = Self(rawValue: "storageFailed")
  /// The picture could not be made.
  public static let encodingFailed = Self(rawValue: "encodingFailed")
  /// The file of a photo or movie is gone from the library, or its bytes are no longer those that
  /// were stored.
  public static let assetDamaged = Self(rawValue: "assetDamaged")
  /// The program's key may not do this: its role is too low, or it is not for the camera.
  public static let forbidden = Self(rawValue: "forbidden")
  /// The node failed in a way that has no code of its own.
  public static let `internal` = Self(rawValue: "internal")
}

// What the client finds by itself.
extension CameraBusError.Code {
  /// No node answers at the endpoint.
  public static let unreachable = Self(rawValue: "unreachable")
  /// The node requires a key, and the program has none.
  public static let keyRequired = Self(rawValue: "keyRequired")
  /// The node does not know the program's key, or no more.
  public static let notAuthorized = Self(rawValue: "notAuthorized")
  /// What answers does not have the node's key that the program knows.
  public static let wrongNode = Self(rawValue: "wrongNode")
  /// The node did not answer in time; what it did is not known.
  public static let timedOut = Self(rawValue: "timedOut")
  /// The ``CameraBus`` was closed.
  public static let closed = Self(rawValue: "closed")
  /// The peer does not speak the protocol.
  public static let protocolViolation = Self(rawValue: "protocolViolation")
  /// The photo was taken, and is too large to come with the capture. The library has it, from where
  /// ``CameraBus/download(_:to:overwrites:onProgress:)`` copies it.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// A file here has the name already, and it was not to be overwritten.
  public static let fileExists = Self(rawValue: "fileExists")
  /// The bytes that came are not those that were sent.
  public static let hashMismatch = Self(rawValue: "hashMismatch")
}
