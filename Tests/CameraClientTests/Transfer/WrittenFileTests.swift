import CameraProtocol
import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import CameraClient

/// Files that the client writes: never over another file unasked, and never without an end.
@Suite(.timeLimit(.minutes(5)))
struct WrittenFileTests {
  private static func photo(_ bytes: [UInt8]) -> Photo {
    Photo(
      requestID: Identifier(RequestID.random()), resolved: nil,
      files: [PhotoFile(mediaType: "image/jpeg", data: bytes, asset: nil, sha256: "", layout: nil)])
  }

  @Test func `A photo replaces a file on request only`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("mine", to: "photo.jpg")
    let error = await failure { () throws(CameraBusError) in
      try await Self.photo([1, 2]).write(to: path)
    }
    #expect(error?.code == .fileExists)
    #expect(try folder.read("photo.jpg") == Array("mine".utf8))
    try await Self.photo([1, 2]).write(to: path, overwrites: true)
    #expect(try folder.read("photo.jpg") == [1, 2])
    #expect(try folder.names == ["photo.jpg"])
  }

  @Test func `A path with a zero byte is refused, and the file that it begins with stays`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write("mine", to: "a") + "\0b"
    try await withFakeNode { _, bus in
      let asset = try #require(Asset(.asset([1, 2])))
      let errors = [
        await failure { () throws(CameraBusError) in
          try await Self.photo([1]).write(to: path, overwrites: true)
        },
        await failure { () throws(CameraBusError) in
          try await bus.download(asset, to: path, overwrites: true)
        },
        await failure { () throws(CameraBusError) in
          for try await _ in MovieFrameSequence(of: path) {}
        },
        await failure { () throws(CameraBusError) in _ = try CameraBus("ipc://\(path)") },
        await failure { () throws(CameraBusError) in
          _ = try Credentials(keyFile: path, nodeKeyFile: path)
        },
      ]
      #expect(errors.map { $0?.code } == Array(repeating: .invalidArgument, count: 5))
    }
    #expect(try folder.read("a") == Array("mine".utf8))
    #expect(try folder.names == ["a"])
  }

  @Test func `A download into a file that exists is refused before it begins`() async throws {
    try await withFakeNode { _, bus in
      let folder = try TemporaryFolder()
      let path = try folder.write("mine", to: "photo.jpg")
      let asset = try #require(Asset(.asset([1, 2])))
      let error = await failure { () throws(CameraBusError) in
        try await bus.download(asset, to: path)
      }
      #expect(error?.code == .fileExists)
      #expect(try folder.read("photo.jpg") == Array("mine".utf8))
      #expect(try folder.names == ["photo.jpg"])
    }
  }

  @Test func `A photo that waits for the reader of a pipe can be cancelled`() async throws {
    let folder = try TemporaryFolder()
    let pipe = try folder.makePipe("pipe")
    let writing = Task { () -> CameraBusError? in
      await failure { () throws(CameraBusError) in
        try await Self.photo([1, 2]).write(to: pipe)
      }
    }
    writing.cancel()
    #expect(await writing.value?.code == .cancelled)
    withExtendedLifetime(folder) {}
  }

  @Test func `A photo that waits for room in a pipe can be cancelled`() async throws {
    let folder = try TemporaryFolder()
    let pipe = try folder.makePipe("pipe")
    let reader = try FileDescriptor(pipe, O_RDONLY | O_NONBLOCK)
    let writing = Task { () -> CameraBusError? in
      await failure { () throws(CameraBusError) in
        try await Self.photo([UInt8](repeating: 7, count: 1 << 20)).write(to: pipe)
      }
    }
    // The pipe is full soon after its first bytes.
    var events = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
    try systemCall("poll") { unsafe poll(&events, 1, -1) }
    writing.cancel()
    #expect(await writing.value?.code == .cancelled)
    withExtendedLifetime(folder) {}
    _ = consume reader
  }

  @Test func `A download that waits for the reader of a pipe can be cancelled`() async throws {
    try await withFakeNode { _, bus in
      let folder = try TemporaryFolder()
      let pipe = try folder.makePipe("pipe")
      let asset = try #require(Asset(.asset([1, 2])))
      let download = Task { () -> CameraBusError? in
        await failure { () throws(CameraBusError) in
          try await bus.download(asset, to: pipe)
        }
      }
      download.cancel()
      #expect(await download.value?.code == .cancelled)
      withExtendedLifetime(folder) {}
    }
  }

  @Test(arguments: ["", "a b", "a/b", "kamera-ö", String(repeating: "a", count: 33)])
  func `A text that is no camera's name is refused before anything is sent`(
    name: String
  ) async throws {
    try await withFakeNode { _, bus in
      let camera = await failure { () throws(CameraBusError) in _ = try bus.camera(name) }
      let assets = await failure { () throws(CameraBusError) in
        _ = try await bus.assets(AssetFilter(camera: name))
      }
      for error in [camera, assets] {
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "camera")
        #expect(error?.message.contains("1 to 32 letters") == true)
      }
    }
  }
}
