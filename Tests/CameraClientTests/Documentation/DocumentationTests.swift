import CameraClient
import CameraProtocol
import Digest
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

/// The example that people copy is the one that was compiled and run.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
  @Test(arguments: [
    "README.md", "Sources/CameraClient/Documentation.docc/GettingAStill.md",
  ])
  func `The example in the text is the one that was compiled`(path: String) throws {
    let page = String(decoding: try Repository.contents(of: path), as: UTF8.self)
    let compiled = String(
      decoding: try Repository.contents(
        of: "Tests/CameraClientTests/Documentation/TakeAStill.swift"),
      as: UTF8.self)
    let lines = compiled.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let body = lines.drop { $0 != "// begin" }.dropFirst().prefix { $0 != "// end" }
    let example = (["import CameraClient", ""] + body).joined(separator: "\n")
      .replacing("CameraBus(node)", with: "CameraBus(\"\(CameraBus.defaultControl)\")")
      .replacing("(to: file)", with: "(to: \"still.jpg\")")
    #expect(body.count <= 10)
    #expect(page.contains("```swift\n\(example)\n```"))
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
        $0.resolved.offsetNs = -250
        $0.resolved.uncertaintyNs = 10
        $0.sha256 = Data(picture.sha256.bytes)
      }
      try await node.reply(to: request, .capture(result), index: 2)
      try await done
      continuation.finish()
      #expect(file.bytes == picture)
      let printed = await lines.reduce(into: []) { $0.append($1) }
      #expect(printed == ["exposed at 1970-01-01T00:00:00.000000000Z", "-250 ns off, ±10 ns"])
    }
  }
}
