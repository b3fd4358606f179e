import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// `camctl assets`, `delete` and `protect`.
@Suite(.timeLimit(.minutes(5)))
struct AssetCommandTests {
  @Test func `Assets are listed, selected, protected and deleted by the first digits of their ids`()
    async throws
  {
    try await withNode { node, _ in
      for camera in ["left", "left", "right"] {
        _ = try await camctl(
          node.control, "capture", "--camera", camera, "--output", "-", "--when", "next")
      }
      let all = try await assets(node.control)
      #expect(all.count == 3)
      #expect(try await assets(node.control, "--camera", "right") == [all[0]])
      #expect(try await assets(node.control, "--limit", "2") == Array(all[..<2]))
      #expect(try await assets(node.control, "--all") == all)
      #expect(try await assets(node.control, "--kind", "movie") == [])
      #expect(try await assets(node.control, "--since", "1h") == all)
      #expect(try await assets(node.control, "--until", "1h") == [])
      #expect(
        try await assets(node.control, "--until", "\(all[0].created)") == Array(all[1...]))

      // A photo has neither a duration nor a number of frames.
      let object = try await camctl(node.control, "assets", "--json", "--limit", "1").output
        .object()
      #expect(object["frames"] == nil && object["durationNanoseconds"] == nil)
      #expect(object["isProtected"] as? Bool == false)

      let id = String("\(all[1].id)".prefix(7))
      let protected = try await camctl(node.control, "protect", id)
      #expect(protected.output.hasPrefix("\(id)"))
      #expect(try await assets(node.control, "--protected").map(\.id) == [all[1].id])
      let table = try await camctl(node.control, "assets", "--limit", "2")
      #expect(table.output.lines[2].contains("protected"))
      #expect(table.output.lines.count == 3)
      #expect(table.errors.contains("--all"))

      let refused = try await camctl(node.control, "delete", id, "\(all[2].id)")
      #expect(refused.status == 1)
      #expect(refused.output.contains("deleted: \(all[2].path)"))
      #expect(refused.errors.contains("1 of 2") && refused.errors.contains("protect --off"))
      _ = try await camctl(node.control, "protect", "--off", id)
      let deleted = try await camctl(node.control, "delete", id, "--json")
      #expect(try deleted.output.decoded(as: Asset.self).id == all[1].id)
      #expect(try await assets(node.control) == [all[0]])

      // Nobody is bothered with protected assets that a moment selects: they stay.
      _ = try await camctl(node.control, "protect", "\(all[0].id)")
      let old = try await camctl(node.control, "delete", "--until", "0s")
      #expect(old.status == 0 && old.errors.isEmpty, "\(old.errors)")
      #expect(try await assets(node.control).map(\.id) == [all[0].id])
    }
  }

  @Test func `Photos and movies are named and tagged, found by that, and changed`() async throws {
    try await withNode { node, folder in
      let capture = try await camctl(
        node.control, "capture", "--camera", "left", "--output", "\(folder.path)/a.jpg", "--name",
        "At the gate", "--tag", "night,garden gate", "--tag", "test")
      #expect(capture.status == 0, "\(capture.errors)")
      let record = try await camctl(
        node.control, "record", "--camera", "left", "--duration", "0.2", "--output",
        "\(folder.path)/a.mkv", "--name", "Rain", "--tag", "night")
      #expect(record.status == 0, "\(record.errors)")
      let night = try await assets(node.control, "--tag", "night")
      #expect(night.map(\.name) == ["Rain", "At the gate"])
      #expect(night.last?.tags == ["night", "garden gate", "test"])
      #expect(try await assets(node.control, "--tag", "night,test") == [night[1]])
      #expect(try await assets(node.control, "--name", "Rain") == [night[0]])
      #expect(try await assets(node.control, "list", "--tag", "none") == [])
      let table = try await camctl(node.control, "assets", "--tag", "test")
      #expect(table.output.contains("'At the gate', #night #garden gate #test"))
      // Other programs read it in the files.
      let title = try output(
        of: "ffprobe",
        ["-v", "error", "-show_entries", "format_tags=title", "\(folder.path)/a.mkv"])
      #expect(String(decoding: title, as: UTF8.self).contains("TAG:title=Rain"))

      let ids = night.map { String("\($0.id)".prefix(8)) }
      let tagged = try await camctl(
        node.control, "assets", "tag", ids[0], ids[1], "--add", "kept", "--remove", "night,test")
      #expect(tagged.output.lines.count == 2 && tagged.output.contains("tagged: \(night[0].path)"))
      #expect(try await assets(node.control, "--tag", "night") == [])
      let named = try await camctl(node.control, "assets", "tag", ids[1], "--name", "", "--json")
      let asset = try named.output.decoded(as: Asset.self)
      #expect(asset.name.isEmpty && asset.tags == ["garden gate", "kept"])
      let deleted = try await camctl(node.control, "delete", "--tag", "garden gate")
      #expect(deleted.output.contains(asset.path))
      #expect(try await assets(node.control).map(\.id) == [night[0].id])
    }
  }

  @Test func `The library is verified and repaired`() async throws {
    try await withNode { node, folder in
      for name in ["a", "b"] {
        let capture = try await camctl(
          node.control, "capture", "--camera", "left", "--output", "\(folder.path)/\(name).jpg")
        #expect(capture.status == 0, "\(capture.errors)")
      }
      let photos = try await assets(node.control)
      let whole = try await camctl(node.control, "assets", "verify")
      #expect(whole.status == 0 && whole.output.hasPrefix("2 intact, 0 missing, 0 changed, "))
      let library = "\(folder.path)/library"
      try FileManager.default.removeItem(atPath: "\(library)/\(photos[0].path)")
      let moved = "left/\(photos[1].path.split(separator: "/")[1])/moved.jpg"
      try FileManager.default.moveItem(
        atPath: "\(library)/\(photos[1].path)", toPath: "\(library)/\(moved)")
      let flawed = try await camctl(node.control, "assets", "verify", "--since", "1h")
      #expect(flawed.status == 1 && flawed.output.contains("0 intact, 2 missing, 0 changed"))
      #expect(flawed.output.contains(photos[0].path) && flawed.errors.contains("assets repair"))
      let repair = try await camctl(node.control, "assets", "repair")
      #expect(repair.status == 0 && repair.output.contains("0 adopted, 1 found again"))
      #expect(repair.output.contains(moved))
      let dropped = try await camctl(node.control, "assets", "repair", "--drop-missing", "--json")
      let result = try dropped.output.decoded(as: LibraryRepair.self)
      #expect(result.dropped == 1 && result.changes.first?.asset?.id == photos[0].id)
      #expect(result.changes.map(\.kind) == [.dropped])
      let last = try await camctl(node.control, "assets", "verify", "--json")
      #expect(try last.output.decoded(as: LibraryVerification.self).intact == 1)
    }
  }

  @Test func `A file that was removed by hand shows in the list, and its entry can be deleted`()
    async throws
  {
    try await withNode { node, folder in
      for _ in 0..<2 {
        _ = try await camctl(node.control, "capture", "--camera", "left", "--output", "-")
      }
      let all = try await assets(node.control)
      try FileManager.default.removeItem(atPath: "\(folder.path)/library/\(all[0].path)")
      #expect(try await assets(node.control).map(\.condition) == [.missing, .intact])
      let download = try await camctl(
        node.control, "download", "\(all[0].id)", "--output", "\(folder.path)/copy.jpg")
      download.expectOneLine(of: "camctl", status: 1, remedy: "delete the asset")
      let deleted = try await camctl(node.control, "delete", "--missing")
      #expect(deleted.output.lines.count == 1 && deleted.output.contains(all[0].path))
      #expect(try await assets(node.control) == [all[1]])
      let older = try await camctl(node.control, "delete", "--until", "0s", "--camera", "left")
      #expect(older.status == 0 && older.output.contains(all[1].path), "\(older.errors)")
      #expect(try await assets(node.control) == [])
    }
  }

  @Test func `A download that is repeated copies only what is new`() async throws {
    try await withNode { node, folder in
      let here = "\(folder.path)/here"
      try folder.makeFolder("here", mode: 0o755)
      for _ in 0..<2 {
        _ = try await camctl(
          node.control, "capture", "--camera", "left", "--output", "-", "--when", "next")
      }
      let first = try await camctl(node.control, "download", "--since", "1h", "--output", here)
      #expect(first.output.lines.count == 2 && !first.output.contains("was here before"))
      #expect(first.errors.isEmpty)
      let names = try FolderContents(here)
      let second = try await camctl(node.control, "download", "--since", "1h", "--output", here)
      #expect(second.output.lines.allSatisfy { $0.hasSuffix("was here before") })
      #expect(second.errors.contains("2 of 2 were here before, with the same bytes"))
      #expect(try FolderContents(here) == names)
      let third = try await camctl(
        node.control, "download", "--latest", "--output", here, "--json")
      #expect(try third.output.object()["wasHere"] as? Bool == true)
      // Another file of the name stays, and the photo gets a number.
      let newest = try #require(try await assets(node.control, "--limit", "1").first)
      try folder.write("mine", to: "here/\(newest.fileName)")
      let fourth = try await camctl(node.control, "download", "--latest", "--output", here)
      #expect(fourth.output.contains("-2.jpg") && !fourth.output.contains("was here before"))
      let fifth = try await camctl(node.control, "download", "--latest", "--output", here)
      #expect(fifth.output.contains("-2.jpg") && fifth.output.contains("was here before"))
    }
  }

  @Test func `A file that was changed by hand is not downloaded`() async throws {
    try await withNode { node, folder in
      _ = try await camctl(node.control, "capture", "--camera", "left", "--output", "-")
      let asset = try #require(try await assets(node.control).first)
      try folder.write("mine", to: "library/\(asset.path)")
      let download = try await camctl(
        node.control, "download", "\(asset.id)", "--output", "\(folder.path)/copy.jpg")
      download.expectOneLine(of: "camctl", status: 1, remedy: "put the original back")
      #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/copy.jpg"))
      let table = try await camctl(node.control, "assets")
      #expect(table.output.contains("changed"))
    }
  }

  private func assets(_ node: String, _ arguments: String...) async throws -> [Asset] {
    let outcome = try await Program(name: "camctl").run(
      ["assets", "--json"] + arguments, environment: ["CAMERABUS_NODE": node])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.output.lines.map { try $0.decoded(as: Asset.self) }
  }
}
