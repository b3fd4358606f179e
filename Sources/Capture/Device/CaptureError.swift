/// What went wrong with a camera or a request to it: a code for programs, a sentence that says what to do.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Open: more may come, so a switch over codes needs a default.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    /// The device is not there, or went away (ENODEV, ENOENT).
    package static let deviceNotFound = Code("deviceNotFound")
    /// It streams and gives no frames.
    package static let deviceStalled = Code("deviceStalled")
    /// Another program streams from it (EBUSY).
    package static let deviceBusy = Code("deviceBusy")
    /// No permission on the device node (EACCES); the message names the group that has it.
    package static let permissionDenied = Code("permissionDenied")
    /// The node is no capture device, or lacks what we need of it.
    package static let unsuitableDevice = Code("unsuitableDevice")
    /// USB bandwidth is used up (ENOSPC at STREAMON).
    package static let noBandwidth = Code("noBandwidth")
    package static let unsupportedFormat = Code("unsupportedFormat")
    package static let noSuchControl = Code("noSuchControl")
    package static let invalidControlValue = Code("invalidControlValue")
    package static let controlNotWritable = Code("controlNotWritable")
    /// The session is not running.
    package static let notRunning = Code("notRunning")
    /// The request cannot be met by any frame that is or will be held.
    package static let frameUnavailable = Code("frameUnavailable")
    package static let invalidArgument = Code("invalidArgument")
    package static let deadlineExceeded = Code("deadlineExceeded")
    package static let cancelled = Code("cancelled")
    /// More work than the bounded queues take.
    package static let overloaded = Code("overloaded")
    package static let interrupted = Code("interrupted")
    package static let encodingFailed = Code("encodingFailed")
    package static let storageFull = Code("storageFull")
    package static let storageFailed = Code("storageFailed")
    /// What was captured is not there any more.
    package static let noSuchAsset = Code("noSuchAsset")
    /// The device or the system failed in a way that has no code of its own.
    package static let deviceFailed = Code("deviceFailed")
  }

  package var code: Code
  /// A sentence for a person, with the remedy.
  package var message: String
  /// The name of the offending argument, where there is one.
  package var field: String?

  package init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  package var description: String { message }
}
