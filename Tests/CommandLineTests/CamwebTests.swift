import CameraNode
import Foundation
import Glibc
import TestSupport
import Testing

/// The program `camweb`: its options, and how it starts and ends.
@Suite(.timeLimit(.minutes(2)))
struct CamwebTests {
  private let camweb = Program(name: "camweb")

  @Test func `It serves from its first line to a signal`() async throws {
    try await withNode { node, _ in
      let program = try camweb.start(["--node", node.control, "--listen", "127.0.0.1:0"])
      let line = try program.waitForOutput()
      let address = try #require(
        line.wholeMatch(of: /camweb: ready (http:\/\/127\.0\.0\.1:\d+\/)\n/)?.1)
      let picture = try output(of: "curl", ["--silent", "\(address)snapshot/left.jpg?when=next"])
      #expect(picture.starts(with: [0xff, 0xd8]))
      // A stream under way does not keep it from ending.
      let stream = Process()
      stream.executableURL = URL(filePath: "/usr/bin/env")
      stream.arguments = ["curl", "--silent", "--no-buffer", "\(address)stream/left.mjpg"]
      let pictures = Pipe()
      stream.standardOutput = pictures
      try stream.run()
      #expect(try !pictures.someBytes().isEmpty)
      kill(program.processID, SIGTERM)
      let outcome = try await program.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      stream.waitUntilExit()
    }
  }

  @Test(arguments: [
    ("--listen 0.0.0.0:8080", 64, "--token-file"), ("--listen [::]:8080", 64, "--insecure"),
    ("--listen 8080", 64, "such as 127.0.0.1:8080"), ("--listen 127.0.0.1:70000", 64, "a port"),
    ("--node a --all", 64, "leave one out"), ("--node nowhere", 64, "nowhere"),
    ("--insecure --token-file f", 64, "leave one out"),
    ("--token-file /nowhere/tokens", 64, "/nowhere/tokens"), ("--prefix cams", 64, "/cameras"),
    ("--prefix /../x", 64, "/cameras"), ("--timeout 0", 64, "duration"),
    ("--listen 127.0.0.1:0 --listen 127.0.0.1:1", 64, "--listen takes one value"),
    ("--lisen 127.0.0.1:0", 64, "did you mean --listen?"), ("version", 64, "camweb --version"),
    // An address of documentation (RFC 5737), which no machine has.
    ("--listen 192.0.2.1:0 --insecure", 1, "cannot listen on 192.0.2.1"),
  ])
  func `A mistake is one line that says what to do`(
    _ arguments: String, _ status: Int32, _ words: String
  ) async throws {
    let outcome = try await camweb.run(
      arguments.split(separator: " ").map(String.init),
      environment: ["XDG_CONFIG_HOME": "/nowhere"])
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("camweb: "))
    #expect(outcome.errors.count(where: \.isNewline) == 1)
    #expect(outcome.output == "")
  }

  @Test func `A port that is taken is told`() async throws {
    let socket = try LoopbackSocket()
    try socket.listen()
    let place = socket.endpoint.dropFirst("tcp://".count)
    let outcome = try await camweb.run(["--listen", "\(place)"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("in use"), "\(outcome.errors)")
    close(socket.descriptor)
  }

  @Test func `The metrics of nodes are printed for a collector of files`() async throws {
    try await withNode { node, _ in
      let camctl = Program(name: "camctl")
      let outcome = try await camctl.run(
        ["metrics", "--node", node.control, "--node", "tcp://127.0.0.1:1", "--timeout", "1s"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("camerabus_node_up{node=\"127.0.0.1-1\"} 0\n"))
      #expect(outcome.output.contains("camera=\"left\",state=\"running\"} 1\n"))
      #expect(outcome.output.hasSuffix("\n") && !outcome.output.hasSuffix("\n\n"))
      let refused = try await camctl.run(["metrics", "--json", "--node", node.control])
      #expect(refused.status == 64)
    }
  }
}
