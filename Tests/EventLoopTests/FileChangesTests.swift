import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(5)))
struct FileChangesTests {
  @Test func `It tells the names of new files, until it is cancelled`() async throws {
    let folder = try TemporaryFolder()
    try await withLoop { loop in
      let log = Recorded<FileChanges.Change>()
      let (changes, number) = try await loop.run {
        let changes = try FileChanges(on: loop) { for change in $0 { log.add(change) } }
        return (changes, try changes.watch(folder.path, for: UInt32(IN_MOVED_TO | IN_CREATE)))
      }
      try folder.write("", to: "a")
      try folder.write("", to: "longer than the first one")
      let created = UInt32(IN_CREATE)
      #expect(
        await log.atLeast(2) == [
          .init(number: number, kind: created, name: "a"),
          .init(number: number, kind: created, name: "longer than the first one"),
        ])
      await loop.run { changes.cancel() }
      try folder.write("", to: "b")
      await loop.finishRound()
      #expect(log.events.count == 2)
    }
  }

  @Test func `What is not watched any more says so`() async throws {
    let folder = try TemporaryFolder()
    try await withLoop { loop in
      let log = Recorded<FileChanges.Change>()
      let changes = try await loop.run {
        try FileChanges(on: loop) { for change in $0 { log.add(change) } }
      }
      await #expect(throws: (any Error).self) {
        try await loop.run { try changes.watch("\(folder.path)/none", for: UInt32(IN_CREATE)) }
      }
      try await loop.run { changes.unwatch(try changes.watch(folder.path, for: UInt32(IN_CREATE))) }
      #expect(await log.atLeast(1).map(\.kind) == [UInt32(IN_IGNORED)])
      await loop.run { changes.cancel() }
    }
  }
}
