import CameraNode
import TestSupport
import Testing

/// `camctl capture`.
@Suite(.timeLimit(.minutes(5)))
struct CaptureCommandTests {
  @Test func `A quality that has no effect is told`() async throws {
    try await withNode { node, _ in
      let folder = try TemporaryFolder()
      let output = "\(folder.path)/{number}-{request}.{ext}"
      let photo = ["capture", "--quality", "50", "--output", output]
      let environment = ["CAMERABUS_NODE": node.control]
      for (arguments, isTold) in [
        (["--camera", "left"], true), (["--camera", "left", "--reencode"], false),
        (["--camera", "right"], false), (["--camera", "left", "--quiet"], false),
        (["--camera", "left", "--format", "jpeg,png"], true),
      ] as [([String], Bool)] {
        let outcome = try await Program(name: "camctl").run(
          photo + arguments, environment: environment)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains("--quality had no effect") == isTold, "\(arguments)")
      }
    }
  }

  @Test func `The path of a photo can be used, also where the locale cannot print it`() async throws
  {
    try await withNode { node, _ in
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/Kamera für.jpg"
      let outcome = try await Program(name: "camctl").run(
        ["capture", "--camera", "left", "--quiet", "--output", path],
        environment: ["CAMERABUS_NODE": node.control, "LC_ALL": "C"])
      #expect(outcome.output == "\(path)\n")
    }
  }

  @Test func `A frame outside the tolerance is no photo`() async throws {
    try await withNode { node, _ in
      let photo = ["capture", "--camera", "left", "--when", "at:+0.1s", "--output", "/dev/null"]
      let environment = ["CAMERABUS_NODE": node.control]
      let near = try await Program(name: "camctl").run(
        photo + ["--tolerance", "1h"], environment: environment)
      #expect(near.status == 0, "\(near.errors)")
      let far = try await Program(name: "camctl").run(
        photo + ["--tolerance", "1ns", "--json"], environment: environment)
      #expect(far.errors.contains("frameUnavailable"), "\(far.errors)")
      #expect(far.errors.contains("capture.tolerance_ns"))
      #expect(far.output.isEmpty)
    }
  }
}
