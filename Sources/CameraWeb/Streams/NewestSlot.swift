import OperatingSystem

/// Hands one reader the newest of the elements that come: a newer one takes the place of one that
/// the reader has not taken yet.
final class NewestSlot<Element: Sendable>: Sendable {
  // A reader is resumed once, by the caller that takes it away.
  @safe private struct WaitingReader {
    let continuation: UnsafeContinuation<Void, Never>

    func wake() { unsafe continuation.resume() }
  }

  private enum Content {
    case nothing
    case element(Element)
    case ended(HTTPFailure?)
  }

  private struct State {
    var element: Element?
    var end: Content?
    var reader: WaitingReader?
    var replaced: UInt64 = 0
  }

  private let state = Mutex(State())

  /// - Returns: Whether an element was there that the reader will not get.
  @discardableResult
  func put(_ element: Element) -> Bool {
    let (reader, isReplaced) = state.withLock { state -> (WaitingReader?, Bool) in
      guard state.end == nil else { return (nil, false) }
      let isReplaced = state.element != nil
      state.element = element
      defer { state.reader = nil }
      return (state.reader, isReplaced)
    }
    reader?.wake()
    return isReplaced
  }

  /// Ends it. The reader gets what is there, and then the end.
  /// - Parameter failure: Why it ends; nil where nobody needs a reason.
  func end(_ failure: HTTPFailure? = nil) {
    let reader = state.withLock { state -> WaitingReader? in
      state.end = state.end ?? .ended(failure)
      defer { state.reader = nil }
      return state.reader
    }
    reader?.wake()
  }

  /// The newest element; nil at the end, and when the caller's task was cancelled.
  func next() async throws(HTTPFailure) -> Element? {
    while true {
      if Task.isCancelled { return nil }
      let content = state.withLock { state -> Content in
        defer { state.element = nil }
        return state.element.map(Content.element) ?? state.end ?? .nothing
      }
      switch content {
      case .element(let element): return element
      case .ended(let failure?): throw failure
      case .ended(nil): return nil
      case .nothing: await wait()
      }
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        let hasNews = state.withLock { state in
          guard state.element == nil, state.end == nil else { return true }
          unsafe state.reader = WaitingReader(continuation: continuation)
          return false
        }
        if hasNews { unsafe continuation.resume() }
      }
    } onCancel: {
      end()
    }
  }
}
