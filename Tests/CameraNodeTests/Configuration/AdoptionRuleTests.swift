import Capture
import Imaging
import Testing

@testable import CameraNode

struct AdoptionRuleTests {
  private static let device = DeviceDescription(
    identity: "usb-046d_C920_1", model: "HD Pro Webcam C920", location: "/dev/video0",
    driver: "uvcvideo")

  private func rule(_ argument: String) throws -> AdoptionRule {
    try AdoptionRule(argument: argument)
  }

  @Test(arguments: [
    ("cam=driver=uvcvideo", true), ("cam=driver=uvc*", true), ("cam=model=*C920", true),
    ("cam=identity=usb-????_C920_*", true), ("cam=driver=uvcvideo,model=*C920*,1280x720", true),
    ("cam=driver=vivid", false), ("cam=driver=uvcvideo,model=other", false),
    ("cam=model=C920", false),
  ])
  func `A device matches if all patterns do`(_ argument: String, _ matches: Bool) throws {
    #expect(try rule(argument).matches(FoundDevice(Self.device)) == matches)
  }

  @Test func `A pattern for the identity also finds another link of the device`() throws {
    let device = FoundDevice(Self.device, aliases: ["pci-0000:00:14.0-usb-0:1:1.0-video-index0"])
    #expect(try rule("cam=identity=pci-*").matches(device))
    #expect(try rule("cam=identity=usb-*").matches(device))
    #expect(try !rule("cam=identity=platform-*").matches(device))
  }

  @Test func `A rule has the options of a camera`() throws {
    let rule = try rule("cam=1280x720@30,format=YUYV,driver=*,position=back,rotation=90")
    #expect(rule.request.size?.width == 1280 && rule.request.framesPerSecond == 30)
    #expect(rule.request.pixelFormat == .yuyv)
    #expect(rule.options.mounting == DeviceMounting(position: .back, rotation: 90))
  }

  @Test func `A device always gets the same name, and no other device gets it`() throws {
    let rule = try rule("usb-*-x=driver=*")
    let name = rule.cameraName(for: Self.device)
    #expect(name.wholeMatch(of: /usb-[0-9a-f]{8}-x/) != nil)
    var moved = Self.device
    moved.location = "/dev/video7"
    #expect(rule.cameraName(for: moved) == name)
    moved.identity = "usb-046d_C920_2"
    #expect(rule.cameraName(for: moved) != name)
    #expect(rule.mayMakeName(name) && !rule.mayMakeName("usb-x") && !rule.mayMakeName("front"))
    let fixed = try self.rule("front=driver=*")
    #expect(fixed.cameraName(for: Self.device) == "front" && fixed.mayMakeName("front"))
  }

  @Test(arguments: [
    ("cam", "has no rule"), ("cam=", "names no devices"), ("cam=640x480", "names no devices"),
    ("cam=driver=*,place=here", "'place' is no property"), ("=driver=*", "is no name"),
    ("_cam=driver=*", "is no name"), ("a*b*=driver=*", "is no name"), ("ä=driver=*", "is no name"),
    ("abcdefghijklmnopqrstuvwxy*=driver=*", "is no name"), ("cam=driver=*,rotation=5", "rotation"),
    ("cam=driver=*,,", "no option"),
    ("cam=driver=a,driver=b", "given twice"), ("cam=driver", "driver"),
  ])
  func `A mistake is named`(_ argument: String, _ words: String) {
    let error = #expect(throws: ConfigurationError.self) { _ = try rule(argument) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
  }

  @Test func `Names of cameras and of rules differ`() throws {
    var configuration = NodeConfiguration(name: "test", library: "/tmp/library")
    configuration.adoptions = [try rule("cam=driver=a")]
    #expect(configuration.mistakes().isEmpty)
    configuration.adoptions.append(try rule("cam=driver=b"))
    configuration.adoptions.append(try rule("front=driver=b"))
    configuration.cameras = [try CameraConfiguration(argument: "front=synthetic")]
    let words = configuration.mistakes().map(\.message)
    let names = CameraNames(configuration)
    #expect(names.contains("cam") && names.contains("front") && !names.contains("other"))
    #expect(words.count == 2 && words.allSatisfy { $0.contains("give each its own name") })
  }
}
