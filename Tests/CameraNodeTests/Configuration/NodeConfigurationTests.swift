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
