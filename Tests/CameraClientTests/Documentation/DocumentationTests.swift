import CameraClient
import CameraProtocol
import Digest
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

/// The examples that people copy are the ones that are compiled and run here.
@Suite(.timeLimit(.minutes(5)))
struct DocumentationTests {
  private static let pages = "Sources/CameraClient/Documentation.docc"

  @Test(arguments: [
    ("README.md", "TakeAStill", 0), ("\(pages)/GettingAStill.md", "TakeAStill", 0),
    ("\(pages)/GettingAStill.md", "TakeAStill", 1),
    ("\(pages)/FollowingEvents.md", "FollowEvents", 0),
    ("\(pages)/FollowingEvents.md", "FollowEvents", 1),
    ("\(pages)/RecordingMovies.md", "RecordAMovie", 0),
    ("\(pages)/UsingControls.md", "SetControls", 0),
  ])
  func `The example in the text is the one that was compiled`(
    path: String, name: String, number: Int
  ) throws {
    let page = String(decoding: try Repository.contents(of: path), as: UTF8.self)
    let compiled = String(
      decoding: try Repository.contents(
        of: "Tests/CameraClientTests/Documentation/\(name).swift"),
      as: UTF8.self)
    let lines = compiled.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }
    let begins = lines.indices.filter { lines[$0] == "// begin" }
    try #require(number < begins.count)
    let body = lines[begins[number]...].dropFirst().prefix { $0 != "// end" }
    let example = (["import CameraClient", ""] + body).joined(separator: "\n")
      .replacing("withCameraBus(node)", with: "withCameraBus(\"\(CameraBus.defaultControl)\")")
      .replacing("(to: file)", with: "(to: \"still.jpg\")")
      .replacing(", to: file)", with: ", to: \"movie.mkv\")")
    #expect(page.contains("```swift\n\(example)\n```"))
  }

  @Test func `A still takes ten lines`() throws {
    let page = String(decoding: try Repository.contents(of: "README.md"), as: UTF8.self)
    let example = try #require(page.split(separator: "```swift\n").dropFirst().first)
    let lines = example.split(separator: "```")[0].split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast().count <= 10)
  }

  @Test func `The manifest to copy names the package's product and tools`() throws {
    let page = String(
      decoding: try Repository.contents(of: "\(Self.pages)/AddingTheClient.md"), as: UTF8.self)
    let manifest = String(decoding: try Repository.contents(of: "Package.swift"), as: UTF8.self)
    let tools = try #require(manifest.split(separator: "\n").first)
    #expect(tools.hasPrefix("// swift-tools-version"))
    #expect(page.contains("```swift\n\(tools)\nimport PackageDescription\n"))
    #expect(page.contains(".product(name: \"CameraClient\", package: \"CameraBus\")"))
    #expect(manifest.contains(".library(name: \"CameraClient\", targets: [\"CameraClient\"])"))
  }

  @Test func `The example takes a still and says when it was exposed`() async throws {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let endpoint = await node.control
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      async let done: Void = takeAStill(node: endpoint, file: path) { continuation.yield($0) }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let picture: [UInt8] = [0xff, 0xd8, 0xff, 0xd9]
      try await node.reply(
        to: request,
        .captureProgress(.with { $0.step = .didProcess }),
        isFinal: false,
        attachment: picture
      )
      let result = WireCaptureResult.with {
        $0.resolved.timestamp.monotonicNs = 1000
        $0.resolved.offsetNs = -250
        $0.resolved.earliestStartNs = 990
        $0.resolved.latestEndNs = 1255
        $0.sha256 = Data(picture.sha256.bytes)
      }
      try await node.reply(to: request, .capture(result), index: 2)
      try await done
      continuation.finish()
      #expect(file.bytes == picture)
      let printed = await lines.reduce(into: []) { $0.append($1) }
      #expect(
        printed == [
          "frame at 1970-01-01T00:00:00.000000000Z, -2.5e-07 seconds off",
          "exposed between -2.6e-07 seconds and 5e-09 seconds",
        ])
    }
  }

  @Test func `The example of errors prints what to do`() async throws {
    try await withFakeNode { node, bus in
      let endpoint = await node.control
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      async let done: Void = takeAStillOrSayWhyNot(node: endpoint, file: "still.jpg") {
        continuation.yield("\($0)")
      }
      var requests = node.requests.makeAsyncIterator()
      try await node.reply(
        to: #require(await requests.next()), .error(WireError(.notRunning, "start the session")))
      try await done
      continuation.finish()
      #expect(await lines.reduce(into: []) { $0.append($1) } == ["start the session"])
    }
  }

  @Test func `The examples of events print states, and everything`() async throws {
    try await withFakeNode { node, bus in
      let endpoint = await node.control
      let states = try await Self.lines(2, of: followStates, node: endpoint) {
        try await EventTests.subscribed(node)
        let topic = Topic.event(camera: "cam", kind: .state)
        try await node.publish(EventTests.state(.notReadyMomentarily), on: topic, 1)
      }
      #expect(states == ["cam is running, ready", "cam is running, notReadyMomentarily"])
      let all = try await Self.lines(1, of: followEverything, node: endpoint) {
        try await EventTests.subscribed(node)
        let topic = Topic.event(camera: "cam", kind: .state)
        try await node.publish(EventTests.state(.ready), on: topic, 1)
      }
      #expect(all == ["1970-01-01T00:00:00.000000000Z cam: running, ready"])
    }
  }

  @Test func `The example of recordings downloads the movie`() async throws {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let endpoint = await node.control
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      async let done: Void = recordAMovie(node: endpoint, file: path) { continuation.yield($0) }
      var requests = node.requests.makeAsyncIterator()
      let start = try #require(await requests.next())
      #expect(start.request.recordStart.maximumDurationNs == 5_000_000_000)
      let started = WireRecordStarted.with {
        $0.camera = "cam"
        $0.recording = start.request.id
      }
      try await node.reply(to: start, .recordStarted(started))
      let movie: [UInt8] = [0x1a, 0x45, 0xdf, 0xa3]
      var asset = WireAsset.asset(movie, for: start.request.id)
      asset.mediaType = "video/x-matroska"
      asset.frames = 150
      try await node.reply(
        to: #require(await requests.next()), .assets(.with { $0.assets = [asset] }))
      let download = try #require(await requests.next())
      try await node.chunk(movie[...], of: movie.count, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
      try await done
      continuation.finish()
      #expect(file.bytes == movie)
      #expect(await lines.reduce(into: []) { $0.append($1) } == ["150 frames"])
    }
  }

  @Test func `The example of controls lists them and sets one`() async throws {
    try await withFakeNode { node, bus in
      let endpoint = await node.control
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      async let done: Void = setControls(node: endpoint) { continuation.yield($0) }
      var requests = node.requests.makeAsyncIterator()
      var control = WireControl.with {
        $0.id = "brightness"
        $0.maximum = 255
        $0.value.integer = 7
      }
      try await node.reply(
        to: #require(await requests.next()), .controls(.with { $0.controls = [control] }))
      let set = try #require(await requests.next())
      #expect(set.request.controlsSet.settings.map(\.value.integer) == [128])
      control.value.integer = 128
      try await node.reply(to: set, .controls(.with { $0.controls = [control] }))
      try await done
      continuation.finish()
      let printed = await lines.reduce(into: []) { $0.append($1) }
      #expect(printed == ["brightness=7, 0 to 255", "the brightness is 128"])
    }
  }

  /// The first lines that an example prints, which is cancelled then.
  private static func lines(
    _ count: Int,
    of example:
      @escaping @Sendable (
        _ node: String, _ print: @escaping @Sendable (String) -> Void
      ) async throws -> Void,
    node: String,
    after prepare: () async throws -> Void
  ) async throws -> [String] {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let running = Task { try await example(node) { continuation.yield($0) } }
    try await prepare()
    var printed: [String] = []
    for await line in lines {
      printed.append(line)
      if printed.count == count { break }
    }
    running.cancel()
    try await running.value
    return printed
  }
}
