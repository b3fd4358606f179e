import Capture
import ZeroMQ

/// A frame goes to libzmq as it is: immutable while anybody holds it, at one address for its life.
extension Frame: SharedBytes {}
