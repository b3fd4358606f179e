import Glibc
import OperatingSystem

/// Ctrl-C, SIGTERM and SIGHUP end what a command is doing instead of the program. The command then
/// prints its summary, and the program's status is 130, 143 or 129, as if the signal had ended it.
///
/// Commands mark what a signal ends as sections, one within another. Each further signal ends the
/// next outer section; after the outermost it ends the program at once.
final class Interruption: Sendable {
  /// A part of a command that a signal ends.
  struct Section: Sendable {
    fileprivate let end: AsyncStream<Never>

    /// Runs `body`, cancels it at a signal, and returns its result in both cases. If a signal came
    /// earlier in this section, `body` is cancelled from the beginning.
    func ending<R: Sendable>(
      _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
      try await withThrowingTaskGroup(of: R?.self) { group in
        group.addTask { try await body() }
        group.addTask {
          for await _ in end {}
          return nil
        }
        while let outcome = try await group.next() {
          group.cancelAll()
          if let outcome { return outcome }
        }
        throw CancellationError()
      }
    }
  }

  private struct State {
    var sections: [(end: AsyncStream<Never>.Continuation, hasEnded: Bool)] = []
    var signal: Int32?
  }

  /// Signals come to the whole program.
  static let shared = Interruption()

  private let state = Mutex(State())

  /// How many threads a command has that asks a node.
  private static let neededThreads = 10

  private init() {}

  /// The status of the program after a signal; nil if none came.
  var status: Int32? { state.withLock(\.signal).map(Self.status) }

  /// Catches signals from now on. Call it before the program has any other thread.
  /// - Throws: The system has no thread or descriptor left.
  func begin() throws(SystemError) {
    var caught = [SIGINT, SIGTERM, SIGWINCH]
    if !SystemProcess.ignores(SIGHUP) { caught.append(SIGHUP) }
    let signals = try SignalQueue(caught)
    // The other threads come with the work, and Swift would wait for them for ever.
    guard SystemThread.areLeft(Self.neededThreads) else {
      throw SystemError(errno: EAGAIN, operation: "pthread_create")
    }
    let thread = SystemThread.start {
      while true { self.take(signals.wait()) }
    }
    guard let thread else { throw SystemError(errno: EAGAIN, operation: "pthread_create") }
    pthread_detach(thread)
  }

  /// Runs `body` as a section. A signal does not cancel it, only what it runs by
  /// ``Section/ending(_:)``.
  func section<R>(_ body: (Section) async throws -> R) async throws -> R {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    state.withLock { $0.sections.append((continuation, false)) }
    defer { state.withLock { _ = $0.sections.popLast() } }
    return try await body(Section(end: end))
  }

  private func take(_ signal: Int32) {
    if signal == SIGWINCH { return LiveLine.shared.redraw() }
    let section = state.withLock { state -> AsyncStream<Never>.Continuation? in
      if state.signal == nil { state.signal = signal }
      guard let index = state.sections.lastIndex(where: { !$0.hasEnded }) else { return nil }
      state.sections[index].hasEnded = true
      return state.sections[index].end
    }
    guard let section else {
      TerminalMode.shared.restore()
      _exit(Self.status(signal))
    }
    section.finish()
  }

  /// The status with which shells report a program that the signal ended.
  private static func status(_ signal: Int32) -> Int32 { 128 + signal }
}
