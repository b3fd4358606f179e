import EventLoop
import Foundation
import GRDB
import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import MediaLibrary

@Suite struct OpeningTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A missing folder is created, with the folders above it`() async throws {
    let loop = EventLoop(name: "library test")
    defer { loop.stop() }
    let library = try MediaLibrary(folder: folder.path + "/a/b/c/", loop: loop)
    #expect(try await library.open() == [])
    #expect(library.folder == folder.path + "/a/b/c")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/a/b/c/library.sqlite"))
    await library.close()
  }

  @Test func `The folder's path is absolute, because others read it elsewhere`() throws {
    let loop = EventLoop(name: "library test")
    defer { loop.stop() }
    let here = FileManager.default.currentDirectoryPath
    #expect(try MediaLibrary(folder: "photos/", loop: loop).folder == "\(here)/photos")
  }

  @Test func `A second library in one folder is refused until the first is closed`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      let error = await #expect(throws: MediaLibraryError.self) {
        try await folder.withLibrary { _, _ in }
      }
      #expect(error?.code == .inUse)
      #expect(error?.message.contains("this process (\(getpid()))") == true)
      await library.close()
      try await folder.withLibrary { _, findings in #expect(findings == []) }
    }
  }

  @Test func `The error does not name a process that has ended`() async throws {
    let ended = Process()
    ended.executableURL = URL(filePath: "/bin/true")
    try ended.run()
    ended.waitUntilExit()
    let path = try folder.write("\(ended.processIdentifier)\n", to: ".lock")
    var holder = try FileDescriptor(path, O_RDWR)
    try holder.lock()
    let error = await #expect(throws: MediaLibraryError.self) {
      try await folder.withLibrary { _, _ in }
    }
    #expect(error?.message.hasPrefix("another process uses the library") == true)
    try holder.close()
  }

  @Test func `What a process that was killed left behind may hold the lock a moment longer`()
    async throws
  {
    let ended = Process()
    ended.executableURL = URL(filePath: "/bin/true")
    try ended.run()
    ended.waitUntilExit()
    let path = try folder.write("\(ended.processIdentifier)\n", to: ".lock")
    let holder = Process()
    holder.executableURL = URL(filePath: "/usr/bin/env")
    holder.arguments = ["flock", path, "sh", "-c", "echo held; exec sleep 0.1"]
    let output = Pipe()
    holder.standardOutput = output
    try holder.run()
    _ = try output.someBytes()
    try await folder.withLibrary { _, findings in #expect(findings == []) }
    holder.waitUntilExit()
  }

  @Test func `The lock and the index are for the node's user alone, those of an older library too`()
    async throws
  {
    let names = [".lock", "library.sqlite", "library.sqlite-wal"]
    func check() throws {
      for name in names {
        #expect(try FileStatus(at: "\(folder.path)/\(name)").permissions == 0o600, "\(name)")
      }
    }
    try await folder.withLibrary { _, _ in try check() }
    for name in names {
      // A killed node leaves the log of changes.
      if !FileStatus.exists("\(folder.path)/\(name)") { try folder.write("", to: name) }
      try #require(unsafe chmod("\(folder.path)/\(name)", 0o666) == 0)
    }
    try await folder.withLibrary { _, _ in try check() }
  }

  @Test func `The error names another process that has the library open`() async throws {
    try folder.write("", to: ".lock")
    let holder = Process()
    holder.executableURL = URL(filePath: "/usr/bin/env")
    // The process reports the lock and holds it until its standard input ends.
    holder.arguments = [
      "flock", folder.path + "/.lock", "sh", "-c",
      "echo $$ > '\(folder.path)/.lock'; echo $$; read -r _",
    ]
    let (input, output) = (Pipe(), Pipe())
    holder.standardInput = input
    holder.standardOutput = output
    try holder.run()
    defer {
      input.fileHandleForWriting.closeFile()
      holder.waitUntilExit()
    }
    let said = String(decoding: try output.someBytes(), as: UTF8.self)
    let process = said.trimmingCharacters(in: .newlines)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await folder.withLibrary { _, _ in }
    }
    #expect(error?.code == .inUse)
    #expect(error?.message.hasPrefix("process \(process) uses the library") == true)
  }

  @Test func `A file in the folder's place is reported as such`() async throws {
    try folder.write("", to: "file")
    for path in ["/file", "/file/below"] {
      let error = await opening(folder.path + path)
      #expect(error?.code == .notAFolder)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `The error for a folder without write permission names the user and the remedy`()
    async throws
  {
    _ = unsafe chmod(folder.path, 0o555)
    let error = await opening(folder.path)
    #expect(error?.code == .permissionDenied)
    #expect(error?.message.contains("user \(geteuid())") == true)
  }

  @Test(arguments: ["", "a\0b"])
  func `A folder without a name is refused`(name: String) async throws {
    let error = await opening(name)
    #expect(error?.code == .invalidArgument)
  }

  @Test(
    arguments: [".lock", "library.sqlite", "library.sqlite-wal"],
    ["link", "second name", "pipe", "folder"])
  func `What is in the place of one of the library's own files is refused and left alone`(
    name: String, kind: String
  ) async throws {
    let other = try TemporaryFolder()
    try other.write("mine", to: "file")
    _ = unsafe chmod("\(other.path)/file", 0o644)
    let place = "\(folder.path)/\(name)"
    switch kind {
    case "link": try folder.link(name, to: "\(other.path)/file")
    case "second name": try #require(unsafe link("\(other.path)/file", place) == 0)
    case "pipe": _ = try folder.makePipe(name)
    default: try folder.makeFolder(name, mode: 0o755)
    }
    let error = await opening(folder.path)
    #expect(error?.code == .storageFailed)
    #expect(error?.message.contains(place) == true)
    #expect(String(decoding: try other.read("file"), as: UTF8.self) == "mine")
    #expect(try FileStatus(at: "\(other.path)/file").permissions == 0o644)
  }

  @Test func `An index of a later version is left alone and named`() async throws {
    try await folder.withLibrary { _, _ in }
    let index = try DatabaseQueue(path: folder.path + "/library.sqlite")
    try await index.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('from the future')")
    }
    try index.close()
    let error = await opening(folder.path)
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("choose another folder") == true)

    let copy = "library-schema-\(try #require(DatabaseMigrator.assets.migrations.last)).sqlite"
    try folder.write("the index of before", to: copy)
    #expect(await opening(folder.path)?.message.contains("rename \(copy)") == true)
  }

  @Test func `Unfinished files of a crash are set aside or deleted`() async throws {
    try await folder.withLibrary { _, _ in }
    let (photo, movie) = ("\(Self.name)1.jpg", "\(Self.name)2.mkv")
    try folder.write("half a photo", to: ".incoming/\(photo)")
    try folder.write("half a movie", to: ".incoming/\(movie)")
    let other = "\(Self.name)3.mp4"
    try folder.write("half of another", to: ".incoming/\(other)")
    try folder.write("half a copy", to: ".incoming/\(movie).part")
    try await folder.withLibrary { (library, findings) async throws in
      #expect(
        findings == [
          .deletedBeginning(path: ".incoming/\(photo)"),
          .setAside(path: "set-aside/\(movie)"),
          .deletedBeginning(path: ".incoming/\(movie).part"),
          .setAside(path: "set-aside/\(other)"),
        ]
      )
      #expect(try folder.files.sorted() == ["set-aside/\(movie)", "set-aside/\(other)"])
      #expect(try folder.read("set-aside/\(movie)") == Array("half a movie".utf8))
      #expect(try await library.totals().count == 0)
      #expect(try await library.unfinishedMovies() == [])
    }
    try await folder.withLibrary { _, findings in #expect(findings == []) }
  }

  /// The name of a photo or movie without its last digit.
  private static let name = "front-20260504T101112.345Z-0123456"

  @Test func `Files that the library did not write stay where they are`() async throws {
    try await folder.withLibrary { _, _ in }
    let taken = "\(Self.name)0.mkv"
    try folder.write("mine", to: ".incoming/notes.txt")
    try folder.write("mine", to: ".incoming/front-1.mkv")
    try folder.write("mine", to: ".incoming/\(Self.name)3.jpg/in a folder")
    try folder.link(".incoming/\(Self.name)4.jpg", to: folder.path + "/library.sqlite")
    try folder.write("another", to: ".incoming/\(taken)")
    try folder.write("mine", to: "set-aside/\(taken)")
    // This name is no UTF-8.
    let odd: [UInt8] = Array("\(folder.path)/.incoming/".utf8) + [0xff, 0]
    let descriptor = unsafe odd.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe creat($0.baseAddress!, 0o600) }
    }
    #expect(descriptor >= 0)
    close(descriptor)
    try await folder.withLibrary { (_, findings) async throws in
      #expect(findings == [.foreign(count: 6, first: ".incoming/front-1.mkv")])
      #expect(try folder.read("set-aside/\(taken)") == Array("mine".utf8))
      #expect(try folder.read(".incoming/\(taken)") == Array("another".utf8))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/.incoming").count == 6)
    }
  }

  @Test func `A link in the place of the folder of beginnings is refused`() async throws {
    let other = try TemporaryFolder()
    let name = "\(Self.name)0.jpg"
    try other.write("mine", to: name)
    try folder.link(".incoming", to: other.path)
    #expect(await opening(folder.path)?.code == .notAFolder)
    #expect(try other.names == [name])
  }

  @Test(arguments: ["elsewhere", "nowhere", "cam"])
  func `A link in the place of a camera's or a day's folder is not followed`(
    target: String
  ) async throws {
    let other = try TemporaryFolder()
    for path in ["elsewhere/day/foreign", "elsewhere/foreign"] { try other.write("", to: path) }
    try folder.link("cam", to: target == "cam" ? target : "\(other.path)/\(target)")
    try folder.link("other/day", to: target == "cam" ? "day" : "\(other.path)/\(target)")
    try await folder.withLibrary { _, findings in #expect(findings.isEmpty) }
  }

  @Test func `Assets behind a link that came later are not missing`() async throws {
    let asset = try await folder.withLibrary { library, _ in
      try await library.storePhoto([1], .photo())
    }
    let other = try TemporaryFolder()
    let camera = String(asset.relativePath.prefix { $0 != "/" })
    try FileManager.default.moveItem(
      atPath: "\(folder.path)/\(camera)", toPath: "\(other.path)/\(camera)")
    try folder.link(camera, to: "\(other.path)/\(camera)")
    try await folder.withLibrary { _, findings in #expect(findings.isEmpty) }
  }

  @Test
  func `Missing files are reported once, and once more when they are back`()
    async throws
  {
    let (gone, other) = try await folder.withLibrary { library, _ in
      (try await library.storePhoto([1], .photo()), try await library.storePhoto([2], .photo()))
    }
    try FileManager.default.removeItem(atPath: folder.path + "/" + gone.relativePath)
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.missing(count: 1, first: gone.relativePath)])
      #expect(try await library.totals().count == 1)
      #expect(try await library.asset(gone.id)?.condition == .missing)
      #expect(try await library.asset(other.id)?.condition == .intact)
    }
    try await folder.withLibrary { _, findings in #expect(findings == []) }
    try folder.write("\u{1}", to: gone.relativePath)
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.returned(count: 1, first: gone.relativePath)])
      #expect(try await library.totals().count == 2)
      #expect(try await library.bytes(of: gone) == [1])
    }
  }

  @Test func `Files that the index does not know are reported and left alone`() async throws {
    try folder.write("b", to: "front/2026-05-04/b.jpg")
    try folder.write("a", to: "front/2026-05-04/a.jpg")
    try folder.write("mine", to: "notes.txt")
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.unlisted(count: 2, first: "front/2026-05-04/a.jpg")])
      #expect(try folder.files.count == 3)
      #expect(try await library.totals().count == 0)
    }
  }

  private func opening(_ path: String) async -> MediaLibraryError? {
    let loop = EventLoop(name: "library test")
    defer { loop.stop() }
    return await #expect(throws: MediaLibraryError.self) {
      try await MediaLibrary(folder: path, loop: loop).open()
    }
  }
}
