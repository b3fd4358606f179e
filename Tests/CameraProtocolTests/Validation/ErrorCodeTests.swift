import SwiftProtobuf
import Testing

@testable import CameraProtocol

@Suite("Error codes")
struct ErrorCodeTests {
  @Test("Only errors whose cause may end by itself are retryable")
  func retryable() {
    let retryable: Set<WireErrorCode> = [
      .notRunning, .interrupted, .busy, .deadlineExceeded, .deviceNotFound, .deviceBusy,
      .noBandwidth, .deviceFailed,
    ]
    #expect(Set(WireErrorCode.allCases.filter(\.isRetryable)) == retryable)
    #expect(!WireErrorCode.UNRECOGNIZED(1000).isRetryable)
    #expect(WireError(.busy, "wait").retryable)
    #expect(!WireError(.conflict, "stop first").retryable)
  }

  @Test("What a request says cannot control a terminal by an error")
  func escaped() {
    let error = WireError(
      .unsupportedFormat, "\u{1B}[2J\u{202E}× is no pixel format", field: "a\nb")
    #expect(error.message == "\\u{1B}[2J\\u{202E}× is no pixel format")
    #expect(error.field == "a\\u{A}b")
  }

  @Test(
    "A name is shown as it is",
    arguments: [
      ("front", true), ("Küche 2", true), (" a", true), ("", false), (" ", false),
      ("\u{A0}\u{2003}", false), ("a\u{1B}b", false), ("a\nb", false), ("\u{202E}a", false),
    ])
  func shown(_ name: String, isShown: Bool) {
    #expect(name.isShownName == isShown)
  }
}
