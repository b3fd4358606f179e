import Glibc
import OperatingSystem
import TestSupport
import Testing

@Suite struct FilePlaceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `Links lead to the file, or to where it will be`() throws {
    try folder.write("bytes", to: "below/file")
    try folder.link("link", to: "below/second")
    try folder.link("below/second", to: "file")
    try folder.link("new", to: "below/none")
    for (name, target) in [("below/file", "file"), ("link", "file"), ("new", "none")] {
      let place = try FilePlace("\(folder.path)/\(name)")
      #expect(place.path == "\(folder.path)/below/\(target)")
      if case .file = place.content {
        #expect(name != "new")
      } else {
        #expect(name == "new" && place.content.isNothing)
      }
    }
  }

  @Test func `A pipe is a stream, also behind a link`() throws {
    let pipe = try folder.makePipe("pipe")
    try folder.link("link", to: "pipe")
    for path in [pipe, "\(folder.path)/link", "/dev/null"] {
      guard case .stream = try FilePlace(path).content else {
        Issue.record("\(path) is no stream")
        continue
      }
    }
  }

  @Test func `A link that leads to itself is an error`() throws {
    try folder.link("loop", to: "loop")
    let error = #expect(throws: SystemError.self) { _ = try FilePlace("\(folder.path)/loop") }
    #expect(error?.errno == ELOOP)
  }

  @Test func `A new file never replaces another one`() throws {
    let path = try folder.write("mine", to: "photo.jpg")
    let file = try FileDescriptor(path + ".part", O_WRONLY | O_CREAT | O_EXCL)
    let error = #expect(throws: SystemError.self) { try file.publish(as: path, replaces: false) }
    #expect(error?.errno == EEXIST)
    #expect(try folder.read("photo.jpg") == Array("mine".utf8))
    try file.publish(as: path + "2", replaces: false)
    #expect(try folder.names == ["photo.jpg", "photo.jpg2"])
  }

  @Test func `A folder that cannot be made is an error and no endless recursion`() throws {
    let error = #expect(throws: SystemError.self) { try Folder.create("/proc/none/at/all") }
    #expect(error?.errno == ENOENT)
  }
}
