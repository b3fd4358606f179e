import Foundation
import OperatingSystem
import TestSupport
import Testing

/// Who may use the files and sockets of a node.
@Suite(.timeLimit(.minutes(1)))
struct FileAccessTests {
  @Test func `What a node makes is for its own user alone`() async throws {
    let access = try await access([])
    for (name, mode) in [
      ("library", "700"), ("library/cam", "700"), ("library/cam/*", "700"),
      ("library/cam/*/*", "600"), ("library/library.sqlite", "600"), ("library/.incoming", "700"),
      ("ipc", "700"), ("ipc/control", "700"), ("ipc/events", "700"), ("ipc/frames", "700"),
    ] {
      #expect(access[name]?.mode == mode, "\(name)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files to other groups"))
  func `A group may read the library and use the sockets`() async throws {
    let access = try await access(["--group", "daemon"])
    for (name, mode) in [
      ("library", "2750"), ("library/cam", "2750"), ("library/cam/*", "2750"),
      ("library/cam/*/*", "640"), ("library/library.sqlite", "640"), ("ipc", "2750"),
      ("ipc/control", "770"), ("ipc/events", "770"), ("ipc/frames", "770"),
    ] {
      #expect(access[name]?.mode == mode, "\(name)")
      #expect(access[name]?.group == 1, "\(name)")
    }
    #expect(access["photo.jpg"]?.group != 1, "a client's files are its own")
  }

  /// The permissions and the group of each file and folder of a node that has taken a photo, by
  /// their names. `*` stands for the names of photos and days.
  private func access(_ options: [String]) async throws -> [String: (mode: String, group: gid_t)] {
    let folder = try TemporaryFolder()
    let (ipc, library) = ("\(folder.path)/ipc", "\(folder.path)/library")
    let program = try Program(name: "camerad").start(
      [String].oneCamera + [
        "--library", library, "--ipc", ipc,
      ] + options)
    program.waitForOutput()
    let photo = try await Program(name: "camctl").run(
      ["capture", "--node", "ipc://\(ipc)/control", "-o", "\(folder.path)/photo.jpg"])
    #expect(photo.status == 0, "\(photo.errors)")
    var found: [String: (String, gid_t)] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let status = try FileStatus(at: "\(folder.path)/\(name)", followsLinks: false)
      let parts = name.split(separator: "/")
      let key =
        parts.count > 2 && parts[1] == "cam"
        ? "library/cam" + String(repeating: "/*", count: parts.count - 2) : name
      found[key] = (String(status.permissions, radix: 8), status.group)
    }
    program.interrupt()
    #expect(try await program.outcome().status == 0)
    return found
  }
}
