import Testing

@testable import CameraNode

struct BindAddressTests {
  @Test(arguments: [
    "tcp://127.0.0.1:5570", "tcp://127.0.0.1:*", "tcp://127.0.0.1:0", "tcp://127.1.2.3:65535",
    "tcp://lo:5570", "tcp://[::1]:5570", "tcp://[0:0:0:0:0:0:0:1]:0", "tcp://[::ffff:127.0.0.1]:0",
    "ipc:///run/camerabus/control", "ipc://*",
  ])
  func `Local endpoints are recognised`(text: String) throws {
    #expect(try BindAddress(text, key: "control", origin: .option("control")).isLocal)
  }

  @Test(arguments: [
    "tcp://*:5570", "tcp://0.0.0.0:5570", "tcp://192.168.1.2:5570", "tcp://eth0:*",
    "tcp://127.example.org:5570", "tcp://127.0.0.1.example.org:5570", "tcp://[::]:5570",
    "tcp://[fd77::1]:5570", "tcp://[fe80::1%eth0]:5570", "tcp://[::ffff:10.0.0.7]:5570",
  ])
  func `Endpoints that other machines can reach are recognised`(text: String) throws {
    #expect(try !BindAddress(text, key: "control", origin: .option("control")).isLocal)
  }

  @Test(arguments: [
    ("tcp://[::]:1", "tcp://127.0.0.1:1", true), ("tcp://[::]:1", "tcp://[fd77::1]:1", true),
    ("tcp://*:1", "tcp://10.0.0.7:1", true), ("tcp://0.0.0.0:1", "tcp://[fd77::1]:1", false),
    ("tcp://[::1]:1", "tcp://[0::1]:1", true), ("tcp://[::1]:1", "tcp://127.0.0.1:1", false),
    ("tcp://[::1]:1", "tcp://[::1]:2", false), ("tcp://[::]:0", "tcp://[::]:0", false),
  ])
  func `Addresses that cannot both be listened at are recognised`(
    first: String, second: String, overlaps: Bool
  ) throws {
    let first = try BindAddress(first, key: "control", origin: .option("control"))
    let second = try BindAddress(second, key: "events", origin: .option("events"))
    #expect(first.overlaps(second) == overlaps && second.overlaps(first) == overlaps)
  }

  @Test(arguments: [
    "", "5570", "tcp", "tcp://", "tcp://:5570", "tcp://127.0.0.1", "tcp://127.0.0.1:",
    "tcp://127.0.0.1:x", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:-1", "udp://127.0.0.1:5570",
    "ipc://", "inproc://x", "tcp://localhost:5570", "tcp://::1:5570", "tcp://[::1:5570",
    "tcp://[]:5570", "tcp://[:::]:5570", "tcp://[fe80::1%]:5570", "tcp://[10.0.0.7]:5570",
  ])
  func `Invalid endpoints are refused, and the error names the option`(text: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try BindAddress(text, key: "events", origin: .option("events"))
    }
    #expect(error.message.contains("--events \(text)"))
  }
}
