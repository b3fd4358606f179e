import CaptureSynthetic
import Testing

@testable import CameraNode

struct NodeConfigurationTests {
  private func configuration(_ cameras: [String] = ["cam=synthetic"]) throws -> NodeConfiguration {
    var configuration = NodeConfiguration(name: "test", library: "/tmp")
    configuration.cameras = try cameras.map { try CameraConfiguration(argument: $0) }
    return configuration
  }

  @Test func `A camera is a name and a specification`() throws {
    let camera = try CameraConfiguration(argument: "front-1=synthetic:640x480@30,format=GREY")
    #expect(camera.name == "front-1")
    let source = try CameraSource(parsing: "synthetic:640x480@30,format=GREY")
    #expect(camera.source == source)
  }

  @Test(arguments: [
    ("synthetic", "write --camera NAME=synthetic"), ("=synthetic", "'' is no name"),
    ("a b=synthetic", "'a b' is no name"), ("a/b=synthetic", "'a/b' is no name"),
    ("\(String(repeating: "x", count: 33))=synthetic", "1 to 32"), ("cam=", "is no camera"),
  ])
  func `A camera without a good name or source is refused`(text: String, hint: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try CameraConfiguration(argument: text)
    }
    #expect(error.message.contains(hint))
  }

  @Test func `The defaults are valid with one camera, and invalid without`() throws {
    try configuration().validate()
    let error = try #require(throws: ConfigurationError.self) { try configuration([]).validate() }
    #expect(error.message.contains("--camera"))
  }

  @Test func `Two cameras need two names`() throws {
    try configuration(["a=synthetic", "b=synthetic"]).validate()
    let error = try #require(throws: ConfigurationError.self) {
      try configuration(["a=synthetic", "a=auto"]).validate()
    }
    #expect(error.message.contains("two cameras are named a"))
  }

  @Test(arguments: [
    (["a=synthetic:,depth=b", "b=synthetic"], nil),
    (["a=synthetic:,depth=c", "b=synthetic:,depth=c", "c=synthetic"], nil),
    (["a=synthetic:,depth=usb-01234567"], nil), (["a=synthetic:,depth=tof"], nil),
    (["a=synthetic:,depth=b"], "no camera b for its depth: the cameras are a, tof, usb-*"),
    (["a=synthetic:,depth=a"], "its own depth camera"),
    (["a=synthetic:,depth=b", "b=synthetic:,depth=c", "c=synthetic"], "b has one of its own"),
  ])
  func `A depth camera is another camera without one`(cameras: [String], words: String?) throws {
    var configuration = try configuration(cameras)
    for rule in ["usb-*=driver=uvcvideo", "tof=model=ToF*"] {
      configuration.adoptions.append(try AdoptionRule(argument: rule))
    }
    let mistakes = configuration.mistakes().map(\.message)
    #expect(mistakes.count == (words == nil ? 0 : 1))
    #expect(words.map { mistakes[0].contains("camera a: ") && mistakes[0].contains($0) } ?? true)
  }

  @Test func `An adopted camera may have a depth camera, but not itself`() throws {
    for (rule, isMistake) in [
      ("usb-*=driver=uvcvideo,depth=a", false), ("usb-*=driver=uvcvideo,depth=usb-01234567", true),
      ("usb=driver=uvcvideo,depth=usb", true), ("usb=driver=uvcvideo,depth=b", true),
    ] {
      var configuration = try configuration(["a=synthetic"])
      configuration.adoptions = [try AdoptionRule(argument: rule)]
      #expect(configuration.mistakes().isEmpty != isMistake)
    }
  }

  @Test(arguments: [
    ("", false), ("   ", false), ("a\nb", false), ("a\u{7}", false), ("a\u{2028}b", false),
    (String(repeating: "x", count: 65), false), (String(repeating: "é", count: 64), true),
    ("front desk", true), ("写真", true),
  ])
  func `A node's name is 1 to 64 printable characters on one line`(
    name: String, isValid: Bool
  ) throws {
    var configuration = try configuration()
    configuration.name = name
    #expect(configuration.mistakes().isEmpty == isValid)
  }

  @Test(arguments: [
    ("tcp://127.0.0.1:7000", "tcp://127.0.0.1:7000", true),
    ("tcp://127.0.0.1:7000", "tcp://0.0.0.0:7000", true),
    ("ipc:///tmp/a", "ipc:///tmp/a", true), ("ipc:///tmp/a", "ipc:///tmp/b", false),
    ("ipc://*", "ipc://*", false), ("tcp://127.0.0.1:0", "tcp://127.0.0.1:0", false),
    ("tcp://127.0.0.1:*", "tcp://127.0.0.1:*", false),
    ("tcp://127.0.0.1:7000", "tcp://127.0.0.2:7000", false),
    ("tcp://127.0.0.1:7000", "tcp://127.0.0.1:7001", false),
  ])
  func `Two endpoints need two ports`(control: String, events: String, isMistake: Bool) throws {
    var configuration = try configuration()
    configuration.isInsecure = true
    configuration.control = control
    configuration.events = events
    #expect(configuration.mistakes().isEmpty != isMistake)
  }

  @Test(arguments: EndpointKind.allCases)
  func `The folder of an ipc socket must be there`(kind: EndpointKind) throws {
    var configuration = try configuration()
    configuration[kind] = "ipc:///no/folder/socket"
    let words = "there is no folder /no/folder for ipc:///no/folder/socket: make it"
    #expect(configuration.mistakes().map(\.message).contains { $0.hasSuffix(words) })
    configuration[kind] = "ipc:///tmp/socket"
    #expect(configuration.mistakes().isEmpty)
  }

  @Test(arguments: EndpointKind.allCases)
  func `An endpoint that other machines can reach needs the insecure option`(
    kind: EndpointKind
  ) throws {
    var configuration = try configuration()
    configuration[kind] = "tcp://*:6000"
    let error = try #require(throws: ConfigurationError.self) { try configuration.validate() }
    #expect(error.message.contains("--insecure"))
    configuration.isInsecure = true
    try configuration.validate()
  }
}
