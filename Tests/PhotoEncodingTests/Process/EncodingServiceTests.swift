import Foundation
@testable import HEIFEncoding
import Imaging
import OperatingSystem
@testable import PhotoEncoding
import TestSupport
import Testing

/// The process that encodes, without the object that starts it.
struct EncodingServiceTests {
  /// A socket, which is closed with its last reference.
  private final class End {
    let socket: JobSocket

    init(_ descriptor: Int32) { socket = JobSocket(owning: descriptor) }
  }

  /// Two connected sockets.
  private static func sockets() throws -> (ours: End, theirs: End) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try systemCall("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
    return (End(ends[0]), End(ends[1]))
  }

  /// The bytes of a whole job.
  private static func bytes(_ job: PhotoJob) -> [UInt8] {
    PhotoJobHeader(job).bytes + job.picture.bytes + job.exif + job.xmp
  }

  /// Serves these bytes and then the end.
  private static func serve(_ bytes: [UInt8]) throws {
    let (ours, theirs) = try sockets()
    try ours.socket.send(bytes, until: .now + .seconds(10))
    shutdown(ours.socket.descriptor, Int32(SHUT_WR))
    try EncodingService.serve(theirs.socket.descriptor)
  }

  @Test func `Forged streams end with an error and never trap`() throws {
    var random = SeededGenerator(for: "forged jobs")
    let valid = Self.bytes(try .small())
    for _ in 0..<500 {
      var bytes: [UInt8]
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        bytes = (0..<Int.random(in: 24...5000, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      case 1:
        // The job is cut off after its header.
        bytes = Array(valid.prefix(.random(in: 24..<valid.count, using: &random)))
      default:
        bytes = valid
        bytes[.random(in: 0..<4, using: &random)] ^= .random(in: 1...255, using: &random)
      }
      let error = #expect(throws: ImagingError.self, "\(random)") { try Self.serve(bytes) }
      #expect(error?.code == .corrupt, "\(random)")
    }
  }

  @Test func `Changed headers never trap`() throws {
    var random = SeededGenerator(for: "changed headers")
    let valid = Self.bytes(try .small())
    for _ in 0..<500 {
      var bytes = valid
      let place = Int.random(in: 4..<PhotoJobHeader.byteCount, using: &random)
      bytes[place] = .random(in: 0...255, using: &random)
      // What a smaller picture leaves over is the next job, and is none.
      try? Self.serve(bytes)
    }
  }

  @Test func `Garbage after a job does not spoil its file`() throws {
    let (ours, theirs) = try Self.sockets()
    let job = try PhotoJob.small()
    try ours.socket.send(
      Self.bytes(job) + [UInt8](repeating: 7, count: 24), until: .now + .seconds(10))
    #expect(throws: ImagingError.self) { try EncodingService.serve(theirs.socket.descriptor) }
    let head = try ours.socket.receive(PhotoReplyHeader.byteCount, until: .now + .seconds(10))
    let reply = try PhotoReplyHeader(head, of: PhotoJobHeader(job))
    #expect(reply.isFile)
    #expect(
      try ours.socket.receive(reply.count, until: .now + .seconds(10)) == HEIFEncoder.encode(job))
  }

  @Test func `It ends without an error when no job comes for a while`() throws {
    let (ours, theirs) = try Self.sockets()
    let start = MonotonicTime.now
    try EncodingService.serve(theirs.socket.descriptor, idleTime: .milliseconds(100))
    #expect(MonotonicTime.now - start >= .milliseconds(100))
    _ = ours.socket.descriptor
  }

  // MARK: As a program

  /// The node's end of a connection, which goes when it is set to nil.
  private final class Node {
    var end: End?

    init(_ end: End) { self.end = end }
  }

  /// Starts camerad as the encoder, with the other end of the connection.
  private static func start() throws -> (node: Node, process: Process) {
    let (ours, theirs) = try sockets()
    let process = Process()
    process.executableURL = URL(filePath: PhotoEncoder.camerad)
    process.arguments = EncodingService.arguments
    process.standardInput = FileHandle(
      fileDescriptor: theirs.socket.descriptor, closeOnDealloc: false)
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (Node(ours), process)
  }

  @Test func `The program ends at once when the node has gone, also while it encodes`() throws {
    let (node, process) = try Self.start()
    try node.end?.socket.send(Self.bytes(.large()), until: .now + .seconds(30))
    let start = MonotonicTime.now
    node.end = nil
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The file alone takes longer.
    #expect(MonotonicTime.now - start < .seconds(3))
  }

  @Test func `The program ends with an error after bytes that are no job`() throws {
    let (node, process) = try Self.start()
    try node.end?.socket.send([UInt8](repeating: 1, count: 100), until: .now + .seconds(10))
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
  }

  @Test(.enabled(if: ProcessFacts.memoryIsTrue), .timeLimit(.minutes(5)))
  func `The program gives memory back when it has nothing to do`() async throws {
    let encoder = PhotoEncoder()
    let picture = PlanarPicture.noise(ImageSize(width: 1920, height: 1080))
    _ = try encoder.encode(PhotoJob(picture, as: .avif, quality: 80))
    _ = try encoder.encode(.small())
    let process = try #require(encoder.processID)
    let busy = try ProcessFacts.resident(process)
    // Nothing tells the moment, so it is looked at until then, at most this long.
    let end = ContinuousClock.now + .seconds(30)
    var idle = busy
    while idle >= busy - 10 << 20, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(20))
      idle = try ProcessFacts.resident(process)
    }
    #expect(idle < busy - 10 << 20, "\(busy >> 20) MB became \(idle >> 20)")
  }

  @Test(.enabled(if: ProcessFacts.memoryIsTrue))
  func `The program gives memory back at once when it has much`() throws {
    let encoder = PhotoEncoder()
    let picture = PlanarPicture.noise(ImageSize(width: 4000, height: 3000))
    _ = try encoder.encode(PhotoJob(picture, as: .avif, quality: 50))
    let process = try #require(encoder.processID)
    #expect(try ProcessFacts.resident(process) < 128 << 20)
  }

  @Test func `The program leaves the machine to others, and its end to the node`() throws {
    let encoder = PhotoEncoder()
    // Without O_CLOEXEC a program that is started gets the file.
    let file = unsafe open("/etc/hostname", O_RDONLY)
    defer { close(file) }
    _ = try encoder.encode(.small())
    let process = try #require(encoder.processID)
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    #expect(getpriority(which, id_t(process)) == min(19, getpriority(which, 0) + 10))
    #expect(try ProcessFacts.text(process, "oom_score_adj") == "500\n")
    let files = try ProcessFacts.descriptors(process)
    #expect(files[0]?.hasPrefix("socket:") == true)
    #expect(files[1] == "/dev/null")
    #expect(!files.values.contains("/etc/hostname"))
    for signal in [SIGINT, SIGTERM, SIGHUP] { kill(process, signal) }
    _ = try encoder.encode(.small())
    #expect(encoder.processID == process)
  }
}
