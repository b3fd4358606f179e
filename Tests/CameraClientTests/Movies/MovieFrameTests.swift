import CameraClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MovieFrameTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func frames(in bytes: [UInt8]) async throws -> [MovieFrame] {
    var frames: [MovieFrame] = []
    for try await frame in MovieFrameSequence(of: try folder.write(bytes, to: "movie.mkv")) {
      frames.append(frame)
    }
    return frames
  }

  private func numbers(in bytes: [UInt8]) async throws -> [UInt64] {
    try await frames(in: bytes).map(\.sequence)
  }

  @Test func `A frame has its number and its exact times`() async throws {
    let frames = try await frames(in: TestMovie.bytes(frames: [5, 6, 8]))
    #expect(frames.map(\.sequence) == [5, 6, 8])
    #expect(frames.map(\.monotonic.nanoseconds) == [5001, 6001, 8001])
    #expect(frames.map(\.wall.nanoseconds) == [5002, 6002, 8002])
    #expect(frames.map(\.playTime) == [1005, 1006, 1008].map { .milliseconds($0) })
  }

  @Test func `A long movie is read in steps`() async throws {
    #expect(try await numbers(in: TestMovie.bytes(frames: 0..<6000)) == Array(0..<6000))
  }

  @Test func `A movie that is cut off has the frames before the cut`() async throws {
    let bytes = TestMovie.bytes(frames: [1, 2, 3])
    for count in stride(from: TestMovie.header.count, through: bytes.count, by: 7) {
      let numbers = try await numbers(in: Array(bytes.prefix(count)))
      #expect(numbers == Array([1, 2, 3].prefix(numbers.count)))
    }
    #expect(try await numbers(in: Array(bytes.dropLast())) == [1, 2])
  }

  /// What comes behind an element that lies cannot be found, and what comes before it stays.
  @Test(arguments: [0xE7, 0xA1, 0xA5, 0xEC, 0xA6, 0x1F43_B675] as [UInt64])
  func `A size that is a lie is not believed`(element: UInt64) async throws {
    for size in [1 << 20, 1 << 40, (1 << 56) - 2, (1 << 56) - 1] as [UInt64] {
      let lie = TestMovie.element(element, [UInt8](repeating: 1, count: 40), size: size)
      let bytes = TestMovie.bytes(frames: [1, 2]) + lie + TestMovie.frame(3)
      #expect(try await numbers(in: bytes).starts(with: [1, 2]))
    }
  }

  @Test func `A movie that is still written has folders without a size`() async throws {
    let unknown: UInt64 = (1 << 56) - 1
    let cluster = TestMovie.cluster(milliseconds: 10, TestMovie.frame(1))
    let open = TestMovie.element(0x1F43_B675, TestMovie.frame(2), size: unknown)
    let bytes = TestMovie.header + TestMovie.element(0x1853_8067, cluster + open, size: unknown)
    #expect(try await numbers(in: bytes) == [1, 2])
  }

  @Test func `Any bytes at all are read to an end`() async throws {
    var random = SeededGenerator(for: "movie frames")
    for _ in 0..<200 {
      var bytes = TestMovie.bytes(frames: [1, 2, 3])
      for _ in 0..<20 {
        bytes[.random(in: TestMovie.header.count..<bytes.count, using: &random)] =
          .random(in: 0...255, using: &random)
      }
      _ = try await frames(in: bytes)
    }
  }

  @Test func `What is no movie is refused`() async throws {
    let text = try folder.write("a text", to: "a.mkv")
    let empty = try folder.write("", to: "b.mkv")
    let mistakes: [(String, CameraBusError.Code)] = [
      (text, .unsupportedFormat), (empty, .unsupportedFormat), (folder.path, .storageFailed),
      ("/nowhere/a.mkv", .storageFailed),
    ]
    for (path, code) in mistakes {
      let error = await failure { () throws(CameraBusError) in
        for try await _ in MovieFrameSequence(of: path) {}
      }
      #expect(error?.code == code)
      #expect(error?.message.contains(path) == true)
    }
  }
}
