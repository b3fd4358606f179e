import CameraProtocol
import Capture
import Foundation
import SwiftProtobuf
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
      announce: true
      log: debug
      clock_error: 2.5ms
      pressure: off
      group: daemon
      reserve: 2GiB
      cameras:
        front: v4l2:/dev/video0,1280x720@30,format=MJPG
        demo: synthetic:1920x1080@30
      microphones:
        desk: alsa:hw:CARD=Device,DEV=0
        test: synthetic:rate=44100
      adopt:
        usb-*: driver=uvcvideo,1280x720@30,format=MJPG
      """)
    #expect(configuration.microphones.map(\.name) == ["desk", "test"])
    #expect(configuration.microphones.first?.source.text == "alsa:hw:CARD=Device,DEV=0")
    #expect(configuration.adoptions.map(\.name) == ["usb-*"])
    #expect(configuration.name == "rig-left")
    #expect(configuration.control == "tcp://127.0.0.1:6570")
    #expect(configuration.events == "tcp://127.0.0.1:6571")
    #expect(configuration.frames == "ipc:///run/frames")
    #expect(configuration.library == "/var/lib/camerabus")
    #expect(configuration.keepsTrying)
    #expect(configuration.isInsecure)
    #expect(configuration.announces)
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
    #expect(!partial.announces)
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
      "a camera has no key 'device': its keys are source, remember,"
    ),
    ("cameras:\n  a: [synthetic]\n", ":2: ", "'a' needs a text such as v4l2:/dev/video0"),
    ("cameras:\n  a: {remember: true}\n", ":2: ", "'a' has no source: write source: v4l2:"),
    ("cameras:\n  a: {source: synthetic, mod: photo}\n", ":2: ", "did you mean 'mode'?"),
    (
      "cameras:\n  a:\n    source: synthetic\n    mode: film\n", ":4: ",
      "'mode' is one of photo, video"
    ),
    (
      "cameras:\n  a: {source: synthetic, preset: best}\n", ":2: ", "'preset' is one of hd1280x720,"
    ),
    (
      "cameras:\n  a: {source: synthetic, capture: {rotation: 45}}\n", ":2: ",
      "'capture' is wrong: a rotation is 0, 90, 180 or 270"
    ),
    (
      "cameras:\n  a: {source: synthetic, preview: {turn: 90}}\n", ":2: ",
      "an orientation has no key 'turn'"
    ),
    (
      "cameras:\n  a: {source: synthetic, maximum_rate: 2000}\n", ":2: ",
      "a range of frame rates lies within 0.001 to 1000"
    ),
    (
      "cameras:\n  a: {source: synthetic, minimum_rate: fast}\n", ":2: ", "needs a number such as 5"
    ),
    (
      "cameras:\n  a: {source: synthetic, streams: {small: {quality: 3}}}\n", ":2: ",
      "a stream is preview, full, raw, h264, or a size"
    ),
    ("quota: {size: big}\n", ":1: ", "'size' needs a size with its unit"),
    (
      "quota: {age: 5}\n", ":1: ", "'age' needs an age above 0 with h, d or w, such as 30d, not '5'"
    ),
    ("quota: {cameras: {a b: {size: 1GiB}}}\n", ":1: ", "'a b' is no name of a camera"),
    ("quota: {cameras: {a: {free: 1GiB}}}\n", ":1: ", "its keys are size, age"),
    ("quota: all\n", ":1: ", "needs keys of its own"),
    (
      "cameras:\n  a: {source: synthetic, streams: {h264: {bit_rate: 9}}}\n", ":2: ",
      "10000 to 1000000000"
    ),
    (
      "cameras:\n  a: {source: synthetic, streams: {h264: {bound: small}}}\n", ":2: ",
      "'bound' needs a size such as 1280x720, not 'small'"
    ),
    (
      "cameras:\n  a: {source: synthetic, streams: {full: {quality: high}}}\n", ":2: ",
      "'quality' needs a whole number such as 60, not 'high'"
    ),
    ("cameras:\n  a: {source: synthetic, streams: {full: off}}\n", ":2: ", "needs keys of its own"),
    (
      "cameras:\n  a: {source: synthetic, controls: {zoom: {a: 1}}}\n", ":2: ",
      "'zoom' needs a value such as 5, auto or [1, 2], not keys of its own"
    ),
    (
      "cameras:\n  a: {source: synthetic, subject_area: 2}\n", ":2: ",
      "the part of a picture is 0 to 1"
    ),
    (
      "cameras:\n  a: {source: synthetic, live_photos: {before: 6s}}\n", ":2: ",
      "at most 5 s before the photo's frame"
    ),
    ("cameras:\n  a: {source: synthetic, live_photos: 2s}\n", ":2: ", "needs keys of its own"),
    ("cameras:\n  a: {source: 'synthetic,idle=1s', idle: 2s}\n", ":2: ", "is a second idle"),
    ("adopt:\n  a: {remember: true}\n", ":2: ", "'a' has no rule: write rule: driver=uvcvideo"),
    ("name: a\nclock_error: 2ms\n\n  more\n", ":2: ", "'clock_error' "),
    ("# Two\nname: a\nname: b\n", ":2: ", "'name' is there twice"),
    ("adopt: usb\n", ":1: ", "usb-*: driver=uvcvideo"),
    ("microphones: desk\n", ":1: ", "desk: alsa:hw:CARD=Device,DEV=0"),
    ("microphones:\n  desk: oss\n", ":2: ", "microphone desk: 'oss' is no microphone"),
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

  @Test func `A camera and a rule have keys that say how they start`() throws {
    let (configuration, mistakes) = try read(
      """
      remember: true
      state: /var/lib/state
      cameras:
        plain: synthetic
        front:
          source: synthetic:640x480@30
          remember: no
          idle: 30s
          calibration: "/dev/null,x"
          position: front
      """)
    #expect(mistakes.first?.message.contains("/dev/null,x") == true, "\(mistakes)")
    #expect(configuration.remembers && configuration.stateFolder == "/var/lib/state")

    let (whole, none) = try read(
      """
      library: /srv/photos/
      cameras:
        front:
          source: synthetic:640x480@30
          remember: no
          idle: 30s
          position: front
          mode: video
          preset: hd1280x720
          maximum_rate: 10
          capture: {rotation: 90, mirrored: yes}
          preview: {rotation: 270}
          streams:
            preview: {maximum_rate: 5, quality: 60}
            full: {enabled: off}
          controls:
            exposure.mode: locked
            torch.mode: on
            gain: 0x10
            point_of_interest: [0.25, 0.5]
          subject_area: 0.5
          live_photos: {before: 1.5s, after: 500ms, microphone: desk}
      adopt:
        usb-*: {rule: "driver=uvcvideo,1280x720@30", rotation: 90, minimum_rate: 5}
      """)
    #expect(none == [] && whole.stateFolder == "/srv/photos-state" && !whole.remembers)
    let camera = try #require(whole.cameras.first)
    #expect(camera.options.idleAfter == .seconds(30) && camera.options.mounting.position == .front)
    #expect(camera.start.remembers == false)
    #expect(
      camera.start.controls.map { "\($0.id)=\($0.text)" } == [
        "exposure.mode=locked", "torch.mode=on", "gain=0x10", "point_of_interest=0.25,0.5",
      ])
    #expect(
      camera.start.request
        == .with {
          ($0.mode, $0.preset) = (.video, .hd1280X720)
          ($0.minimumRate, $0.maximumRate) = (0.001, 10)
          $0.capture = .with { ($0.rotation, $0.mirrored) = (90, true) }
          $0.preview = .with { $0.rotation = 270 }
          $0.streams = [
            .with { ($0.stream, $0.maximumRate, $0.quality) = ("preview", 5, 60) },
            .with { ($0.stream, $0.enabled) = ("full", false) },
          ]
          $0.subjectArea = 0.5
          $0.livePhotos = .with {
            ($0.beforeNs, $0.afterNs) = (1_500_000_000, 500_000_000)
            ($0.sound, $0.microphone) = (true, "desk")
          }
        })
    let rule = try #require(whole.adoptions.first)
    #expect(rule.options.mounting.rotation == 90 && rule.start.request.maximumRate == 1000)
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
