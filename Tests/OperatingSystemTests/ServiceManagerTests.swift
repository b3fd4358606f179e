import Glibc
import Testing

@testable import OperatingSystem

struct ServiceManagerTests {
  @Test func `Nobody wants to be told anything without a socket`() {
    for path in [nil, "", "notify"] {
      #expect(ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil } == nil)
    }
  }

  @Test(
    arguments: [
      ("1000000", nil, 1.0), ("1000000", "\(getpid())", 1.0), ("1000000", "1", nil),
      (nil, nil, nil),
      ("0", nil, nil), ("-5", nil, nil), ("often", nil, nil),
    ] as [(String?, String?, Double?)])
  func `A watchdog is for the process that it names`(
    interval: String?, process: String?, seconds: Double?
  ) {
    let manager = ServiceManager { name in
      ["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": interval, "WATCHDOG_PID": process][name] ?? nil
    }
    #expect(manager?.watchdogInterval == seconds.map { .seconds($0) })
  }

  /// The abstract namespace, as systemd uses it in some versions.
  @Test func `A socket without a file is told too`() throws {
    let name = "camerabus-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0[1...].copyBytes(from: name.utf8)
    }
    let size = socklen_t(2 + 1 + name.utf8.count)
    let status = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size)
      }
    }
    try #require(status == 0)
    let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? "@\(name)" : nil }
    manager?.tell(.ready)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "READY=1")
  }
}
