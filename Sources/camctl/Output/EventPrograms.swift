import CameraClient
import OperatingSystem
import Reports
import Words

/// Starts a program for each event that is shown, with the event's JSON as its standard input.
///
/// A few run at a time, further events wait, and those that find no room are left out. Whatever
/// does not go well is said on the standard error.
final class EventPrograms: Sendable {
  /// How many programs run at a time.
  private static let atOnce = 4
  /// How many events wait.
  private static let waitingLimit = 256
  /// How long a program may run before it is killed.
  private static let longest = Duration.seconds(60)

  /// What the help says about them.
  static let rules =
    "At most \(atOnce) run at a time, \(waitingLimit) further events wait, and more are left out; one that runs for more "
    + "than a minute is killed. What they print goes to stderr, and so does what fails or is left out"

  private struct Counts {
    var waiting = 0
    var leftOut = 0
  }

  private let command: String
  private let events: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let counts = Mutex(Counts())

  private init(_ command: String) {
    self.command = command
    (events, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(Self.waitingLimit))
  }

  /// Runs `body`, and the programs for the events that it passes on. It waits for all of them; in a
  /// task that is cancelled it kills those that run, and leaves out the others.
  /// - Parameter command: What the shell runs; nil for no programs.
  static func running<R: Sendable>(
    _ command: String?, _ body: (EventPrograms?) async throws -> R
  ) async throws -> R {
    guard let command else { return try await body(nil) }
    let programs = EventPrograms(command)
    defer { programs.sayLeftOut() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await programs.serve() }
      let result = try await body(programs)
      programs.continuation.finish()
      try await group.waitForAll()
      return result
    }
  }

  /// Starts the program for an event, now or when there is room.
  func run(_ report: some Encodable) {
    counts.withLock { $0.waiting += 1 }
    if case .dropped = continuation.yield(JSONLine.text(of: report)) {
      let isFirst = counts.withLock { counts in
        counts.waiting -= 1
        counts.leftOut += 1
        return counts.leftOut == 1
      }
      if isFirst {
        Self.say("events are left out, because \(Self.waitingLimit) wait for the program")
      }
    }
  }

  private func serve() async {
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      for await event in events {
        if running == Self.atOnce {
          await group.next()
          running -= 1
        }
        if Task.isCancelled { break }
        counts.withLock { $0.waiting -= 1 }
        group.addTask { await self.serve(event) }
        running += 1
      }
    }
  }

  private func serve(_ event: String) async {
    let program: ShellCommand
    do throws(SystemError) {
      program = try ShellCommand(command, input: Array((event + "\n").utf8))
    } catch {
      return Self.say("the program cannot start for an event: \(error)")
    }
    let end = await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          guard (try? await Task.sleep(for: Self.longest)) != nil else { return }
          Self.say("the program is killed: it has run for \(Self.longest.words)")
          program.kill()
        }
        let end = await OwnThread.run { program.wait() }
        group.cancelAll()
        return end
      }
    } onCancel: {
      program.kill()
    }
    switch end {
    case .status(0): break
    case .status(let status): Self.say("the program ended with status \(status)")
    case .signal(let name): Self.say("the program was ended by SIG\(name)")
    }
  }

  private func sayLeftOut() {
    let count = counts.withLock { $0.leftOut + $0.waiting }
    guard count > 0 else { return }
    Self.say("the program did not run for \(count.counted("event"))")
  }

  private static func say(_ text: String) {
    StandardError.write(line: "camctl: \(text)", style: .warning)
  }
}
