import Capture
import Dispatch
import Glibc
import OperatingSystem

/// Asks the drivers of nodes, each on a thread of its own, so that one that hangs costs no more
/// than its own answer. Only threads that may block wait for it.
final class NodeProbes: Sendable {
  /// A node, as long as it is there.
  private struct Node: Hashable {
    var path: String
    var identity: FileStatus.Identity?
  }

  private struct State: Sendable {
    /// The nodes whose drivers have not come back.
    var hanging: Set<Node> = []
    /// What wakes those who wait.
    var waiting: [Int: DispatchSemaphore] = [:]
    /// Counts those who have waited.
    var number = 0
  }

  /// The probes of this machine's nodes.
  static let ofMachine = NodeProbes(patience: .seconds(3))

  private let patience: Duration
  private let state = Mutex(State())

  /// - Parameter patience: How long one question may take.
  init(patience: Duration) { self.patience = patience }

  /// - Parameter times: How many questions `question` asks.
  /// - Returns: Nil if the driver does not come back. It is not asked again before it does.
  func answer<R: Sendable>(
    at path: String, times: Int = 1, _ question: @escaping @Sendable () -> R
  ) -> R? {
    let node = Node(path: path, identity: (try? FileStatus(at: path))?.identity)
    let (box, given) = (AnswerBox<R>(), DispatchSemaphore(value: 0))
    let number = state.withLock { state -> Int? in
      guard !state.hanging.contains(node) else { return nil }
      state.number += 1
      state.waiting[state.number] = given
      return state.number
    }
    guard let number else { return nil }
    let thread = SystemThread.start { [self] in
      let answer = question()
      box.answer.withLock { $0 = answer }
      state.withLock { _ = $0.hanging.remove(node) }
      given.signal()
    }
    // Without a thread to spare, the caller's has to do.
    guard let thread else { return question() }
    pthread_detach(thread)
    let nanoseconds = (patience * times).wholeNanoseconds
    _ = given.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
    return state.withLock { state in
      state.waiting[number] = nil
      let answer = box.answer.withLock { $0 }
      if answer == nil { state.hanging.insert(node) }
      return answer
    }
  }

  /// Ends the waits that are under way.
  func hurry() {
    for given in state.withLock({ Array($0.waiting.values) }) { given.signal() }
  }

  private final class AnswerBox<R: Sendable>: Sendable {
    let answer = Mutex<R?>(nil)
  }
}
