import EventLoop
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import Recording

@Suite struct MovieSyncTests {
  let loop = TestLoop()

  @Test func `A movie is synchronised once a second, however often it is written`() throws {
    let calls = Mutex<[String]>([])
    let sync = MovieSync(loop: loop.loop, path: "movie") { path in
      calls.withLock { $0.append(path) }
    }
    for tenth in 0...30 {
      try sync.wrote(at: MonotonicTime(nanoseconds: Int64(tenth) * 100_000_000))
      loop.finish()
    }
    #expect(calls.withLock { $0 } == ["movie", "movie", "movie"])
  }

  @Test func `A slow disk gets one request at a time, and nobody waits for it`() throws {
    let calls = Mutex<[String]>([])
    let sync = MovieSync(loop: loop.loop, path: "movie") { path in
      calls.withLock { $0.append(path) }
    }
    try loop.loop.whileBlocked {
      for second: Int64 in 0...9 {
        try sync.wrote(at: MonotonicTime(nanoseconds: second * 1_000_000_000))
      }
    }
    loop.finish()
    #expect(calls.withLock { $0.count } == 1)
    try sync.wrote(at: MonotonicTime(nanoseconds: 10_000_000_000))
    loop.finish()
    #expect(calls.withLock { $0.count } == 2)
  }

  @Test func `A failing disk ends the movie`() throws {
    let failure = RecordingError(.storageFailed, "the disk is broken: replace it")
    let sync = MovieSync(loop: loop.loop, path: "movie") { _ throws(RecordingError) in throw failure
    }
    for second: Int64 in 0...1 {
      try sync.wrote(at: MonotonicTime(nanoseconds: second * 1_000_000_000))
    }
    loop.finish()
    let error = #expect(throws: RecordingError.self) {
      try sync.wrote(at: MonotonicTime(nanoseconds: 1_000_000_001))
    }
    #expect(error == failure)
  }

  @Test func `A movie can be synchronised while it is written`() throws {
    let folder = try TemporaryFolder()
    let draft = try Draft(frames: 3, in: folder)
    try folder.writeMovie(draft.bytes)
    try Disk.synchronizeWithName(folder.movie)
    #expect(throws: RecordingError.self) { try Disk.synchronizeWithName(folder.path + "/none") }
    let pipe = try folder.makePipe("pipe")
    #expect(throws: RecordingError.self, "not waited for") { try Disk.synchronizeWithName(pipe) }
  }
}
