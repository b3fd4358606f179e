import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing

struct DeviceTimeTests {
  @Test(
    arguments: [
      (.usbFrames, .usbFrames), (.arrival, .arrival), (.unspecified, .unknown),
      (.UNRECOGNIZED(99), .unknown),
    ] as [(WireDeviceTime.Basis, DeviceTime.Basis)])
  func `A photo has the camera's own time, however a later node found it`(
    wire: WireDeviceTime.Basis, basis: DeviceTime.Basis
  ) throws {
    var photo = WireResolvedCapture()
    #expect(ResolvedCapture(photo).deviceTime == nil)
    photo.deviceTime = .with {
      ($0.ticks, $0.monotonicNs, $0.errorNs, $0.basis) = (.max, -5, .max, wire)
    }
    let time = try #require(ResolvedCapture(photo).deviceTime)
    #expect((time.ticks, time.monotonic.nanoseconds) == (.max, -5))
    #expect(time.error == .nanoseconds(UInt64.max))
    #expect(time.basis == basis)
  }
}
