package import EventLoop

/// An error of a camera or of a request to it: a code for programs, and a sentence that says what
/// to do.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A struct, so that codes can be added. A switch over codes needs a default.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    /// The device is not there, or went away (ENODEV, ENOENT).
    package static let deviceNotFound = Code("deviceNotFound")
    /// It streams but delivers no frames, or its driver does not come back from a call.
    package static let deviceStalled = Code("deviceStalled")
    /// Another program streams from it (EBUSY).
    package static let deviceBusy = Code("deviceBusy")
    /// No permission on the device node (EACCES); the message names the group that has it.
    package static let permissionDenied = Code("permissionDenied")
    /// The node is no capture device, or lacks a capability that we need.
    package static let unsuitableDevice = Code("unsuitableDevice")
    /// USB bandwidth is used up (ENOSPC at STREAMON).
    package static let noBandwidth = Code("noBandwidth")
    package static let unsupportedFormat = Code("unsupportedFormat")
    package static let noSuchControl = Code("noSuchControl")
    package static let invalidControlValue = Code("invalidControlValue")
    package static let controlNotWritable = Code("controlNotWritable")
    /// The session is not running.
    package static let notRunning = Code("notRunning")
    /// No frame that the ring holds, or will hold, satisfies the request.
    package static let frameUnavailable = Code("frameUnavailable")
    package static let invalidArgument = Code("invalidArgument")
    package static let deadlineExceeded = Code("deadlineExceeded")
    package static let cancelled = Code("cancelled")
    /// The bounded queues are full.
    package static let overloaded = Code("overloaded")
    package static let interrupted = Code("interrupted")
    /// It does not fit what the camera is doing.
    package static let conflict = Code("conflict")
    package static let encodingFailed = Code("encodingFailed")
    package static let storageFull = Code("storageFull")
    package static let storageFailed = Code("storageFailed")
    /// The asset is no longer in the library.
    package static let noSuchAsset = Code("noSuchAsset")
    /// A failure of the device or the system that has no code of its own.
    package static let deviceFailed = Code("deviceFailed")
  }

  /// A part of an order to a camera. What requests call it is the node's business.
  package enum Part: Hashable, Sendable, CustomStringConvertible {
    case input, mode, preset, format, size, rate, streams, recording
    case moment, tolerance, outputs, dimensions, deferral, flash, depth
    case rampRate
    case control(ControlID)
    /// An option of a camera's text, by its name.
    case option(String)

    /// The part's name in a report of what is not as it is wanted.
    package var description: String {
      switch self {
      case .control(let id): id.rawValue
      case .option(let name): name
      case .input: "input"
      case .mode: "mode"
      case .preset: "preset"
      case .size: "size"
      case .rate: "maximum_rate"
      case .streams: "streams"
      case .recording: "configuration"
      case .format: "format"
      case .moment: "moment"
      case .tolerance: "tolerance"
      case .outputs: "outputs"
      case .dimensions: "dimensions"
      case .deferral: "deferral"
      case .flash: "flash"
      case .depth: "depth"
      case .rampRate: "ramp_rate"
      }
    }
  }

  package var code: Code
  /// A sentence for people that says what to do.
  package var message: String
  /// What of the order is wrong, if it is one thing.
  package var part: Part?

  package init(_ code: Code, _ message: String, part: Part? = nil) {
    self.code = code
    self.message = message
    self.part = part
  }

  package var description: String { message }
}

extension CaptureError {
  /// A thread that a camera needs cannot be started.
  package init(_ shortage: LoopShortage) { self.init(.overloaded, shortage.message) }
}
