import TestSupport
import Testing

@testable import Capture

/// What a session makes of values that an automatic of the camera overrules.
@Suite(.timeLimit(.minutes(5)))
struct AutomaticTests {
  private typealias Setting = CaptureSession.Setting

  @Test func `A value that an automatic has overruled since is not missed after a restart`()
    async throws
  {
    try await TestCamera.with { camera in
      let session = camera.session
      _ = try await session.set([
        Setting(ControlID(rawValue: "exposure.duration"), to: .number(0.02))
      ])
      _ = try await session.set([Setting(ControlID(rawValue: "exposure.mode"), to: .string("auto"))]
      )
      await session.stop()
      try await session.start()
      await camera.firstFrame(ofRun: 2)
      let remarks = camera.events.events.compactMap { event in
        if case .remark(let text) = event { text } else { nil }
      }
      #expect(remarks.isEmpty, "\(remarks)")
    }
  }

  @Test func `A bias is refused in words that help while the exposure is locked`() async throws {
    try await TestCamera.with { camera in
      let session = camera.session
      _ = try await session.set([
        Setting(ControlID(rawValue: "exposure.mode"), to: .string("locked"))
      ])
      for (id, value) in [
        ("exposure.bias", ControlValue.number(0.5)), ("auto_exposure_bias", .integer(5)),
      ] {
        let error = await #expect(throws: CaptureError.self) {
          try await session.set([Setting(ControlID(rawValue: id), to: value)])
        }
        #expect(error?.code == .controlNotWritable && error?.field == id)
        #expect(error?.message.contains("set exposure.mode=auto first") == true)
      }
    }
  }
}
