import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// What `--output` may do to things that exist: it never destroys them.
@Suite(.timeLimit(.minutes(5)))
struct OutputPlaceTests {
  @Test(.enabled(if: TemporaryFolder.canMakeDevices, "devices need root"))
  func `A device is written into and stays a device`() async throws {
    try await withNode { node, folder in
      let (null, full) = (try folder.makeNullDevice(), try folder.makeFullDevice())
      let photo = try await camctl(node.control, "capture", "--camera", "left", "--output", null)
      #expect(photo.status == 0, "\(photo.errors)")
      let lost = try await camctl(node.control, "capture", "--camera", "left", "--output", full)
      lost.expectOneLine(of: "camctl", status: 1, remedy: "there is no room for \(full)")
      let movie = try await camctl(
        node.control, "record", "--camera", "left", "--duration", "0.2", "--output", full)
      movie.expectOneLine(of: "camctl", status: 1, remedy: "there is no room for \(full)")
      for device in [null, full] {
        let attributes = try FileManager.default.attributesOfItem(atPath: device)
        #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
      }
      #expect(try folder.names == ["device-3", "device-7", "library"])
      for outcome in [lost, movie] { try await expectAsset(of: outcome, node.control, folder) }
    }
  }

  /// The error says how to get what was taken, and that works.
  private func expectAsset(
    of outcome: Program.Outcome, _ node: String, _ folder: TemporaryFolder
  ) async throws {
    let words = outcome.errors.split(whereSeparator: \.isWhitespace).map(String.init)
    let place = try #require(words.firstIndex(of: "camctl"), "\(outcome.errors)")
    #expect(words[place...].starts(with: ["camctl", "download"]))
    let fetched = try await camctl(
      node, "download", words[place + 2], "--output", "\(folder.path)/fetched", "--overwrite")
    #expect(fetched.status == 0, "\(fetched.errors)")
  }

