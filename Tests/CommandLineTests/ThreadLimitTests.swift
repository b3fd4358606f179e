import CameraClient
import Foundation
import TestSupport
import Testing

/// The programs where their user may have few threads (`ulimit -u`).
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: LimitedUser.isPossible, "only root can be another user"))
struct ThreadLimitTests {
  private static let camera = ["--camera", "cam=synthetic:320x240@10"]
  private static let manyThreads = 100

  /// Starts a node of the user, which listens on ipc in the folder.
  private func start(
    by user: LimitedUser, threads: Int = Self.manyThreads, in folder: TemporaryFolder
  ) throws -> Program.Running {
    try user.own(folder)
    let sockets = ["control", "events", "frames"].flatMap {
      ["--\($0)", "ipc://\(folder.path)/\($0)"]
    }
    return try Program(name: "camerad").start(
      Self.camera + sockets + ["--library", "\(folder.path)/library"],
      in: folder.path, script: user.script(threads: threads))
  }

  @Test func `A node starts, or says that it has too few threads, whatever the limit is`()
    async throws
  {
    let user = LimitedUser()
    for threads in 1...30 {
      let folder = try TemporaryFolder()
      let node = try start(by: user, threads: threads, in: folder)
      try node.waitForOutput()
      node.interrupt()
      let outcome = try await node.outcome()
      if outcome.status != 0 {
        outcome.expectOneLine(of: "camerad", status: 1, remedy: "allow more threads")
      }
    }
  }

  @Test func `A node ends at a signal where its user has no thread left`() async throws {
    let (user, folder) = (LimitedUser(), try TemporaryFolder())
    let node = try start(by: user, in: folder)
    try node.waitForOutput()
    try user.limit(node.processID, threads: 1)
    try await node.waitForIdlePool()
    node.interrupt()
    #expect(try await node.outcome().status == 0)
  }

  @Test func `An AVIF whose encoder cannot start is worth trying again`() async throws {
    let (user, folder) = (LimitedUser(), try TemporaryFolder())
    let node = try start(by: user, in: folder)
    try node.waitForOutput()
    try await withCameraBus("ipc://\(folder.path)/control") { bus in
      let camera = try await bus.camera()
      try user.limit(node.processID, threads: 1)
      let error = await #expect(throws: CameraBusError.self) {
        _ = try await camera.capture(.now, PhotoSettings([.avif]))
      }
      #expect(error?.code == .busy && error?.isRetryable == true, "\(String(describing: error))")
      _ = try await camera.capture()
      try user.limit(node.processID, threads: Self.manyThreads)
      _ = try await camera.capture(.now, PhotoSettings([.avif]))
    }
    node.interrupt()
    #expect(try await node.outcome().status == 0)
  }

  @Test func `A command ends, whatever the limit is`() async throws {
    let folder = try TemporaryFolder()
    let (owner, user) = (LimitedUser(), LimitedUser())
    let node = try start(by: owner, in: folder)
    try node.waitForOutput()
    for threads in [1, 2, 3, 6, 10] {
      let outcome = try await Program(name: "camctl").run(
        ["status", "--node", "ipc://\(folder.path)/control"],
        script: user.script(threads: threads))
      outcome.expectOneLine(of: "camctl", status: 75, remedy: "allow more")
    }
    node.interrupt()
    #expect(try await node.outcome().status == 0)
  }
}

extension Program.Running {
  /// Waits until the threads have ended that libdispatch starts when there is work.
  fileprivate func waitForIdlePool() async throws {
    let folder = "/proc/\(processID)/task"
    func isIdle() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { thread in
        let name = try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)
        return name?.contains("-qos") != true
      }
    }
    while try !isIdle() { try await Task.sleep(for: .milliseconds(50)) }
  }
}
