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
