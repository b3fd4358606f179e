import Foundation
import TestSupport
import Testing

@testable import CameraNode

struct ConfigurationFileTests {
  /// The configuration that results when this file is applied to a fresh one, and the mistakes.
  private func read(_ yaml: String) throws -> (NodeConfiguration, [ConfigurationError]) {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/camerad.yaml"
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
    var configuration = NodeConfiguration(name: "default", library: "/default")
    do throws(ConfigurationError) {
      let mistakes = try ConfigurationFile(path: path).apply(to: &configuration)
      return (configuration, mistakes)
    } catch {
      return (configuration, [error])
    }
  }

  @Test func `A file sets the keys it names and leaves the others`() throws {
    let (configuration, mistakes) = try read(
      """
      # A rig.
      name: rig-left
      control: tcp://127.0.0.1:6570
      events: tcp://127.0.0.1:6571
      frames: ipc:///run/frames
      library: /var/lib/camerabus
      keep_trying: true
      insecure: yes
      log: debug
      clock_error: 2.5ms
      pressure: off
      group: daemon
      reserve: 2GiB
      cameras:
        front: v4l2:/dev/video0,1280x720@30,format=MJPG
        demo: synthetic:1920x1080@30
      adopt:
        usb-*: driver=uvcvideo,1280x720@30,format=MJPG
      """)
    #expect(configuration.adoptions.map(\.name) == ["usb-*"])
    #expect(configuration.name == "rig-left")
    #expect(configuration.control == "tcp://127.0.0.1:6570")
    #expect(configuration.events == "tcp://127.0.0.1:6571")
    #expect(configuration.frames == "ipc:///run/frames")
    #expect(configuration.library == "/var/lib/camerabus")
    #expect(configuration.keepsTrying)
    #expect(configuration.isInsecure)
    #expect(configuration.logLevel == .debug)
    #expect(configuration.clockError == .microseconds(2500))
    #expect(configuration.pressure == .off)
    #expect(configuration.group == "daemon")
    #expect(configuration.reserve == 2 << 30)
    #expect(mistakes.isEmpty)
    #expect(configuration.cameras.map(\.name) == ["front", "demo"])

    let (partial, _) = try read("cameras:\n  cam: synthetic\n")
    #expect(partial.name == "default")
    #expect(partial.library == "/default")
    #expect(partial.control == NodeConfiguration.defaultControl)
    #expect(!partial.keepsTrying)
  }

