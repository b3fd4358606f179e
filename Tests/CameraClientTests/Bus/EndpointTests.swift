import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraClient

struct EndpointTests {
  @Test(arguments: [
    "tcp://127.0.0.1:5570", "tcp://camera-7.local:1", "tcp://[::1]:5570", "ipc:///run/cameras",
  ])
  func `An endpoint keeps its text`(text: String) throws {
    #expect(try Endpoint(text).description == text)
  }

  @Test(arguments: [
    "", "127.0.0.1:5570", "tcp://127.0.0.1", "tcp://:5570", "tcp://host:0", "tcp://host:65536",
    "tcp://host:port", "tcp://::1:5570", "tcp://[::1:5570", "tcp://[host]:5570", "tcp://[]:1",
    "tcp://a b:1", "ipc://", "http://host:80", "udp://host:1",
  ])
  func `A text that is no endpoint is refused, and the error shows the right form`(text: String)
    async
  {
    let error = await failure { () throws(CameraBusError) in _ = try Endpoint(text) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("tcp://HOST:PORT") == true)
  }

  @Test(arguments: [
    ("tcp://10.0.0.7:5570", [false, false, false]), ("ipc:///run/control", [false, false, false]),
    ("tcp://[fe80::1%eth0]:5570", [true, true, true]),
    ("tcp://camera-7.local:5570", [false, true, false]),
    ("tcp://10.0.0.7.example:5570", [false, true, false]),
  ])
  func `Only names are tried with the addresses of both families`(
    text: String, isIPv6: [Bool]
  ) throws {
    var family = AddressFamily(of: try Endpoint(text))
    var tried = [family.isIPv6]
    for _ in 1...2 {
      let isTriedAgain = family.attemptFailed()
      #expect(isTriedAgain == (isIPv6[0] != isIPv6[1]))
      tried.append(family.isIPv6)
    }
    #expect(tried == isIPv6)
  }

  @Test(arguments: [
    ("ipc:///run/bus/control", "ipc:///run/bus/frames"),
    ("tcp://10.0.0.7:5570", "tcp://10.0.0.7:5572"),
  ])
  func `Frames come over the same transport as requests`(control: String, frames: String) throws {
    let status = WireStatusReply.with {
      $0.framesEndpoint = "tcp://0.0.0.0:5572"
      $0.framesIpcEndpoint = "ipc:///run/bus/frames"
    }
    #expect(
      try EndpointLookup(control: control).endpoint(of: .frames, status).description == frames)
  }

  @Test func `Frames come over tcp where the node publishes over tcp only`() throws {
    let status = WireStatusReply.with { $0.framesEndpoint = "tcp://127.0.0.1:5572" }
    let endpoints = try EndpointLookup(control: "ipc:///run/bus/control")
    #expect(try endpoints.endpoint(of: .frames, status).description == "tcp://127.0.0.1:5572")
  }

  @Test(arguments: [
    ("tcp://0.0.0.0:5571", "tcp://10.0.0.7:5571"), ("tcp://*:5571", "tcp://10.0.0.7:5571"),
    ("tcp://[::]:5571", "tcp://10.0.0.7:5571"), ("tcp://172.17.0.2:5571", "tcp://10.0.0.7:5571"),
    ("ipc:///run/events", "ipc:///run/events"),
  ])
  func `Publications are reached at the host of the control endpoint`(
    published: String, reached: String
  ) throws {
    let control = try Endpoint("tcp://10.0.0.7:5570")
    #expect(try Endpoint(published).reached(like: control).description == reached)
  }
}
