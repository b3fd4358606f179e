/// An object that reports its own end.
package final class Witness: Sendable {
  private let onEnd: @Sendable () -> Void

  package init(_ onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

  deinit { onEnd() }
}
