import Glibc
import OperatingSystem
import TestSupport
import Testing

@Suite struct FileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A published file replaces the old one, and its temporary name is gone`() throws {
    let path = try folder.write("old", to: "photo.jpg")
    let file = try FileDescriptor(path + ".part", O_WRONLY | O_CREAT | O_EXCL)
    unsafe try file.write(Array("new".utf8).span.bytes)
    #expect(try folder.read("photo.jpg") == Array("old".utf8))
    try file.publish(as: path)
    #expect(try folder.names == ["photo.jpg"])
    #expect(try folder.read("photo.jpg") == Array("new".utf8))
  }

  @Test func `A file that cannot be published keeps its temporary name`() throws {
    let part = try folder.write("new", to: "photo.jpg.part")
    let file = try FileDescriptor(part, O_RDONLY)
    #expect(throws: SystemError.self) { try file.publish(as: "\(folder.path)/none/photo.jpg") }
    #expect(try folder.names == ["photo.jpg.part"])
  }

  @Test func `A file that has appeared meanwhile is replaced only on request`() throws {
    let path = try folder.write("mine", to: "photo.jpg")
    let file = try FileDescriptor(folder.write("new", to: "photo.jpg.part"), O_RDONLY)
    let error = #expect(throws: SystemError.self) { try file.publish(as: path, replaces: false) }
    #expect(error?.errno == EEXIST)
    #expect(try folder.read("photo.jpg") == Array("mine".utf8))
    #expect(try folder.names == ["photo.jpg", "photo.jpg.part"])
  }

  /// Calls that take the path `a\0b`. C would take it for `a`.
  private static let callsWithZero: [String: @Sendable (String) throws -> Void] = [
    "open": { _ = try FileDescriptor($0, O_WRONLY | O_TRUNC) },
    "write": { path in
      var file = try FileWriter(path, overwrites: true, Interrupter())
      try file.write(unsafe [1].span.bytes)
      try file.commit()
    },
    "check": { try FileWriter.check($0, overwrites: true, byteCount: 1) },
    "remove": { try Folder.removeFile($0) },
    "move": { try Folder.move($0, to: $0 + "c") },
    "move to": { try Folder.move("\(Folder.parent(of: $0))/other", to: $0) },
    "move to a new name": { path in
      try Folder.move("\(Folder.parent(of: path))/other", to: path, replaces: false)
    },
    "remove below": { path in
      try Folder.removeFile("a\0b", below: Folder.parent(of: path))
    },
    "make a folder": { try Folder.create($0) },
    "make a folder below": { path in try Folder.create("a\0b", below: Folder.parent(of: path)) },
    "list": { _ = try Folder.names(in: $0) },
    "status": { _ = try FileStatus(at: $0) },
    "space": { _ = try DiskSpace(of: $0) },
    "place": { _ = try FilePlace($0) },
  ]

  @Test(arguments: callsWithZero.keys.sorted())
  func `A path with a zero byte is an error, and the file that it begins with stays`(
    call: String
  ) throws {
    try folder.write("mine", to: "a")
    try folder.write("other", to: "other")
    let error = #expect(throws: SystemError.self) {
      try Self.callsWithZero[call]?("\(folder.path)/a\0b")
    }
    #expect(error?.errno == EINVAL)
    #expect(error?.reason == "a path cannot contain a zero byte")
    #expect(error?.description.utf8.contains(0) == false)
    #expect(try folder.read("a") == Array("mine".utf8))
    #expect(try folder.names == ["a", "other"])
  }

  @Test func `Reading returns fewer bytes only at the end of the file`() throws {
    let file = try FileDescriptor(folder.write("0123456789", to: "file"), O_RDONLY)
    #expect(try file.read(at: 3, count: 4) == Array("3456".utf8))
    #expect(try file.read(at: 8, count: 4) == Array("89".utf8))
    #expect(try file.read(at: 10, count: 4).isEmpty)
    #expect(try file.status().byteCount == 10)
  }

  @Test func `A link is only followed on request`() throws {
    let path = try folder.write("bytes", to: "file")
    try folder.link("link", to: path)
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor("\(folder.path)/link", O_RDONLY)
    }
    #expect(error?.errno == ELOOP)
    let file = try FileDescriptor("\(folder.path)/link", O_RDONLY, followsLinks: true)
    #expect(try file.status().identity == FileStatus(at: path).identity)
  }

  @Test func `A locked file cannot be locked again until it is closed`() throws {
    let path = try folder.write("", to: "lock")
    var first = try FileDescriptor(path, O_RDWR)
    var second = try FileDescriptor(path, O_RDWR)
    try first.lock()
    let error = try #require(throws: SystemError.self) { try second.lock() }
    #expect(error.errno == EWOULDBLOCK)
    // As a process has that is just being started.
    let copy = dup(first.rawValue)
    defer { close(copy) }
    try first.close()
    try second.lock()
  }

  @Test func `A folder is created with those above it, and a file in its place is an error`() throws
  {
    let path = "\(folder.path)/a/b/c"
    try Folder.create(path)
    try Folder.create(path)
    #expect(Folder.exists(path))
    let file = try folder.write("", to: "file")
    #expect(!Folder.exists(file))
    let error = #expect(throws: SystemError.self) { try Folder.create(file) }
    #expect(error?.errno == ENOTDIR)
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b", "a")])
  func `The parent of a path is the folder that it is in`(path: String, parent: String) {
    #expect(Folder.parent(of: path) == parent)
  }

  @Test func `The names in a folder are sorted and leave out hidden files`() throws {
    for name in ["b", "a", ".hidden"] { try folder.write("", to: name) }
    #expect(try Folder.names(in: folder.path) == ["a", "b"])
    try Folder.removeFile("\(folder.path)/a")
    try Folder.removeFile("\(folder.path)/a")
    #expect(try Folder.names(in: folder.path) == ["b"])
  }
}
