import Foundation
import TestSupport
import Testing

@testable import CameraNode

struct ConfigurationFileTests {
  /// The configuration that results when this file is applied to a fresh one.
  private func read(_ yaml: String) async throws -> NodeConfiguration {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/camerad.yaml"
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
    var configuration = NodeConfiguration(name: "default", library: "/default")
    try ConfigurationFile(path: path).apply(to: &configuration)
    return configuration
  }

  @Test func `A file sets the keys it names and leaves the others`() async throws {
    let configuration = try await read(
      """
      # A rig.
      name: rig-left
      control: tcp://127.0.0.1:6570
      events: tcp://127.0.0.1:6571
      frames: ipc:///run/frames
      library: /var/lib/camerabus
      keep_trying: true
      insecure: yes
      cameras:
        front: v4l2:/dev/video0,1280x720@30,format=MJPG
        demo: synthetic:1920x1080@30
      """)
    #expect(configuration.name == "rig-left")
    #expect(configuration.control == "tcp://127.0.0.1:6570")
    #expect(configuration.events == "tcp://127.0.0.1:6571")
    #expect(configuration.frames == "ipc:///run/frames")
    #expect(configuration.library == "/var/lib/camerabus")
    #expect(configuration.keepsTrying)
    #expect(configuration.isInsecure)
    #expect(configuration.cameras.map(\.name) == ["front", "demo"])

    let partial = try await read("cameras:\n  cam: synthetic\n")
    #expect(partial.name == "default")
    #expect(partial.library == "/default")
    #expect(partial.control == NodeConfiguration.defaultControl)
    #expect(!partial.keepsTrying)
  }

  @Test(arguments: [
    ("name: a\ncolour: red\n", ":2: ", "“colour” is no key"),
    ("name: a\nlibrary: [a]\n", ":2: ", "“library” needs a text"),
    ("name: \"\"\n", ":1: ", "“name” needs a text"),
    ("name: a\n\nkeep_trying: maybe\n", ":3: ", "“keep_trying” needs true or false"),
    ("insecure:\n  - true\n", ":2: ", "“insecure” needs true or false"),
    ("cameras: front\n", ":1: ", "NAME: SPEC"),
    ("cameras:\n  - synthetic\n", ":2: ", "NAME: SPEC"),
    ("cameras:\n  a: synthetic\n  b: webcam\n", ":3: ", "“webcam” is no camera"),
    ("cameras:\n  a: synthetic\n  b c: synthetic\n", ":3: ", "“b c” is no name"),
    ("cameras:\n  a:\n    device: /dev/video0\n", ":2: ", "a camera is one line"),
    ("# Two\nname: a\nname: b\n", ":2: ", "“name” is there twice"),
    ("cameras:\n  a: synthetic\n  a: auto\n", ":2: ", "“a” is there twice"),
    ("name: a\ncameras: {\n", ":3: ", "no YAML"),
    ("name: 'a\n", ":2: ", "no YAML"),
    ("- a\n", "", "holds no keys"), ("", "", "holds no keys"), ("just text\n", "", "holds no keys"),
  ])
  func `An error names the line of the mistake`(yaml: String, line: String, hint: String)
    async throws
  {
    let error = try await #require(throws: ConfigurationError.self) { try await read(yaml) }
    #expect(error.message.contains("camerad.yaml\(line)"))
    #expect(error.message.contains(hint))
    #expect(!error.message.contains("\n"))
  }

  @Test func `An error names the file that cannot be read`() async throws {
    let folder = try TemporaryFolder()
    for path in ["\(folder.path)/none.yaml", folder.path] {
      let error = try #require(throws: ConfigurationError.self) {
        try ConfigurationFile(path: path)
      }
      #expect(error.message.contains("\(path) cannot be read"))
    }
  }
}