  @Test func `A link is followed, and what it leads to keeps its mode`() async throws {
    try await withNode { node, folder in
      try folder.write("old", to: "far/photo.jpg")
      let mode: NSNumber = 0o640
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: "\(folder.path)/far/photo.jpg")
      try folder.link("link.jpg", to: "far/photo.jpg")
      try folder.link("new.jpg", to: "far/other.jpg")
      for name in ["link.jpg", "new.jpg"] {
        let outcome = try await camctl(
          node.control, "capture", "--camera", "left", "--overwrite", "--output",
          "\(folder.path)/\(name)")
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      #expect(try folder.names == ["far", "library", "link.jpg", "new.jpg"])
      for (link, target) in [("link.jpg", "far/photo.jpg"), ("new.jpg", "far/other.jpg")] {
        #expect(
          try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/\(link)")
            == target)
        #expect(try folder.read(target).starts(with: [0xff, 0xd8]))
      }
      let attributes = try FileManager.default.attributesOfItem(
        atPath: "\(folder.path)/far/photo.jpg")
      #expect(attributes[.posixPermissions] as? NSNumber == mode)
    }
  }

  @Test func `A file that exists is refused before a photo is taken, and replaced on request`()
    async throws
  {
    try await withNode { node, folder in
      let photo = try folder.write("mine", to: "a.jpg")
      let movie = try folder.write("mine", to: "a.mkv")
      try folder.write("mine", to: "series-3.jpg")
      for arguments in [
        ["capture", "--camera", "left", "--output", photo],
        [
          "capture", "--camera", "left", "--count", "3", "--output", "\(folder.path)/series-%d.jpg",
        ],
        ["record", "--camera", "left", "--duration", "0.2", "--output", movie],
      ] {
        let outcome = try await Program(name: "camctl").run(
          arguments, environment: ["CAMERABUS_NODE": node.control])
        outcome.expectOneLine(of: "camctl", status: 1, remedy: "replace it with --overwrite")
      }
      #expect(try folder.names == ["a.jpg", "a.mkv", "library", "series-3.jpg"])
      #expect(try folder.read("a.jpg") == Array("mine".utf8))
      let bus = try CameraBus(node.control)
      #expect(try await bus.assets().isEmpty)
      let replaced = try await camctl(
        node.control, "capture", "--camera", "left", "--overwrite", "--output", photo)
      #expect(replaced.status == 0, "\(replaced.errors)")
      let asset = try #require(try await bus.assets().first)
      await bus.close()
      // The same bytes would do.
      try folder.write("mine", to: "a.jpg")
      let download = ["download", "\(asset.id)", "--output", photo]
      let refused = try await Program(name: "camctl").run(
        download, environment: ["CAMERABUS_NODE": node.control])
      refused.expectOneLine(of: "camctl", status: 1, remedy: "replace it with --overwrite")
      let again = try await Program(name: "camctl").run(
        download + ["--overwrite"], environment: ["CAMERABUS_NODE": node.control])
      #expect(again.status == 0, "\(again.errors)")
    }
  }

  @Test func `The request tells the photos of a series apart, but not those of a burst`()
    async throws
  {
    try await withNode { node, folder in
      let output = ["--camera", "left", "--output", "\(folder.path)/{request}.jpg"]
      let series = try await Program(name: "camctl").run(
        ["capture", "--count", "2"] + output, environment: ["CAMERABUS_NODE": node.control])
      #expect(series.status == 0, "\(series.errors)")
      #expect(try folder.names.count { $0.hasSuffix(".jpg") } == 2)
      let download = try await camctl(
        node.control, "download", "--latest", "--output", "\(folder.path)/x-{frame}.jpg")
      download.expectOneLine(of: "camctl", status: 64, remedy: "leave {frame} out")
      let burst = try await Program(name: "camctl").run(
        ["capture", "--burst", "2"] + output, environment: ["CAMERABUS_NODE": node.control])
      burst.expectOneLine(of: "camctl", status: 64, remedy: "put %d into the name")
    }
  }

  @Test func `A frame that is nearest to two moments is told where its name would be taken`()
    async throws
  {
    try await withNode { node, folder in
      let series = try await camctl(
        node.control, "capture", "--camera", "left", "--count", "3", "--interval", "1ms",
        "--output",
        "\(folder.path)/{frame}.jpg")
      #expect(series.status == 1)
      #expect(series.errors.contains("the photo before shows the same frame"), "\(series.errors)")
    }
  }

  @Test func `A series has different frames in files with the library's names`() async throws {
    try await withNode { node, folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/series", withIntermediateDirectories: false)
      var frames: Set<Int> = []
      for option in [[], ["--transient"]] {
        let outcome = try await Program(name: "camctl").run(
          ["capture", "--camera", "left", "--count", "8", "--json", "--output", "series"] + option,
          environment: ["CAMERABUS_NODE": node.control], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for line in outcome.output.lines {
          let resolved = try #require(try line.object()["resolved"] as? [String: Any])
          frames.insert(try #require(resolved["frameSequence"] as? Int))
        }
      }
      #expect(frames.count == 16)
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/series")
      #expect(names.count == 16)
      #expect(
        names.allSatisfy { $0.wholeMatch(of: /left-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}\.jpg/) != nil })
      // The name of a photo that is kept is its name in the library.
      let bus = try CameraBus(node.control)
      let asset = try #require(try await bus.assets().first)
      await bus.close()
      let name = try #require(asset.path.split(separator: "/").last.map(String.init))
      #expect(names.contains(name))
      // A second file of this name gets a number, unless it has the same bytes.
      try folder.write("mine", to: "series/\(name)")
      let copy = try await camctl(
        node.control, "download", "\(asset.id)", "--output", "\(folder.path)/series")
      #expect(copy.output.hasPrefix("\(folder.path)/series/\(name.dropLast(4))-2.jpg"))
    }
  }

  @Test(arguments: [
    ("capture --output a.png", "a.jpg"), ("capture --output a.MP4", "a.jpg"),
    ("capture --count 2 --output a-%d.heic", "a-1.jpg"),
    ("record --duration 1 --codec h264 --output a.webm", "a.mp4"),
    ("record --duration 1 --output a.jpg", "a.mkv"),
    ("record stop --output a.avi", "a.mkv"),
  ])
  func `An extension of another kind of file is refused with the right name`(
    arguments: String, name: String
  ) async throws {
    let outcome = try await Program(name: "camctl").run(
      arguments.split(separator: " ").map(String.init) + ["--node", "tcp://127.0.0.1:1"])
    outcome.expectOneLine(of: "camctl", status: 64, remedy: "name it \(name)")
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "needs root"))
  func
    `A full disk is noticed before a photo is taken`() async throws
  {
    let disk = try SmallDisk(megabytes: 2)
    defer { disk.unmount() }
    try disk.fill()
    try await withNode { node, _ in
      for verb in [["capture"], ["record", "--duration", "0.2"]] {
        for place in ["\(disk.folder.path)/new.bin", disk.folder.path] {
          let outcome = try await Program(name: "camctl").run(
            verb + ["--camera", "left", "--output", place],
            environment: ["CAMERABUS_NODE": node.control])
          outcome.expectOneLine(of: "camctl", status: 1, remedy: "free some")
        }
      }
      let bus = try CameraBus(node.control)
      #expect(try await bus.assets().isEmpty)
      await bus.close()
    }
  }
}
