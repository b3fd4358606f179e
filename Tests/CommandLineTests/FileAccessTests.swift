import Foundation
import OperatingSystem
import TestSupport
import Testing

/// Who may use the files and sockets of a node.
@Suite(.timeLimit(.minutes(5)))
struct FileAccessTests {
  @Test func `What a node makes is for its own user alone`() async throws {
    let access = try await access([])
    for (name, mode) in [
      ("new", "700"), ("new/library", "700"), ("new/library/cam", "700"),
      ("new/library/cam/*", "700"), ("new/library/cam/*/*.jpg", "600"),
      ("new/library/cam/*/*.mkv", "600"), ("new/library/.incoming", "700"),
      ("run", "700"), ("run/ipc", "700"), ("run/ipc/control", "700"), ("run/ipc/events", "700"),
      ("run/ipc/frames", "700"),
    ] + Self.privateFiles {
      #expect(access[name]?.mode == mode, "\(name)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files to other groups"))
  func `A group may read photos and movies, change none, and use the sockets`() async throws {
    let access = try await access(["--group", "daemon"])
    for (name, mode) in [
      ("new", "750"), ("new/library", "2750"), ("new/library/cam", "2750"),
      ("new/library/cam/*", "2750"), ("new/library/cam/*/*.jpg", "640"),
      ("new/library/cam/*/*.mkv", "640"), ("new/library/.incoming", "2750"), ("run", "750"),
      ("run/ipc", "2750"), ("run/ipc/control", "660"), ("run/ipc/events", "660"),
      ("run/ipc/frames", "660"),
    ] + Self.privateFiles {
      #expect(access[name]?.mode == mode, "\(name)")
      #expect(access[name]?.group == 1, "\(name)")
    }
    #expect(access["photo.jpg"]?.group != 1, "a client's files are its own")
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files to other groups"))
  func `A group gets an ipc folder that was there for the node's user alone, and no other`()
    async throws
  {
    for (before, mode, group) in [(0o700, "2750", gid_t(1)), (0o755, "755", getegid())] {
      let folder = try TemporaryFolder()
      try folder.makeFolder("run/ipc", mode: before)
      let access = try await access(["--group", "daemon"], in: folder)
      #expect(access["run/ipc"]?.mode == mode)
      #expect(access["run/ipc"]?.group == group)
    }
  }

  @Test(
    .enabled(if: othersMayEnter(), "other users cannot enter the folder for temporary files"),
    arguments: [
      (mode: 0o700, options: [], remedy: nil), (mode: 0o755, options: [], remedy: "chmod 700"),
      (mode: 0o750, options: [], remedy: "chmod 700"),
      (mode: 0o755, options: ["--group", "\(getegid())"], remedy: "chmod 750"),
      (mode: 0o750, options: ["--group", "\(getegid())"], remedy: nil),
      (mode: 0o777, options: [], remedy: "chmod 700"),
      (mode: 0o777, options: ["--group", "\(getegid())"], remedy: "chmod 750"),
    ] as [(mode: Int, options: [String], remedy: String?)])
  func `The log warns of a library that others can read or change, with the remedy`(
    mode: Int, options: [String], remedy: String?
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("library", mode: mode)
    let library = "\(folder.path)/library"
    let program = try Program(name: "camerad").start(
      [String].oneCamera + ["--library", library] + options)
    try program.waitForOutput()
    program.interrupt()
    let errors = try await program.outcome().errors
    #expect(errors.lines.count == (remedy == nil ? 0 : 1), "\(errors)")
    if let remedy {
      #expect(errors.contains("\(remedy) \(library)"), "\(errors)")
      #expect(errors.contains(mode == 0o777 ? "can change" : "can read"), "\(errors)")
    }
  }

  /// To open a file for reading is enough to lock it, so that even a group that may read must not.
  private static let privateFiles = [
    ("new/library/.lock", "600"), ("new/library/library.sqlite", "600"),
    ("new/library/library.sqlite-wal", "600"),
  ]

  private static func othersMayEnter() -> Bool {
    var path = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    while let status = try? FileStatus(at: path), status.permissions & 0o011 == 0o011 {
      if path == "/" { return true }
      path = Folder.parent(of: path)
    }
    return false
  }

  /// The permissions and the group of each file and folder of a node that has taken a photo and a
  /// movie, by their names. `*` stands for the names of assets and days.
  private func access(
    _ options: [String], in folder: TemporaryFolder? = nil
  ) async throws -> [String: (mode: String, group: gid_t)] {
    let folder = try folder ?? TemporaryFolder()
    let ipc = "\(folder.path)/run/ipc"
    let program = try Program(name: "camerad").start(
      [String].oneCamera + ["--library", "\(folder.path)/new/library", "--ipc", ipc] + options)
    try program.waitForOutput()
    for verb in [
      ["capture", "-o", "\(folder.path)/photo.jpg"],
      ["record", "--duration", "0.2", "-o", "\(folder.path)/movie.mkv"],
    ] {
      let outcome = try await Program(name: "camctl").run(
        verb + ["--node", "ipc://\(ipc)/control"])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    var found: [String: (String, gid_t)] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let status = try FileStatus(at: "\(folder.path)/\(name)", followsLinks: false)
      let parts = name.split(separator: "/")
      let isAsset = parts.count > 3 && parts[2] == "cam"
      let key =
        isAsset
        ? "new/library/cam/*" + (parts.count > 4 ? "/*.\(name.suffix(3))" : "") : name
      found[key] = (String(status.permissions, radix: 8), status.group)
    }
    program.interrupt()
    #expect(try await program.outcome().status == 0)
    return found
  }
}
