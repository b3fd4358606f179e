import Foundation
import SwiftProtobuf
import Testing

@testable import CameraProtocol

/// What the golden vectors do not hold, because it is long.
@Suite("Limits of requests")
struct RequestLimitTests {
  @Test("256 controls are asked for at once, and no more")
  func controlNames() {
    #expect(flaw(.controlsGet(.with { $0.ids = Array(repeating: "a", count: 256) })) == nil)
    #expect(
      flaw(.controlsGet(.with { $0.ids = Array(repeating: "a", count: 257) }))
        == "controls_get.ids")
  }

  @Test("64 controls are set at once, and no more")
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

  @Test("A value is as long as the contract allows, and no longer")
  func values() {
    #expect(flaw(setting(.array(.with { $0.elements = Array(repeating: 0, count: 4096) }))) == nil)
    #expect(flaw(setting(.string(String(repeating: "a", count: 4096)))) == nil)
    #expect(flaw(setting(.bytes(Data(count: 65_536)))) == nil)
    let field = "controls_set.settings.value"
    #expect(
      flaw(setting(.array(.with { $0.elements = Array(repeating: 0, count: 4097) }))) == field)
    #expect(flaw(setting(.string(String(repeating: "a", count: 4097)))) == field)
    #expect(flaw(setting(.bytes(Data(count: 65_537)))) == field)
  }

  private func setting(_ value: WireControlValue.OneOf_Value) -> WireRequest.OneOf_Body {
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
