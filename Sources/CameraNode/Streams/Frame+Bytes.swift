import Capture
import MediaLibrary
import ZeroMQ

/// A frame goes to the disk without a copy, because it is immutable while anybody holds it.
extension Frame: ByteSource {
  /// A copy of the picture's bytes.
  var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }
}

/// A frame goes to subscribers without a copy.
extension Frame: SharedBytes {}
