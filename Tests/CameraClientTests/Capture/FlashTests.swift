import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing

/// What the client asks and hears of the flash.
@Suite(.timeLimit(.minutes(5)))
struct FlashTests {
  @Test(arguments: [(FlashMode.off, WireFlashMode.unspecified), (.on, .on), (.auto, .auto)])
  func `The mode is in the request`(mode: FlashMode, wire: WireFlashMode) async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps(.next, PhotoSettings(flash: mode))
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      guard case .capture(let body) = request.request.body else {
        Issue.record("it is no capture")
        return
      }
      #expect(body.flash == wire)
      _ = steps
    }
  }

  @Test func `Settings say whether it is fired`() {
    for (wire, mode) in [
      (WireFlashMode.on, FlashMode.on), (.off, .off), (.unspecified, .off),
      (.UNRECOGNIZED(9), .off),
    ] {
      #expect(CaptureSettings(.with { $0.flash = wire }).flash == mode)
    }
  }

  @Test func `A photo says how it is known that it is lit`() {
    let bases: [(WireControlEffect.Basis, ControlEffect.Basis?)] = [
      (.metadata, .metadata), (.picture, .picture), (.unspecified, nil),
      (.UNRECOGNIZED(9), .unknown),
    ]
    for (wire, basis) in bases {
      #expect(ResolvedCapture(.with { $0.flash = wire }).flash == basis)
    }
    for lit in [true, false] {
      #expect(FrameFacts(.with { $0.flash = lit }).isLitByFlash == lit)
    }
    #expect(FrameFacts(WireFrameFacts()).isLitByFlash == nil)
  }
}
