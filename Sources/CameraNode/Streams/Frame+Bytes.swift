import Capture
import MediaLibrary
import ZeroMQ

/// A frame is written to the disk without a copy, because its bytes do not change while it is held.
extension Frame: ByteSource {
  /// A copy of the picture's bytes.
  var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }
}

/// A frame is sent to subscribers without a copy.
extension Frame: SharedBytes {}
