import Capture
import EventLoop
import MediaLibrary
import ZeroMQ

/// Why a node cannot run, as one sentence that says what to do.
package struct NodeError: Error, Sendable, CustomStringConvertible {
  package let message: String

  init(_ error: any Error) {
    switch error {
    case let error as NodeError: self = error
    case let error as ConfigurationError: message = error.message
    case let error as CaptureError: message = error.message
    case let error as ZeroMQError: message = error.message
    case let error as MediaLibraryError: message = error.message
    case let error as LoopShortage: message = error.message
    default: message = "\(error)"
    }
  }

  init(camera: String, _ error: CaptureError) {
    message = "camera \(camera): \(error.message)"
  }

  package var description: String { message }
}
