import Capture
import EventLoop
import OperatingSystem
import Testing

@testable import CameraNode

struct WaitingWorkTests {
  private func refusal(_ work: WaitingWork) -> CaptureError.Code? {
    do throws(CaptureError) { try work.begin() } catch { return error.code }
    return nil
  }

  @Test func `Work that has begun is too late to cancel`() {
    let work = WaitingWork(until: .now + .seconds(60))
    #expect(refusal(work) == nil)
    #expect(!work.cancel())
  }

  @Test func `Work that is cancelled once or twice does not begin`() {
    let work = WaitingWork(until: .now + .seconds(60))
    #expect(work.cancel())
    #expect(work.cancel())
    #expect(refusal(work) == .cancelled)
  }

  @Test func `Work does not begin after its deadline`() {
    #expect(refusal(WaitingWork(until: .now)) == .deadlineExceeded)
  }
}
