import CameraClient
import CameraNode
import CameraProtocol
import Foundation
import TestSupport
import Testing

/// `camctl doctor` on this machine, with and without a node.
@Suite(.timeLimit(.minutes(5)))
struct CamctlDoctorTests {
  private struct Finding: Decodable {
    var check: String
    var verdict: String
    var message: String
    var remedy: String?
  }

  @Test func `A running node is healthy, and its cameras are named`() async throws {
    try await withNode { node, folder in
      let outcome = try await camctl(node.control, "doctor", "--json")
      let findings = try outcome.output.lines.map { try $0.decoded(as: Finding.self) }
      #expect(findings.first?.check == "node")
      #expect(findings.first?.verdict == "ok")
      #expect(findings.first?.message.contains(Release.version) == true)
      let cameras = findings.filter { $0.check == "camera" }
      #expect(cameras.map(\.message) == ["left is running", "right is running"])
      #expect(
        findings.contains { $0.check == "disk" && $0.message.contains("\(folder.path)/library") })
      let hasProblem = findings.contains { $0.verdict == "problem" }
      #expect(outcome.status == (hasProblem ? 1 : 0))
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test func `Another library than the node's is said to be missing`() async throws {
    try await withNode { node, folder in
      let library = "\(folder.path)/another"
      let outcome = try await camctl(node.control, "doctor", "--library", library)
      #expect(outcome.output.contains("disk: \(library) does not exist yet"), "\(outcome.output)")
    }
  }

  @Test func `A camera that runs and takes no photo is a warning`() async throws {
    try await withNode { node, _ in
      let configured = try await camctl(
        node.control, "configure", "--camera", "left", "--format", "format=RGBP")
      #expect(configured.status == 0, "\(configured.errors)")
      // It is known with the first frame.
      try await withCameraBus(node.control) { bus in
        for await readiness in try bus.camera("left").readinessUpdates
        where readiness == .notReadyUnsupportedFormat { break }
      }
      let outcome = try await camctl(node.control, "doctor", "--camera", "left")
      #expect(
        outcome.output.contains("left is running, and takes no photo now: not ready, unsupported"),
        "\(outcome.output)")
    }
  }

  @Test func `Only the camera that is named is examined`() async throws {
    try await withNode { node, _ in
      let outcome = try await camctl(node.control, "doctor", "--camera", "right")
      #expect(outcome.output.contains("camera: right is running"))
      #expect(!outcome.output.contains("left"))
    }
  }

  @Test func `A node whose library is gone has a problem until the folder is back`() async throws {
    try await withNode { node, folder in
      let (library, elsewhere) = ("\(folder.path)/library", "\(folder.path)/elsewhere")
      try FileManager.default.moveItem(atPath: library, toPath: elsewhere)
      // The node looks once a second.
      while try await !camctl(node.control, "status").output.contains("photos cannot be kept") {}
      let outcome = try await camctl(node.control, "doctor")
      #expect(
        outcome.output.contains(
          "problem  library: photos cannot be kept: the library \(library) is gone"))
      #expect(!outcome.output.contains("camerad makes it"))
      #expect(outcome.status == 1)
      try FileManager.default.moveItem(atPath: elsewhere, toPath: library)
      while try await camctl(node.control, "doctor").output.contains(" library: ") {}
    }
  }

  @Test func `A stopped camera is a warning, and one in trouble a problem`() async throws {
    try await withNode { node, _ in
      _ = try await camctl(node.control, "session", "stop", "--camera", "left")
      let words = try await camctl(node.control, "doctor")
      #expect(
        words.output.contains(
          "warning  camera: left is stopped: camctl session start --camera left\n"))
    }
  }

  @Test func `Without a node that is the first problem, and the status is 1`() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Program(name: "camctl").run([
      "doctor", "--node", "tcp://127.0.0.1:1", "--library", folder.path,
    ])
    let lines = outcome.output.lines
    #expect(lines.first?.hasPrefix("problem  node: no node answers at tcp://127.0.0.1:1") == true)
    #expect(lines.first?.contains("camerad --camera cam=auto") == true)
    #expect(lines.contains { $0.contains("disk: ") && $0.contains(folder.path) })
    #expect(lines.last?.contains(" checks: ") == true)
    for check in ["device", "ports", "ipc", "clock", "descriptors", "threads"] {
      #expect(lines.contains { $0.dropFirst(9).hasPrefix("\(check): ") }, "\(check)")
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors.isEmpty)
  }

  @Test func `A wrong endpoint is wrong usage`() async throws {
    let outcome = try await Program(name: "camctl").run(["doctor", "--node", "nonsense"])
    outcome.expectOneLine(of: "camctl", status: 64, remedy: "tcp://HOST:PORT")
  }
}
