import Capture
import EventLoop
import OperatingSystem
import Testing

@testable import CameraNode

struct StartPermitTests {
  private func refusal(_ permit: StartPermit) -> CaptureError.Code? {
    do throws(CaptureError) { try permit.take() } catch { return error.code }
    return nil
  }

  @Test func `Work that has begun is too late to cancel`() {
    let permit = StartPermit(until: .now + .seconds(60))
    #expect(refusal(permit) == nil)
    #expect(!permit.cancel())
  }

  @Test func `Work that is cancelled once or twice does not begin`() {
    let permit = StartPermit(until: .now + .seconds(60))
    #expect(permit.cancel())
    #expect(permit.cancel())
    #expect(refusal(permit) == .cancelled)
  }

  @Test func `Work that is stopped does not begin, and the first reason counts`() {
    let permit = StartPermit(until: .now + .seconds(60))
    #expect(permit.cancel(with: .nodeStops))
    #expect(permit.cancel())
    #expect(refusal(permit) == .interrupted)
  }

  @Test func `Work does not begin after its deadline`() {
    #expect(refusal(StartPermit(until: .now)) == .deadlineExceeded)
  }
}
