import Capture
import MediaLibrary
import ZeroMQ

/// A frame goes to libzmq and to the disk as it is: immutable while anybody holds it, at one address for its life.
extension Frame: SharedBytes, ByteSource {}
