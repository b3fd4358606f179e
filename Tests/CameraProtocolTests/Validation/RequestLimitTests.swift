import Foundation
import SwiftProtobuf
import Testing

@testable import CameraProtocol

/// Limits that would make the golden vectors too long.
@Suite("Limits of requests")
struct RequestLimitTests {
  @Test("At most 256 controls can be read at once")
  func controlNames() {
    #expect(flaw(.controlsGet(.with { $0.ids = Array(repeating: "a", count: 256) })) == nil)
    #expect(
      flaw(.controlsGet(.with { $0.ids = Array(repeating: "a", count: 257) }))
        == "controls_get.ids")
  }

  @Test("At most 64 controls can be set at once")
  func settings() {
    let setting = WireControlsSetRequest.Setting.with {
      $0.id = "a"
      $0.value.integer = 0
    }
    func set(_ count: Int) -> WireRequest.OneOf_Body {
      .controlsSet(.with { $0.settings = Array(repeating: setting, count: count) })
    }
    #expect(flaw(set(64)) == nil)
    #expect(flaw(set(65)) == "controls_set.settings")
  }

  @Test("Without settings a ramp can only be ended")
  func stopRamp() {
    #expect(flaw(.controlsSet(.with { $0.stopRamp = true })) == nil)
    #expect(flaw(.controlsSet(.with { $0.stopRamp = false })) == "controls_set.settings")
  }

  @Test("A value has at most the length that the protocol allows")
  func values() {
    #expect(flaw(setting(.array(.with { $0.elements = Array(repeating: 0, count: 4096) }))) == nil)
    #expect(flaw(setting(.string(String(repeating: "a", count: 4096)))) == nil)
    #expect(flaw(setting(.bytes(Data(count: 65_536)))) == nil)
    #expect(flaw(setting(nil)) == nil, "an empty value presses a button")
    let field = "controls_set.settings.value"
    #expect(
      flaw(setting(.array(.with { $0.elements = Array(repeating: 0, count: 4097) }))) == field)
    #expect(flaw(setting(.string(String(repeating: "a", count: 4097)))) == field)
    #expect(flaw(setting(.bytes(Data(count: 65_537)))) == field)
  }

  @Test("A movie is allowed the bytes of a frame at least")
  func movieSize() {
    for (byteCount, field) in [
      (0, nil), (1, "record_start.maximum_bytes"), (65_535, "record_start.maximum_bytes"),
      (65_536, nil),
    ] as [(UInt64, String?)] {
      #expect(flaw(.recordStart(.with { $0.maximumBytes = byteCount })) == field)
    }
  }

  private func setting(_ value: WireControlValue.OneOf_Value?) -> WireRequest.OneOf_Body {
    .controlsSet(
      .with {
        $0.settings = [
          .with {
            $0.id = "a"
            $0.value.value = value
          }
        ]
      })
  }

  private func flaw(_ body: WireRequest.OneOf_Body) -> String? {
    WireRequest.with {
      $0.id = RequestID.random().data
      $0.body = body
    }.flaw?.field
  }
}
