/// Something on a loop whose readiness its descriptor alone does not tell, such as a ZeroMQ socket.
///
/// The loop sleeps on `descriptor` until it is readable, and only after `hasWork()` was false. So a descriptor
/// that signals a change once, and not for as long as it lasts, is enough. All calls come on the loop's thread.
public protocol EventSource: AnyObject {
  /// Becomes readable when `hasWork()` may have become true. The same for as long as the loop has the source.
  var descriptor: Int32 { get }
  /// Whether `process()` is to be called: asked before every sleep, so it must be cheap.
  func hasWork() -> Bool
  /// The descriptor was found readable, so that `hasWork()` may have become true. Called once a round.
  func descriptorBecameReadable()
  /// Does some of the work. What is left is done in the loop's next rounds, after others had their turn.
  func process()
}

extension EventSource {
  /// Does nothing: `hasWork()` finds out by itself.
  public func descriptorBecameReadable() {}
}
