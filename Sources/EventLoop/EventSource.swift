/// A source of work whose descriptor alone does not show whether there is work, such as a ZeroMQ
/// socket.
///
/// Before the loop sleeps until `descriptor` is readable, it checks that `hasWork()` is false. So
/// the descriptor may signal a change once and need not stay readable. All calls come on the loop's
/// thread.
public protocol EventSource: AnyObject {
  /// Becomes readable when `hasWork()` may have become true. It does not change while the loop has
  /// the source.
  var descriptor: Int32 { get }
  /// Whether the loop should call `process()`. The loop asks before every sleep, so this must be
  /// cheap.
  func hasWork() -> Bool
  /// Called once a round while the descriptor is readable. `hasWork()` may have become true.
  func descriptorBecameReadable()
  /// Does some of the work. The loop calls this again for the rest, after others have had their
  /// turn.
  func process()
}

extension EventSource {
  /// Does nothing. This suits a source whose `hasWork()` needs no hint.
  public func descriptorBecameReadable() {}
}
