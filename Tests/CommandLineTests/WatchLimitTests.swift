import CameraClient
import Foundation
import Keys
import TestSupport
import Testing
import ZeroMQ

/// A node with keys where the system tells of no changes to files (inotify(7)).
@Suite(
  .timeLimit(.minutes(5)), .enabled(if: UserNamespace.isPossible, "needs a user namespace"))
struct WatchLimitTests {
  @Test(arguments: ["max_inotify_instances", "max_inotify_watches"])
  func `The folder of keys is looked at by time`(limit: String) async throws {
    let folder = try TemporaryFolder()
    let keys = KeyFolder("\(folder.path)/keys")
    _ = try keys.open()
    let program = try Program(name: "camerad").start(
      [String].oneCamera
        + ["--library", "\(folder.path)/library", "--keys", keys.path, "--ipc", folder.path],
      script:
        "exec \(UserNamespace.command) 'echo 0 > /proc/sys/user/\(limit); exec \"$@\"' bash \"$@\"")
    try program.waitForOutput()
    try await attempt {
      try await withCameraBus("ipc://\(folder.path)/control") { bus in
        var events = bus.events().makeAsyncIterator()
        _ = try await events.next()
        try keys.authorize(
          AuthorizedKey(name: "arm", key: CurveKeyPair.generate().publicKey, role: .viewer))
        try await events.wait { $0.authorized == ["arm"] }
        try keys.revoke(["arm"])
        try await events.wait { $0.revoked == ["arm"] }
      }
    } finally: {
      program.interrupt()
    }
    let outcome = try await program.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("max_user_instances"), "\(outcome.errors)")
  }
}

extension EventSequence.AsyncIterator {
  fileprivate mutating func wait(until isDone: (KeysEvent) -> Bool) async throws {
    while let event = try await next() {
      if case .event(let event) = event, case .keys(let keys) = event.body, isDone(keys) { return }
    }
  }
}

/// A user namespace, in which a process has other limits than those of the machine.
enum UserNamespace {
  static let command = "unshare --user --map-root-user bash -c"

  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "\(command) 'echo 0 > /proc/sys/user/max_inotify_watches'"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
