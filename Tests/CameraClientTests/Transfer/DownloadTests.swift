import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
  /// Twenty chunks, of which eight may be under way.
  private static let chunk = 1000
  private static let bytes = (0..<20 * chunk).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func `Kept chunks earn credit for more, and the file is complete at the end`()
    async throws
  {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let done: Void = bus.download(asset, to: path)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.download.credit == 8)
      var credit = 8
      for offset in stride(from: 0, to: Self.bytes.count, by: Self.chunk) {
        if credit == 0 {
          // It comes because chunks were kept.
          let grant = try #require(await requests.next())
          #expect(grant.request.downloadCredit.download == request.id.data)
          credit += Int(grant.request.downloadCredit.chunks)
        }
        credit -= 1
        try await node.send(Self.bytes, from: offset, Self.chunk, to: request)
      }
      try await node.reply(to: request, .download(.init()), index: 1000)
      try await done
      #expect(file.bytes == Self.bytes)
      #expect(!file.hasPart)
    }
  }

  @Test func `A download goes on where it was when its connection broke`() async throws {
    try await withFakeNode { node, bus in
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let data = bus.data(of: asset)
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      let taken = try await node.sendFirst(Self.bytes, Self.chunk, to: first)
      // The credit shows that the chunks are kept.
      let credit = try #require(await requests.next()).request.downloadCredit
      #expect(Int(credit.chunks) == DownloadWindow.grant)
      try await node.comeBack()
      // The rest of the broken download is cancelled.
      #expect(try #require(await requests.next()).request.cancel.request == first.id.data)
      let second = try #require(await requests.next())
      #expect(second.id != first.id)
      #expect(second.request.download.offset == UInt64(taken))
      try await node.send(Self.bytes, from: taken, Self.bytes.count - taken, to: second)
      try await node.reply(to: second, .download(.init()), index: 30_000)
      #expect(try await data == Self.bytes)
    }
  }

  @Test func `A download goes on over a new connection when the old one dies silently`()
    async throws
  {
    try await withFakeNode { node, bus in
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let data = bus.data(of: asset)
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      let taken = try await node.sendFirst(Self.bytes, Self.chunk, to: first)
      // The credit shows that the chunks are kept.
      let credit = try #require(await requests.next()).request.downloadCredit
      #expect(Int(credit.chunks) == DownloadWindow.grant)
      await node.goDeaf(to: first.client)
      #expect(try #require(await requests.next()).request.cancel.request == first.id.data)
      let second = try #require(await requests.next())
      #expect(second.request.download.offset == UInt64(taken))
      try await node.send(Self.bytes, from: taken, Self.bytes.count - taken, to: second)
      try await node.reply(to: second, .download(.init()), index: 30_000)
      #expect(try await data == Self.bytes)
    }
  }

  @Test func `A download that fails leaves its part for the next one`() async throws {
    try await withFakeNode(requestTimeout: .milliseconds(300)) { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let error = failure { () throws(CameraBusError) in
        try await bus.download(asset, to: path)
      }
      var requests = node.requests.makeAsyncIterator()
      try await node.send(Self.bytes, from: 0, Self.chunk, to: #require(await requests.next()))
      #expect(await error?.code == .timedOut)
      #expect(file.part == Array(Self.bytes.prefix(Self.chunk)))
      #expect(file.bytes == nil)
    }
  }

  @Test func `A part that another program left is continued`() async throws {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      try file.writePart(Self.bytes.prefix(5 * Self.chunk))
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let done: Void = bus.download(asset, to: path)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.download.offset == UInt64(5 * Self.chunk))
      try await node.send(Self.bytes, from: 5 * Self.chunk, 15 * Self.chunk, to: request)
      try await node.reply(to: request, .download(.init()), index: 30_000)
      try await done
      #expect(file.bytes == Self.bytes)
      #expect(!file.hasPart)
    }
  }

  @Test(arguments: [1, chunk, 20 * chunk, 21 * chunk])
  func `A part of another file costs time and no more`(count: Int) async throws {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      try file.writePart([UInt8](repeating: 7, count: count)[...])
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let done: Void = bus.download(asset, to: path)
      let answering = Task {
        for await request in node.requests {
          guard case .download(let download)? = request.request.body else { continue }
          let offset = Int(download.offset)
          if offset < Self.bytes.count {
            try await node.send(Self.bytes, from: offset, Self.bytes.count - offset, to: request)
          }
          try await node.reply(to: request, .download(.init()), index: 30_000)
        }
      }
      try await done
      #expect(file.bytes == Self.bytes)
      #expect(!file.hasPart)
      answering.cancel()
      try await answering.value
    }
  }

  @Test func `Two downloads never write one file at a time`() async throws {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let done: Void = bus.download(asset, to: path)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let error = await failure { () throws(CameraBusError) in
        try await bus.download(asset, to: path)
      }
      #expect(error?.code == .conflict)
      #expect(error?.message.contains(path) == true)
      try await node.send(Self.bytes, from: 0, Self.bytes.count, to: request)
      try await node.reply(to: request, .download(.init()), index: 2)
      try await done
      #expect(file.bytes == Self.bytes)
    }
  }

  @Test func `Bytes with another digest than the library's leave no file`() async throws {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let error = failure { () throws(CameraBusError) in
        try await bus.download(asset, to: path)
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let wrong = [UInt8](repeating: 0, count: Self.bytes.count)
      try await node.send(wrong, from: 0, wrong.count, to: request)
      try await node.reply(to: request, .download(.init()), index: 2)
      #expect(await error?.code == .hashMismatch)
      #expect(file.bytes == nil)
      #expect(!file.hasPart)
    }
  }

  @Test func `A chunk out of order ends the download`() async throws {
    try await withFakeNode { node, bus in
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let error = failure { () throws(CameraBusError) in _ = try await bus.data(of: asset) }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.send(Self.bytes, from: Self.chunk, Self.chunk, to: request)
      #expect(await error?.code == .protocolViolation)
      // The rest is cancelled at the node.
      let cancel = try #require(await requests.next())
      #expect(cancel.request.cancel.request == request.id.data)
    }
  }

  @Test func `A file that is too large for the disk is refused before the download begins`()
    async throws
  {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      var wire = WireAsset.asset(Self.bytes)
      wire.byteCount = 1 << 62
      let asset = try #require(Asset(wire))
      let path = file.path
      let error = await failure { () throws(CameraBusError) in
        try await bus.download(asset, to: path)
      }
      #expect(error?.code == .storageFull)
      #expect(error?.message.contains(path) == true)
    }
  }

  @Test func `Progress reports the newest number of bytes, and all bytes at the end`()
    async throws
  {
    try await withFakeNode { node, bus in
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let counts = {
        var counts: [UInt64] = []
        _ = try await bus.data(of: asset) { counts.append($0.byteCount) }
        return counts
      }()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      // As many as the first credit allows.
      let size = Self.bytes.count / DownloadWindow.credit
      for offset in stride(from: 0, to: Self.bytes.count, by: size) {
        try await node.send(Self.bytes, from: offset, size, to: request)
      }
      try await node.reply(to: request, .download(.init()), index: 30_000)
      let told = try await counts
      #expect(told == told.sorted())
      #expect(told.last == UInt64(Self.bytes.count))
    }
  }

  @Test func `A download of a deleted asset is not tried again`() async throws {
    try await withFakeNode { node, bus in
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let error = failure { () throws(CameraBusError) in _ = try await bus.data(of: asset) }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, .error(WireError(.noSuchAsset, "it is gone")))
      #expect(await error?.code == .noSuchAsset)
    }
  }

  @Test(arguments: [("/nowhere/a.jpg", "does not exist"), ("/", "folder")])
  func `A path that cannot be written is refused before the download begins`(
    path: String, remedy: String
  ) async throws {
    try await withFakeNode { _, bus in
      let asset = try #require(Asset(.asset(Self.bytes)))
      let error = await failure { () throws(CameraBusError) in
        try await bus.download(asset, to: path)
      }
      #expect(error?.code == .storageFailed)
      #expect(error?.message.contains(path) == true)
      #expect(error?.message.contains(remedy) == true)
    }
  }
}

extension FakeNode {
  /// Sends one chunk of the bytes.
  func send(_ bytes: [UInt8], from offset: Int, _ count: Int, to request: Incoming) throws {
    try chunk(bytes[offset..<offset + count], of: bytes.count, to: request)
  }

  /// Sends as many first chunks as one credit is given for.
  /// - Returns: The number of their bytes.
  func sendFirst(_ bytes: [UInt8], _ chunk: Int, to request: Incoming) throws -> Int {
    for index in 0..<DownloadWindow.grant {
      try send(bytes, from: index * chunk, chunk, to: request)
    }
    return DownloadWindow.grant * chunk
  }

  func chunk(_ bytes: ArraySlice<UInt8>, of total: Int, to request: Incoming) throws {
    try reply(
      to: request,
      .chunk(
        .with {
          $0.offset = UInt64(bytes.startIndex)
          $0.total = UInt64(total)
        }
      ),
      index: UInt32(bytes.startIndex + 1),
      isFinal: false,
      attachment: Array(bytes)
    )
  }
}