  @Test(arguments: [
    (
      "clock_error: 0\n", ":1: ",
      "'clock_error' needs a time above 0 with its unit, such as 5ms, not '0'"
    ),
    (
      "pressure: high\n", ":1: ",
      "'pressure' is on, off, or a folder such as /tmp/pressure, not 'high'"
    ),
    ("reserve: 64\n", ":1: ", "'reserve' needs a size with its unit (B, KiB, MiB, GiB or TiB)"),
    ("clock_error: soon\n", ":1: ", "'clock_error' needs a time above 0"),
    ("clock_error: 5\n", ":1: ", "with its unit, such as 5ms, not '5'"),
    ("name: a\ncolour: red\n", ":2: ", "there is no key 'colour': the keys are name, control"),
    ("name: a\nlibary: /tmp\n", ":2: ", "no key 'libary': did you mean 'library'?"),
    ("name: a\nlibrary: [a]\n", ":2: ", "'library' needs a text such as /var/lib/camerabus"),
    ("name: a\nlibrary: [a]\n", ":2: ", "not a list"),
    ("name: \"\"\n", ":1: ", "'name' needs a text such as front-desk, not nothing"),
    ("name:\n  front: desk\n", ":2: ", "not keys of its own"),
    ("name: a\n\nkeep_trying: maybe\n", ":3: ", "'keep_trying' needs true or false, not 'maybe'"),
    ("insecure:\n  - true\n", ":2: ", "'insecure' needs true or false, not a list"),
    ("log: loud\n", ":1: ", "'log' is one of trace, debug, info, warning, error, not 'loud'"),
    ("cameras: front\n", ":1: ", "NAME: SPEC"),
    ("cameras:\n  - synthetic\n", ":2: ", "NAME: SPEC"),
    ("cameras:\n  a: synthetic\n  b: webcam\n", ":3: ", "camera b: 'webcam' is no camera"),
    ("cameras:\n  a: synthetic\n  b c: synthetic\n", ":3: ", "'b c' is no name"),
    (
      "cameras:\n  a:\n    device: /dev/video0\n", ":3: ",
      "'a' needs a text such as v4l2:/dev/video0"
    ),
    ("name: a\nclock_error: 2ms\n\n  more\n", ":2: ", "'clock_error' "),
    ("# Two\nname: a\nname: b\n", ":2: ", "'name' is there twice"),
    ("adopt: usb\n", ":1: ", "usb-*: driver=uvcvideo"),
    ("adopt:\n  usb-*: uvcvideo\n", ":2: ", "adoption of usb-*: it names no devices"),
    ("cameras:\n  a: synthetic\n  a: auto\n", ":2: ", "'a' is there twice"),
    ("name: a\ncameras: {\n", ":3: ", "no YAML"),
    ("name: 'a\n", ":2: ", "no YAML"),
    ("name: \u{7}\n", "", "no YAML"),
    ("# Only\n- a\n", ":2: ", "there are no keys"), ("", ":1: ", "there are no keys"),
    ("just text\n", ":1: ", "there are no keys"),
  ])
  func `An error names the line of the mistake`(yaml: String, line: String, hint: String) throws {
    let error = try #require(try read(yaml).1.first)
    #expect(error.message.contains("camerad.yaml\(line)"), "\(error)")
    #expect(error.message.contains(hint), "\(error)")
    #expect(!error.message.contains("\n"))
    #expect(error.isInFile)
  }

  @Test func `Every mistake is found, and the right settings take effect`() throws {
    let (configuration, mistakes) = try read(
      """
      nmae: rig
      control: 5570
      keep_trying: perhaps
      cameras:
        a: synthetic
        b: webcam
        c d: synthetic
      """)
    let lines = (mistakes + configuration.mistakes()).map {
      $0.message.split(separator: ":")[1]
    }
    #expect(lines == ["1", "3", "6", "7", "2"])
    #expect(configuration.cameras.map(\.name) == ["a"])
  }

  @Test func `A wrong endpoint is reported at its line, and an option that replaces it is not`()
    throws
  {
    var (configuration, _) = try read(
      "cameras:\n  a: synthetic\nevents: tcp://0.0.0.0:5571\nframes: here\n")
    let messages = configuration.mistakes().map(\.message)
    #expect(messages.count == 2)
    #expect(messages.first?.contains("camerad.yaml:3: 'events' tcp://0.0.0.0:5571") == true)
    #expect(messages.first?.contains("set insecure: true") == true)
    #expect(messages.last?.contains("camerad.yaml:4: 'frames' here is no endpoint") == true)
    configuration.events = "tcp://*:1"
    configuration.origins["events"] = nil
    #expect(configuration.mistakes().first?.message.hasPrefix("--events tcp://*:1") == true)
  }

  @Test func `An error names the file that cannot be read, and the cause`() throws {
    let folder = try TemporaryFolder()
    let binary = try folder.write(Data([0x6e, 0xff, 0xfe]), to: "binary.yaml")
    let circle = "\(folder.path)/circle.yaml"
    try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: circle)
    for (path, hint) in [
      ("\(folder.path)/none.yaml", "no such file"), ("/dev/null/rig.yaml", "no such file"),
      (folder.path, "is a folder"), (binary, "UTF-8"), (circle, "circle"),
      ("/dev/zero", "more than a mebibyte"),
    ] {
      let error = try #require(throws: ConfigurationError.self) {
        try ConfigurationFile(path: path)
      }
      #expect(error.message.hasPrefix("--config \(path) "))
      #expect(error.message.contains(hint), "\(error)")
    }
  }
}
