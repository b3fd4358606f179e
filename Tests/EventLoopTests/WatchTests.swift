import EventLoop
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WatchTests {
  @Test func `A handler is called when its descriptor becomes readable`() async {
    await withLoop { loop in
      let pipe = Pipe()
      let log = Recorded<String>()
      let watch = await loop.run {
        loop.watch(pipe.reader, for: .readable) {
          #expect(loop.isCurrent)
          if pipe.read() { log.add("read") }
        }
      }
      await loop.finishRound()
      #expect(log.events.isEmpty)
      pipe.write()
      await log.atLeast(1)
      pipe.write()
      #expect(await log.atLeast(2) == ["read", "read"])
      await loop.run { watch.cancel() }
    }
  }

  @Test func `A handler that leaves bytes unread is called again`() async {
    await withLoop { loop in
      let pipe = Pipe()
      for _ in 0..<3 { pipe.write() }
      let log = Recorded<String>()
      let watch = await loop.run {
        loop.watch(pipe.reader, for: .readable) { if pipe.read() { log.add("read") } }
      }
      #expect(await log.atLeast(3).count == 3)
      await loop.run { watch.cancel() }
    }
  }

  @Test func `A handler can cancel its own watch`() async {
    await withLoop { loop in
      let pipe = Pipe()
      let log = Recorded<String>()
      let watch = Box<Watch>()
      await loop.run {
        watch.value = loop.watch(pipe.reader, for: .readable) {
          log.add("called")
          watch.value?.cancel()
        }
      }
      pipe.write()
      await log.atLeast(1)
      await loop.finishRound()
      #expect(log.events == ["called"])
    }
  }

  @Test func `A watch that another handler cancelled in the same round is not called`() async {
    await withLoop { loop in
      let pipe = Pipe()
      let log = Recorded<String>()
      let watches = [Box<Watch>(), Box<Watch>()]
      await loop.run {
        for (index, watch) in watches.enumerated() {
          watch.value = loop.watch(pipe.reader, for: .readable) {
            log.add("\(index)")
            for other in watches { other.value?.cancel() }
          }
        }
        // Both are ready in the next wait, because this runs on the loop.
        pipe.write()
      }
      await log.atLeast(1)
      await loop.finishRound()
      #expect(log.events.count == 1)
    }
  }

  @Test func `A cancelled watch releases its handler`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let pipe = Pipe()
      let watch = await loop.run {
        let witness = Witness { log.add("ended") }
        return loop.watch(pipe.reader, for: .readable) { _ = witness }
      }
      await loop.run {
        watch.cancel()
        watch.cancel()
      }
      #expect(log.events == ["ended"])
    }
  }

  @Test func `A writable descriptor ends a wait for writing`() async throws {
    try await withLoop { loop in
      let pipe = Pipe()
      try await loop.ready(pipe.writer, for: .writable)
    }
  }

  @Test(arguments: [Interest.readable, .priority, []])
  func `A hang-up ends a wait for any interest`(_ interest: Interest) async throws {
    try await withLoop { loop in
      let pipe = Pipe()
      pipe.closeWriter()
      try await loop.ready(pipe.reader, for: interest)
    }
  }

  @Test func `Urgent data ends only a wait for priority`() async throws {
    try await withLoop { loop in
      let connection = Connection()
      let log = Recorded<String>()
      let watch = await loop.run {
        loop.watch(connection.receiver, for: .priority) { log.add("urgent") }
      }
      connection.send(flags: 0)
      try await loop.ready(connection.receiver, for: .readable)
      #expect(log.events.isEmpty)
      connection.send(flags: Int32(MSG_OOB))
      #expect(await log.atLeast(1).first == "urgent")
      await loop.run { watch.cancel() }
    }
  }
}

/// A TCP connection over loopback, because TCP has urgent data.
private final class Connection: Sendable {
  let sender: Int32
  let receiver: Int32

  init() {
    let stream = Int32(SOCK_STREAM.rawValue)
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let sender = socket(AF_INET, stream, 0)
    unsafe withUnsafeMutableBytes(of: &address) { bytes in
      guard let name = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else {
        return
      }
      let bound = unsafe bind(listener, name, size)
      let listening = listen(listener, 1)
      let named = unsafe getsockname(listener, name, &size)
      let connected = unsafe connect(sender, name, size)
      precondition((bound, listening, named, connected) == (0, 0, 0, 0))
    }
    self.sender = sender
    receiver = accept(listener, nil, nil)
    close(listener)
  }

  deinit {
    close(sender)
    close(receiver)
  }

  func send(flags: Int32) {
    var byte: UInt8 = 1
    _ = unsafe Glibc.send(sender, &byte, 1, flags)
  }
}
