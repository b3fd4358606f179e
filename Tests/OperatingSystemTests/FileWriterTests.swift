import Foundation
import Glibc
import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FileWriterTests {
  private let folder: TemporaryFolder
  private let interrupter: Interrupter

  init() throws {
    folder = try TemporaryFolder()
    interrupter = try Interrupter()
  }

  @Test func `A file appears when it is complete, and its part goes when it is not`() throws {
    let path = "\(folder.path)/file"
    do {
      var file = try FileWriter(path, overwrites: false, interrupter)
      try file.write(unsafe Array("bytes".utf8).span.bytes)
      #expect(try folder.names == ["file.camerabus.part"])
      try file.commit()
    }
    #expect(try folder.names == ["file"])
    do {
      var file = try FileWriter(path, overwrites: true, interrupter)
      try file.write(unsafe Array("other".utf8).span.bytes)
    }
    #expect(try folder.names == ["file"])
    #expect(try folder.read("file") == Array("bytes".utf8))
  }

  @Test func `A file that exists is replaced on request only`() throws {
    let path = try folder.write("mine", to: "file")
    let error = #expect(throws: SystemError.self) {
      _ = try FileWriter(path, overwrites: false, interrupter)
    }
    #expect(error?.errno == EEXIST)
    #expect(try folder.names == ["file"])
    #expect(try folder.read("file") == Array("mine".utf8))
  }

  @Test func `Another file that ends in part stays, and special bits do not`() throws {
    let path = try folder.write("program", to: "file")
    try folder.write("mine", to: "file.part")
    #expect(unsafe chmod(path, 0o4755) == 0)
    var file = try FileWriter(path, overwrites: true, interrupter)
    try file.write(unsafe Array("new".utf8).span.bytes)
    try file.commit()
    #expect(try FileStatus(at: path).permissions == 0o755)
    #expect(try folder.read("file") == Array("new".utf8))
    #expect(try folder.read("file.part") == Array("mine".utf8))
  }

  @Test func `A part with another name is not written to`() throws {
    let mine = try folder.write("mine", to: "mine")
    #expect(unsafe link(mine, "\(folder.path)/file.camerabus.part") == 0)
    let error = #expect(throws: SystemError.self) {
      _ = try FileWriter("\(folder.path)/file", overwrites: true, interrupter)
    }
    #expect(error?.errno == EEXIST)
    #expect(try folder.read("mine") == Array("mine".utf8))
  }

  @Test func `What takes the place of a part is not put in the file's place`() throws {
    let part = "\(folder.path)/file.camerabus.part"
    let mine = try folder.write("mine", to: "mine")
    let error = #expect(throws: SystemError.self) {
      var file = try FileWriter("\(folder.path)/file", overwrites: false, interrupter)
      try file.write(unsafe Array("bytes".utf8).span.bytes)
      try FileManager.default.removeItem(atPath: part)
      try folder.link("file.camerabus.part", to: mine)
      try file.commit()
    }
    #expect(error?.errno == EEXIST)
    #expect(try folder.read("mine") == Array("mine".utf8))
  }

  @Test func `Waiting for the reader of a pipe can be interrupted`() throws {
    let pipe = try folder.makePipe("pipe")
    interrupter.interrupt()
    let error = #expect(throws: SystemError.self) {
      _ = try FileWriter(pipe, overwrites: false, interrupter)
    }
    #expect(error?.errno == ECANCELED)
  }

  @Test func `Waiting for room in a pipe can be interrupted`() throws {
    let pipe = try folder.makePipe("pipe")
    let reader = try FileDescriptor(pipe, O_RDONLY | O_NONBLOCK)
    var file = try FileWriter(pipe, overwrites: false, interrupter)
    interrupter.interrupt()
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    do throws(SystemError) {
      try file.write(unsafe bytes.span.bytes)
      Issue.record("a pipe without a reader took everything")
    } catch {
      #expect(error.errno == ECANCELED)
    }
    _ = consume reader
  }

  @Test func `A pipe is read to the end of what its writer writes`() async throws {
    let pipe = try folder.makePipe("pipe")
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let writing = Task.detached { [interrupter] in
      var file = try FileWriter(pipe, overwrites: false, interrupter)
      try file.write(unsafe bytes.span.bytes)
      try file.commit()
    }
    #expect(try FileDescriptor.readAll(pipe, upTo: 1 << 20, interrupter) == bytes)
    try await writing.value
  }

  @Test func `No more is read than the limit`() throws {
    let path = try folder.write([UInt8](repeating: 7, count: 1000), to: "file")
    #expect(try FileDescriptor.readAll(path, upTo: 1000, interrupter).count == 1000)
    for (path, limit) in [(path, 999), ("/dev/zero", 1 << 20)] {
      let error = #expect(throws: SystemError.self) {
        _ = try FileDescriptor.readAll(path, upTo: limit, interrupter)
      }
      #expect(error?.errno == EFBIG)
    }
  }

  @Test func `Waiting for the writer of a pipe can be interrupted`() throws {
    let pipe = try folder.makePipe("pipe")
    interrupter.interrupt()
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor.readAll(pipe, upTo: 10, interrupter)
    }
    #expect(error?.errno == ECANCELED)
  }
}
