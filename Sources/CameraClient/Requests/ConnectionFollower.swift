import CameraProtocol

/// Is called at every connection to the node, on the loop's thread.
protocol ConnectionFollower: AnyObject, Sendable {
  func connectionDidOpen(_ status: WireStatusReply)
  func connectionDidClose()
}
