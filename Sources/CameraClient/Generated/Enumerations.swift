// swift-format-ignore-file
// Made by Protocol/derive of the .proto files.

package import CameraProtocol

extension CameraBusError {
  /// Why a request failed. Open: more may come, so a switch needs a default.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The node cannot read the message as a request. The reply's id may be empty.
    public static let malformed = Self(rawValue: "malformed")
    /// The node does not know this kind of request.
    public static let unsupported = Self(rawValue: "unsupported")
    /// A field has a value that is not allowed.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// The node has no camera of this name, or it has several and the request names none.
    public static let noSuchCamera = Self(rawValue: "noSuchCamera")
    /// The camera has no control of this name.
    public static let noSuchControl = Self(rawValue: "noSuchControl")
    /// The library has no such photo or movie.
    public static let noSuchAsset = Self(rawValue: "noSuchAsset")
    /// The control is read-only, inactive, or held by the device at present.
    public static let controlNotWritable = Self(rawValue: "controlNotWritable")
    /// The camera has no such pixel format, size or frame rate.
    public static let unsupportedFormat = Self(rawValue: "unsupportedFormat")
    /// The session is stopped, failed or interrupted.
    public static let notRunning = Self(rawValue: "notRunning")
    /// The camera was interrupted while the request was under way.
    public static let interrupted = Self(rawValue: "interrupted")
    /// The moment asked for is before the oldest frame that the node holds.
    public static let frameUnavailable = Self(rawValue: "frameUnavailable")
    /// The client has too many requests under way, or the camera too many photos. Nothing was done.
    public static let busy = Self(rawValue: "busy")
    /// The request's time is over. A capture has taken no frame; a download has ended early.
    public static let deadlineExceeded = Self(rawValue: "deadlineExceeded")
    /// A cancel request ended it.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The id belongs to a request with other settings. Nothing was done.
    public static let idReused = Self(rawValue: "idReused")
    /// The request was sent before, and this node does not know its outcome, or no longer knows it.
    /// Nothing was done again.
    public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
    /// The request does not fit the present state: record start during a recording, record stop
    /// without one, or the deletion of a protected asset.
    public static let conflict = Self(rawValue: "conflict")
    /// The camera is not plugged in.
    public static let deviceNotFound = Self(rawValue: "deviceNotFound")
    /// Another program streams from the camera.
    public static let deviceBusy = Self(rawValue: "deviceBusy")
    /// The node may not open the camera.
    public static let permissionDenied = Self(rawValue: "permissionDenied")
    /// The device is no camera, or lacks something that the node needs.
    public static let unsuitableDevice = Self(rawValue: "unsuitableDevice")
    /// The camera's own bus (USB, for example) has no room for this stream.
    public static let noBandwidth = Self(rawValue: "noBandwidth")
    /// The camera or its driver failed, or sends no frames.
    public static let deviceFailed = Self(rawValue: "deviceFailed")
    /// The library's disk is full.
    public static let storageFull = Self(rawValue: "storageFull")
    /// The library could not be read or written.
    public static let storageFailed = Self(rawValue: "storageFailed")
    /// A picture or movie could not be encoded.
    public static let encodingFailed = Self(rawValue: "encodingFailed")
    /// A fault of the node itself.
    public static let `internal` = Self(rawValue: "internal")
    /// The asset's file is gone, or its bytes are no longer those that the node stored.
    public static let assetDamaged = Self(rawValue: "assetDamaged")
    /// The client's key may not do this: its role is too low, or it is not for the camera.
    public static let forbidden = Self(rawValue: "forbidden")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .malformed, .unsupported, .invalidArgument, .noSuchCamera, .noSuchControl, .noSuchAsset,
      .controlNotWritable, .unsupportedFormat, .notRunning, .interrupted, .frameUnavailable, .busy,
      .deadlineExceeded, .cancelled, .idReused, .outcomeUnknown, .conflict, .deviceNotFound,
      .deviceBusy, .permissionDenied, .unsuitableDevice, .noBandwidth, .deviceFailed, .storageFull,
      .storageFailed, .encodingFailed, .internal, .assetDamaged, .forbidden,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension CameraBusError.Code {
  package init(_ wire: WireErrorCode) {
    switch wire {
    case .malformed: self = .malformed
    case .unsupported: self = .unsupported
    case .invalidArgument: self = .invalidArgument
    case .noSuchCamera: self = .noSuchCamera
    case .noSuchControl: self = .noSuchControl
    case .noSuchAsset: self = .noSuchAsset
    case .controlNotWritable: self = .controlNotWritable
    case .unsupportedFormat: self = .unsupportedFormat
    case .notRunning: self = .notRunning
    case .interrupted: self = .interrupted
    case .frameUnavailable: self = .frameUnavailable
    case .busy: self = .busy
    case .deadlineExceeded: self = .deadlineExceeded
    case .cancelled: self = .cancelled
    case .idReused: self = .idReused
    case .outcomeUnknown: self = .outcomeUnknown
    case .conflict: self = .conflict
    case .deviceNotFound: self = .deviceNotFound
    case .deviceBusy: self = .deviceBusy
    case .permissionDenied: self = .permissionDenied
    case .unsuitableDevice: self = .unsuitableDevice
    case .noBandwidth: self = .noBandwidth
    case .deviceFailed: self = .deviceFailed
    case .storageFull: self = .storageFull
    case .storageFailed: self = .storageFailed
    case .encodingFailed: self = .encodingFailed
    case .internal, .unspecified, .UNRECOGNIZED: self = .internal
    case .assetDamaged: self = .assetDamaged
    case .forbidden: self = .forbidden
    }
  }
}

extension CameraBusError {
  /// Which of the causes of its code an error has, where a program may want to tell them apart.
  /// Open: more may come, so a switch needs a default.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// CONFLICT: another client has the camera's lease.
    public static let leased = Self(rawValue: "leased")
    /// CONFLICT: the lease that the request names has ended.
    public static let leaseEnded = Self(rawValue: "leaseEnded")
    /// CONFLICT: it would end the movie that the camera records.
    public static let recording = Self(rawValue: "recording")
    /// `notRunning`: the session of the error's camera is stopped until somebody starts it.
    public static let sessionStopped = Self(rawValue: "sessionStopped")
    /// `invalidArgument`: the moment of the picture lies after the request's deadline.
    public static let momentAfterDeadline = Self(rawValue: "momentAfterDeadline")
    /// `noSuchCamera`: there are several cameras, and the request names none.
    public static let cameraNotNamed = Self(rawValue: "cameraNotNamed")
    /// `frameUnavailable`: the camera has no frame of the moment, because it has passed.
    public static let late = Self(rawValue: "late")
    /// CONFLICT: it is not known well enough how wrong the node's wall clock is.
    public static let noReferenceClock = Self(rawValue: "noReferenceClock")
    /// BUSY: the camera has no place for another photo.
    public static let overflow = Self(rawValue: "overflow")
    /// Of `shot_prepare`: the camera does not stream, and its code says why.
    public static let notReady = Self(rawValue: "notReady")
    /// CONFLICT: the shot is not prepared, or no longer: its lease has ended.
    public static let noSuchShot = Self(rawValue: "noSuchShot")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .leased, .leaseEnded, .recording, .sessionStopped, .momentAfterDeadline, .cameraNotNamed,
      .late, .noReferenceClock, .overflow, .notReady, .noSuchShot,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension CameraBusError.Reason {
  package init?(_ wire: WireErrorReason) {
    switch wire {
    case .leased: self = .leased
    case .leaseEnded: self = .leaseEnded
    case .recording: self = .recording
    case .sessionStopped: self = .sessionStopped
    case .momentAfterDeadline: self = .momentAfterDeadline
    case .cameraNotNamed: self = .cameraNotNamed
    case .late: self = .late
    case .noReferenceClock: self = .noReferenceClock
    case .overflow: self = .overflow
    case .notReady: self = .notReady
    case .noSuchShot: self = .noSuchShot
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

/// What a key may do on a node. Each role may also do what the ones before it may. Open: more may
/// come, so a switch needs a default.
public struct KeyRole: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Status, formats, events, frames, lists of assets and of controls.
  public static let viewer = Self(rawValue: "viewer")
  /// Captures, recordings, downloads and controls.
  public static let `operator` = Self(rawValue: "operator")
  /// Sessions, and the deletion and protection of assets.
  public static let controller = Self(rawValue: "controller")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .viewer, .operator, .controller,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension KeyRole {
  package init(_ wire: WireRole) {
    switch wire {
    case .viewer: self = .viewer
    case .operator: self = .operator
    case .controller: self = .controller
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

/// What a frame's timestamp marks. Open: more may come, so a switch needs a default.
public struct TimestampMark: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The start of the exposure. A node says so only of cameras for which it has evidence.
  public static let exposureStart = Self(rawValue: "exposureStart")
  /// The end of the frame: its last pixel was read out.
  public static let frameEnd = Self(rawValue: "frameEnd")
  /// The arrival of the frame's first bytes at the node's machine.
  public static let arrival = Self(rawValue: "arrival")
  /// The moment at which the node took the frame from the driver, which gives no usable time.
  public static let dequeue = Self(rawValue: "dequeue")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .exposureStart, .frameEnd, .arrival, .dequeue,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension TimestampMark {
  package init(_ wire: WireTimestampMark) {
    switch wire {
    case .exposureStart: self = .exposureStart
    case .frameEnd: self = .frameEnd
    case .arrival: self = .arrival
    case .dequeue: self = .dequeue
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

/// What a camera's session is doing. Open: more may come, so a switch needs a default.
public struct SessionState: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It is switched off.
  public static let stopped = Self(rawValue: "stopped")
  /// The device is being opened.
  public static let starting = Self(rawValue: "starting")
  /// Frames come.
  public static let running = Self(rawValue: "running")
  /// Frames stopped for a reason that may go away by itself.
  public static let interrupted = Self(rawValue: "interrupted")
  /// It failed: `CameraStatus.error` says why.
  public static let failed = Self(rawValue: "failed")
  /// Nobody uses the camera, so the node has closed it. It starts it again by itself when somebody
  /// subscribes to its frames, takes a photo or records.
  public static let idle = Self(rawValue: "idle")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .stopped, .starting, .running, .interrupted, .failed, .idle,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension SessionState {
  package init(_ wire: WireSessionState) {
    switch wire {
    case .stopped: self = .stopped
    case .starting: self = .starting
    case .running: self = .running
    case .interrupted: self = .interrupted
    case .failed: self = .failed
    case .idle: self = .idle
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

/// Why a session is interrupted. Open: more may come, so a switch needs a default.
public struct InterruptionReason: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The device was unplugged.
  public static let deviceDisconnected = Self(rawValue: "deviceDisconnected")
  /// Another program has the device.
  public static let deviceInUseByAnotherClient = Self(rawValue: "deviceInUseByAnotherClient")
  /// The device is there and delivers no frames.
  public static let deviceStalled = Self(rawValue: "deviceStalled")
  /// The machine is too hot or too hard pressed for the camera to run. Ends when that has passed.
  public static let systemPressure = Self(rawValue: "systemPressure")
  /// Reserved: a full disk ends recordings, and streams go on.
  public static let storageFull = Self(rawValue: "storageFull")
  /// Another program has the microphone. Of sound only.
  public static let audioDeviceInUse = Self(rawValue: "audioDeviceInUse")
  /// An operator suspended it.
  public static let suspendedByOperator = Self(rawValue: "suspendedByOperator")
  /// The microphone cannot be used for another reason, which the error says. Of sound only.
  public static let audioDeviceFailed = Self(rawValue: "audioDeviceFailed")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .deviceDisconnected, .deviceInUseByAnotherClient, .deviceStalled, .systemPressure, .storageFull,
    .audioDeviceInUse, .suspendedByOperator, .audioDeviceFailed,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension InterruptionReason {
  package init(_ wire: WireInterruptionReason) {
    switch wire {
    case .deviceDisconnected: self = .deviceDisconnected
    case .deviceInUseByAnotherClient: self = .deviceInUseByAnotherClient
    case .deviceStalled: self = .deviceStalled
    case .systemPressure: self = .systemPressure
    case .storageFull: self = .storageFull
    case .audioDeviceInUse: self = .audioDeviceInUse
    case .suspendedByOperator: self = .suspendedByOperator
    case .audioDeviceFailed: self = .audioDeviceFailed
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

/// Whether a photo asked for now would be taken and kept, and if not, what the camera waits for.
/// Open: more may come, so a switch needs a default.
public struct Readiness: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The session is stopped, interrupted or failed.
  public static let sessionNotRunning = Self(rawValue: "sessionNotRunning")
  /// A photo can be taken.
  public static let ready = Self(rawValue: "ready")
  /// The session starts, or has no frame yet.
  public static let notReadyMomentarily = Self(rawValue: "notReadyMomentarily")
  /// The maximum number of photos wait for their frame.
  public static let notReadyWaitingForCapture = Self(rawValue: "notReadyWaitingForCapture")
  /// The maximum number of photos are being encoded or stored.
  public static let notReadyWaitingForProcessing = Self(rawValue: "notReadyWaitingForProcessing")
  /// The library's disk has no room for another photo, or for another file: a photo that is to be
  /// kept fails with `storageFull`. A transient photo is taken all the same.
  public static let notReadyStorageFull = Self(rawValue: "notReadyStorageFull")
  /// No picture can be made of the frames in the camera's present format: photos are refused with
  /// `unsupportedFormat`.
  public static let notReadyUnsupportedFormat = Self(rawValue: "notReadyUnsupportedFormat")
  /// The library cannot be written, because its folder is gone or its disk is read-only, for
  /// example: a photo that is to be kept fails with `storageFailed`. A transient photo is taken all
  /// the same. `LibraryStatus.error` says why.
  public static let notReadyStorageFailed = Self(rawValue: "notReadyStorageFailed")
  /// The camera takes a photo of the largest size in another format. It has no frames meanwhile,
  /// for some seconds at most. A photo is accepted and waits for the first frame after that.
  public static let notReadyChangingFormat = Self(rawValue: "notReadyChangingFormat")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .sessionNotRunning, .ready, .notReadyMomentarily, .notReadyWaitingForCapture,
    .notReadyWaitingForProcessing, .notReadyStorageFull, .notReadyUnsupportedFormat,
    .notReadyStorageFailed, .notReadyChangingFormat,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension Readiness {
  package init(_ wire: WireReadiness) {
    switch wire {
    case .sessionNotRunning: self = .sessionNotRunning
    case .ready: self = .ready
    case .notReadyMomentarily: self = .notReadyMomentarily
    case .notReadyWaitingForCapture: self = .notReadyWaitingForCapture
    case .notReadyWaitingForProcessing: self = .notReadyWaitingForProcessing
    case .notReadyStorageFull: self = .notReadyStorageFull
    case .notReadyUnsupportedFormat: self = .notReadyUnsupportedFormat
    case .notReadyStorageFailed: self = .notReadyStorageFailed
    case .notReadyChangingFormat: self = .notReadyChangingFormat
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension MachineDevice {
  /// Whether the node may open a device. Open: more may come, so a switch needs a default.
  public struct Authorization: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It may.
    public static let authorized = Self(rawValue: "authorized")
    /// The permissions of the device node keep the node's user out; `error` names the group to
    /// join.
    public static let denied = Self(rawValue: "denied")
    /// A container or the node's service keeps all its programs out.
    public static let restricted = Self(rawValue: "restricted")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .authorized, .denied, .restricted,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension MachineDevice.Authorization {
  package init(_ wire: WireAuthorization) {
    switch wire {
    case .authorized: self = .authorized
    case .denied: self = .denied
    case .restricted: self = .restricted
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension MachineDevice {
  /// Which way a camera looks. Open: more may come, so a switch needs a default.
  public struct Position: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To the user.
    public static let front = Self(rawValue: "front")
    /// Away from the user.
    public static let back = Self(rawValue: "back")
    /// It is no part of the machine, or can be turned.
    public static let external = Self(rawValue: "external")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .front, .back, .external,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension MachineDevice.Position {
  package init?(_ wire: WirePosition) {
    switch wire {
    case .front: self = .front
    case .back: self = .back
    case .external: self = .external
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

/// What a camera is mainly used for. Every camera takes photos and records movies in both. Open:
/// more may come, so a switch needs a default.
public struct CaptureMode: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// For photos, as a node starts.
  public static let photo = Self(rawValue: "photo")
  /// For movies.
  public static let video = Self(rawValue: "video")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .photo, .video,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension CaptureMode {
  package init(_ wire: WireMode) {
    switch wire {
    case .photo: self = .photo
    case .video: self = .video
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  package var wire: WireMode? {
    switch self {
    case .photo: .photo
    case .video: .video
    default: nil
    }
  }
}

/// What a format is for. Open: more may come, so a switch needs a default.
public struct SessionPreset: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The most pixels, however slow.
  public static let photo = Self(rawValue: "photo")
  /// The most pixels at 24 frames a second or more.
  public static let high = Self(rawValue: "high")
  /// The most pixels within 640x480, or the smallest size.
  public static let medium = Self(rawValue: "medium")
  /// The most pixels within 352x288, or the smallest size.
  public static let low = Self(rawValue: "low")
  /// Exactly 1280x720.
  public static let hd1280x720 = Self(rawValue: "hd1280x720")
  /// Exactly 1920x1080.
  public static let hd1920x1080 = Self(rawValue: "hd1920x1080")
  /// Exactly 3840x2160.
  public static let hd3840x2160 = Self(rawValue: "hd3840x2160")
  /// The format that the camera has.
  public static let inputPriority = Self(rawValue: "inputPriority")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .photo, .high, .medium, .low, .hd1280x720, .hd1920x1080, .hd3840x2160, .inputPriority,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension SessionPreset {
  package init(_ wire: WirePreset) {
    switch wire {
    case .photo: self = .photo
    case .high: self = .high
    case .medium: self = .medium
    case .low: self = .low
    case .hd1280X720: self = .hd1280x720
    case .hd1920X1080: self = .hd1920x1080
    case .hd3840X2160: self = .hd3840x2160
    case .inputPriority: self = .inputPriority
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  package var wire: WirePreset? {
    switch self {
    case .photo: .photo
    case .high: .high
    case .medium: .medium
    case .low: .low
    case .hd1280x720: .hd1280X720
    case .hd1920x1080: .hd1920X1080
    case .hd3840x2160: .hd3840X2160
    case .inputPriority: .inputPriority
    default: nil
    }
  }
}

/// How the node has come by a camera. Open: more may come, so a switch needs a default.
public struct CameraAdoption: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A rule made a camera of its device. When the device has gone, the camera goes too.
  public static let adopted = Self(rawValue: "adopted")
  /// The device has gone, or the configuration does not name the camera any more. The node does not
  /// have it: this is its last state.
  public static let ended = Self(rawValue: "ended")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .adopted, .ended,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension CameraAdoption {
  package init?(_ wire: WireAdoption) {
    switch wire {
    case .adopted: self = .adopted
    case .ended: self = .ended
    case .unspecified: return nil
    case .UNRECOGNIZED: self = .unknown
    }
  }
}

extension Control {
  /// What sort of value a control has. Open: more may come, so a switch needs a default.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A number from `minimum` to `maximum`.
    public static let integer = Self(rawValue: "integer")
    /// A number from `minimum` to `maximum`, which may need 64 bits.
    public static let integer64 = Self(rawValue: "integer64")
    /// True or false.
    public static let boolean = Self(rawValue: "boolean")
    /// One of the items of `menu`.
    public static let menu = Self(rawValue: "menu")
    /// One of the items of `menu`, which are numbers.
    public static let integerMenu = Self(rawValue: "integerMenu")
    /// Bits, all of which are in `maximum`.
    public static let bitmask = Self(rawValue: "bitmask")
    /// Text of `minimum` to `maximum` bytes.
    public static let string = Self(rawValue: "string")
    /// Something that happens when it is set, whatever the value.
    public static let button = Self(rawValue: "button")
    /// Many numbers.
    public static let array = Self(rawValue: "array")
    /// Something of the driver's own shape.
    public static let compound = Self(rawValue: "compound")
    /// A number of `range` in a `unit`. Only controls with a meaning have this kind.
    public static let number = Self(rawValue: "number")
    /// A point of the picture. Only controls with a meaning have this kind.
    public static let point = Self(rawValue: "point")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .integer, .integer64, .boolean, .menu, .integerMenu, .bitmask, .string, .button, .array,
      .compound, .number, .point,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension Control.Kind {
  package init(_ wire: WireControlKind) {
    switch wire {
    case .integer: self = .integer
    case .integer64: self = .integer64
    case .boolean: self = .boolean
    case .menu: self = .menu
    case .integerMenu: self = .integerMenu
    case .bitmask: self = .bitmask
    case .string: self = .string
    case .button: self = .button
    case .array: self = .array
    case .compound: self = .compound
    case .number: self = .number
    case .point: self = .point
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension ControlEffect {
  /// How the frame was found. Open: more may come, so a switch needs a default.
  public struct Basis: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera says with each frame how it took it.
    public static let metadata = Self(rawValue: "metadata")
    /// The picture looks different from those before the change.
    public static let picture = Self(rawValue: "picture")
    /// All controls had these values before, so every frame has them.
    public static let unchanged = Self(rawValue: "unchanged")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .metadata, .picture, .unchanged,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension ControlEffect.Basis {
  package init(_ wire: WireControlEffect.Basis) {
    switch wire {
    case .metadata: self = .metadata
    case .picture: self = .picture
    case .unchanged: self = .unchanged
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension DeviceTime {
  /// How the camera's clock was compared with the node's. Open: more may come, so a switch needs a
  /// default.
  public struct Basis: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera and the node count the same frames of the USB bus.
    public static let usbFrames = Self(rawValue: "usbFrames")
    /// The camera's packets arrive after they were stamped, and the fastest of them soon.
    public static let arrival = Self(rawValue: "arrival")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .usbFrames, .arrival,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension DeviceTime.Basis {
  package init(_ wire: WireDeviceTime.Basis) {
    switch wire {
    case .usbFrames: self = .usbFrames
    case .arrival: self = .arrival
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension FrameFacts {
  /// The range of luma and chroma codes. Open: more may come, so a switch needs a default.
  public struct ColorRange: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 0 to 255.
    public static let full = Self(rawValue: "full")
    /// Luma 16 to 235, chroma 16 to 240.
    public static let limited = Self(rawValue: "limited")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .full, .limited,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension FrameFacts.ColorRange {
  package init?(_ wire: WireColorRange) {
    switch wire {
    case .full: self = .full
    case .limited: self = .limited
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension FrameFacts {
  /// The weights of red, green and blue in luma and chroma. Open: more may come, so a switch needs
  /// a default.
  public struct ColorMatrix: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ITU-R BT.601.
    public static let bt601 = Self(rawValue: "bt601")
    /// ITU-R BT.709.
    public static let bt709 = Self(rawValue: "bt709")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .bt601, .bt709,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension FrameFacts.ColorMatrix {
  package init?(_ wire: WireColorMatrix) {
    switch wire {
    case .bt601: self = .bt601
    case .bt709: self = .bt709
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension SystemPressure {
  /// How hard the machine is pressed. Open: more may come, so a switch needs a default.
  public struct Level: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The node does all its work.
    public static let nominal = Self(rawValue: "nominal")
    /// Encoded streams have fewer frames.
    public static let fair = Self(rawValue: "fair")
    /// Encoded streams have still fewer frames.
    public static let serious = Self(rawValue: "serious")
    /// Cameras that do not record are interrupted.
    public static let critical = Self(rawValue: "critical")
    /// All cameras are interrupted, because the machine is about to switch itself off.
    public static let shutdown = Self(rawValue: "shutdown")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .nominal, .fair, .serious, .critical, .shutdown,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension SystemPressure.Level {
  package init(_ wire: WirePressureLevel) {
    switch wire {
    case .nominal: self = .nominal
    case .fair: self = .fair
    case .serious: self = .serious
    case .critical: self = .critical
    case .shutdown: self = .shutdown
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension ClockReading {
  /// Who says how wrong the wall clock may be. Open: more may come, so a switch needs a default.
  public struct WallSource: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The operator, in the node's configuration.
    public static let `operator` = Self(rawValue: "operator")
    /// The program that keeps the clock, which computes it: chronyd.
    public static let chronyd = Self(rawValue: "chronyd")
    /// The same: ntpd.
    public static let ntpd = Self(rawValue: "ntpd")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .operator, .chronyd, .ntpd,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension ClockReading.WallSource {
  package init?(_ wire: WireWallClockSource) {
    switch wire {
    case .operator: self = .operator
    case .chronyd: self = .chronyd
    case .ntpd: self = .ntpd
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

/// What has become of the final picture of a proxy. Open: more may come, so a switch needs a
/// default.
public struct Deferral: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It is still to be made.
  public static let pending = Self(rawValue: "pending")
  /// All files of it are in the library.
  public static let done = Self(rawValue: "done")
  /// It cannot be made: the proxy is all there is.
  public static let failed = Self(rawValue: "failed")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .pending, .done, .failed,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension Deferral {
  package init?(_ wire: WireDeferral) {
    switch wire {
    case .pending: self = .pending
    case .done: self = .done
    case .failed: self = .failed
    case .unspecified: return nil
    case .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  package var wire: WireDeferral? {
    switch self {
    case .pending: .pending
    case .done: .done
    case .failed: .failed
    default: nil
    }
  }
}

/// What a file shows of a photo. Open: more may come, so a switch needs a default.
public struct AssetPart: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Distances.
  public static let depth = Self(rawValue: "depth")
  /// What is within certain distances.
  public static let matte = Self(rawValue: "matte")
  /// The movie of a live photo.
  public static let live = Self(rawValue: "live")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .depth, .matte, .live,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension AssetPart {
  package init?(_ wire: WireAssetPart) {
    switch wire {
    case .depth: self = .depth
    case .matte: self = .matte
    case .live: self = .live
    case .unspecified: return nil
    case .UNRECOGNIZED: self = .unknown
    }
  }
}

/// Whether an asset's file is still what the node stored. Open: more may come, so a switch needs a
/// default.
public struct AssetCondition: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The file is there. Its size and its time of change are those that the node knows.
  public static let intact = Self(rawValue: "intact")
  /// The file was deleted or moved by hand.
  public static let missing = Self(rawValue: "missing")
  /// Something else is in the file's place: other bytes, or no file at all.
  public static let changed = Self(rawValue: "changed")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .intact, .missing, .changed,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension AssetCondition {
  package init(_ wire: WireAssetCondition) {
    switch wire {
    case .intact: self = .intact
    case .missing: self = .missing
    case .changed, .UNRECOGNIZED: self = .changed
    }
  }
}

extension Movie {
  /// Why a recording ended. Open: more may come, so a switch needs a default.
  public struct EndReason: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It was stopped by a request, or with its session.
    public static let stopped = Self(rawValue: "stopped")
    /// It reached `maximum_duration_ns`, `maximum_bytes` or `until_monotonic_ns`.
    public static let limitReached = Self(rawValue: "limitReached")
    /// The disk is full.
    public static let storageFull = Self(rawValue: "storageFull")
    /// The session was interrupted or failed.
    public static let cameraLost = Self(rawValue: "cameraLost")
    /// The node was stopped.
    public static let nodeStopped = Self(rawValue: "nodeStopped")
    /// The disk failed.
    public static let storageFailed = Self(rawValue: "storageFailed")
    /// The node was killed. Its next start found and closed the movie, which is marked as
    /// recovered.
    public static let nodeKilled = Self(rawValue: "nodeKilled")
    /// The recording goes on in its next file, or waits for its next clip. Only in RecordSegment.
    public static let cut = Self(rawValue: "cut")
    /// No sound came any more, and the movie requires it.
    public static let soundLost = Self(rawValue: "soundLost")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .stopped, .limitReached, .storageFull, .cameraLost, .nodeStopped, .storageFailed, .nodeKilled,
      .cut, .soundLost,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension Movie.EndReason {
  package init(_ wire: WireRecordResult.EndReason) {
    switch wire {
    case .stopped: self = .stopped
    case .limitReached: self = .limitReached
    case .storageFull: self = .storageFull
    case .cameraLost: self = .cameraLost
    case .nodeStopped: self = .nodeStopped
    case .storageFailed: self = .storageFailed
    case .nodeKilled: self = .nodeKilled
    case .cut: self = .cut
    case .soundLost: self = .soundLost
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

/// How the pictures of a movie are coded. Open: more may come, so a switch needs a default.
public struct VideoCodec: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Each picture is a JPEG: the camera's own, where it sends JPEGs.
  public static let mjpeg = Self(rawValue: "mjpeg")
  /// By the node's encoder.
  public static let h264 = Self(rawValue: "h264")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .mjpeg, .h264,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension VideoCodec {
  package init(_ wire: WireVideoCodec) {
    switch wire {
    case .mjpeg: self = .mjpeg
    case .h264: self = .h264
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  package var wire: WireVideoCodec? {
    switch self {
    case .mjpeg: .mjpeg
    case .h264: .h264
    default: nil
    }
  }
}

/// The kind of file of a movie. Open: more may come, so a switch needs a default.
public struct MovieContainer: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Each frame is written as it comes.
  public static let matroska = Self(rawValue: "matroska")
  /// In fragments of half a second.
  public static let mp4 = Self(rawValue: "mp4")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .matroska, .mp4,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension MovieContainer {
  package init(_ wire: WireMovieContainer) {
    switch wire {
    case .matroska: self = .matroska
    case .mp4: self = .mp4
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  package var wire: WireMovieContainer? {
    switch self {
    case .matroska: .matroska
    case .mp4: .mp4
    default: nil
    }
  }
}

extension RecordingStatus {
  /// Why a recording is paused. Open: more may come, so a switch needs a default.
  public struct Pause: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By a request.
    public static let requested = Self(rawValue: "requested")
    /// The camera is interrupted or has failed.
    public static let cameraLost = Self(rawValue: "cameraLost")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .requested, .cameraLost,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension RecordingStatus.Pause {
  package init?(_ wire: WireRecordingPause) {
    switch wire {
    case .requested: self = .requested
    case .cameraLost: self = .cameraLost
    case .unspecified: return nil
    case .UNRECOGNIZED: self = .unknown
    }
  }
}

/// How the sound of a movie is coded. Open: more may come, so a switch needs a default.
public struct SoundCodec: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// AAC (ISO/IEC 14496-3), low complexity.
  public static let aac = Self(rawValue: "aac")
  /// Opus (RFC 6716).
  public static let opus = Self(rawValue: "opus")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// Those that a node of this version says.
  public static let allCases: [Self] = [
    .aac, .opus,
  ]

  /// The name.
  public var description: String { rawValue }
}

extension SoundCodec {
  package init?(_ wire: WireSoundCodec) {
    switch wire {
    case .aac: self = .aac
    case .opus: self = .opus
    case .unspecified: return nil
    case .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  package var wire: WireSoundCodec? {
    switch self {
    case .aac: .aac
    case .opus: .opus
    default: nil
    }
  }
}

extension AssetRemoval {
  /// Which limit it was removed for. Open: more may come, so a switch needs a default.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The assets took more bytes than they may.
    public static let size = Self(rawValue: "size")
    /// It was older than assets may be.
    public static let age = Self(rawValue: "age")
    /// The disk had less free than it should.
    public static let free = Self(rawValue: "free")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .size, .age, .free,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension AssetRemoval.Reason {
  package init(_ wire: WireLibraryEvent.Reason) {
    switch wire {
    case .size: self = .size
    case .age: self = .age
    case .free: self = .free
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}

extension CameraEvent {
  /// What happened. Open: more may come, so a switch needs a default.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CaseIterable,
    CustomStringConvertible
  {
    /// The name, which never changes.
    public let rawValue: String

    /// The value of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera's complete state, sent at every change of session state, readiness, format or
    /// recording.
    public static let state = Self(rawValue: "state")
    /// A control changed.
    public static let control = Self(rawValue: "control")
    /// A photo of any client came this far.
    public static let capture = Self(rawValue: "capture")
    /// A recording of any client came this far.
    public static let recording = Self(rawValue: "recording")
    /// Of the node itself: who may use it has changed, or somebody was refused.
    public static let keys = Self(rawValue: "keys")
    /// Of the node itself: cameras of its machine came or went.
    public static let devices = Self(rawValue: "devices")
    /// The camera can do something else than before.
    public static let capabilities = Self(rawValue: "capabilities")
    /// Of the node itself: its machine is harder pressed than before, or less hard.
    public static let pressure = Self(rawValue: "pressure")
    /// The scene in front of the camera has changed.
    public static let subjectArea = Self(rawValue: "subjectArea")
    /// The files of a photo that are made later were made, or cannot be.
    public static let deferred = Self(rawValue: "deferred")
    /// Of the node itself: a shot of one of its cameras came this far.
    public static let shot = Self(rawValue: "shot")
    /// The node has removed an asset of the camera by itself.
    public static let library = Self(rawValue: "library")
    /// The sound of a movie under way has stopped, or is back.
    public static let sound = Self(rawValue: "sound")
    /// A newer node says something that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// Those that a node of this version says.
    public static let allCases: [Self] = [
      .state, .control, .capture, .recording, .keys, .devices, .capabilities, .pressure,
      .subjectArea, .deferred, .shot, .library, .sound,
    ]

    /// The name.
    public var description: String { rawValue }
  }
}

extension CameraEvent.Kind {
  package init(_ wire: EventKind) {
    switch wire {
    case .state: self = .state
    case .control: self = .control
    case .capture: self = .capture
    case .recording: self = .recording
    case .keys: self = .keys
    case .devices: self = .devices
    case .capabilities: self = .capabilities
    case .pressure: self = .pressure
    case .subjectArea: self = .subjectArea
    case .deferred: self = .deferred
    case .shot: self = .shot
    case .library: self = .library
    case .sound: self = .sound
    }
  }
}

/// Whether the camera's flash is fired for a photo.
public enum FlashMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is not.
  case off
  /// It lights the whole exposure. The photo shows a frame from after the request.
  case on
  /// As ON if the scene is dark when the node reads the request, else as OFF.
  case auto
}

extension FlashMode {
  package init(_ wire: WireFlashMode) {
    switch wire {
    case .off, .unspecified, .UNRECOGNIZED: self = .off
    case .on: self = .on
    case .auto: self = .auto
    }
  }

  package var wire: WireFlashMode {
    switch self {
    // As a node takes it without being told.
    case .off: .unspecified
    case .on: .on
    case .auto: .auto
    }
  }
}

/// How much is done for the look of a photo.
public enum PhotoPrioritization: String, Hashable, Sendable, Codable, CaseIterable {
  /// The frame of the moment.
  case speed
  /// The sharpest of it and its two neighbours.
  case balanced
  /// The same, merged with others of four frames so that it has less noise. What moves is taken
  /// from one frame alone.
  case quality
}

extension PhotoPrioritization {
  package init(_ wire: WirePhotoPrioritization) {
    switch wire {
    case .speed, .unspecified, .UNRECOGNIZED: self = .speed
    case .balanced: self = .balanced
    case .quality: self = .quality
    }
  }

  package var wire: WirePhotoPrioritization {
    switch self {
    // As a node takes it without being told.
    case .speed: .unspecified
    case .balanced: .balanced
    case .quality: .quality
    }
  }
}

/// A kind of file that a photo becomes.
public enum PhotoFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// image/jpeg: the camera's own if it delivers JPEG.
  case jpeg
  /// image/png: all that the camera delivers, with 16 bits where it delivers more than 8.
  case png
  /// image/tiff: the same, not compressed.
  case tiff
  /// image/x-adobe-dng: the samples of a Bayer sensor.
  case dng
  /// image/avif: small, and slower to make than JPEG.
  case avif
  /// image/heic: small, and slow to make.
  case heic
  /// image/x-raw: the bytes of the frame, with their `layout`: those that the camera delivered,
  /// unless the node converts them (`StreamFormat.device_pixel_format`).
  case raw
}

extension PhotoFormat {
  package init(_ wire: WirePhotoFormat) {
    switch wire {
    case .jpeg, .unspecified, .UNRECOGNIZED: self = .jpeg
    case .png: self = .png
    case .tiff: self = .tiff
    case .dng: self = .dng
    case .avif: self = .avif
    case .heic: self = .heic
    case .raw: self = .raw
    }
  }

  package var wire: WirePhotoFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .dng: .dng
    case .avif: .avif
    case .heic: .heic
    case .raw: .raw
    }
  }
}

/// What becomes of a recording whose camera is interrupted or fails.
public enum CameraLostPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// It ends with `cameraLost`.
  case end
  /// It is paused, and goes on when the camera delivers frames of the same kind again.
  case pause
}

extension CameraLostPolicy {
  package init(_ wire: WireCameraLostPolicy) {
    switch wire {
    case .end, .unspecified, .UNRECOGNIZED: self = .end
    case .pause: self = .pause
    }
  }

  package var wire: WireCameraLostPolicy {
    switch self {
    // As a node takes it without being told.
    case .end: .unspecified
    case .pause: .pause
    }
  }
}
