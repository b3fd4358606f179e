import OperatingSystem
import Testing

@testable import CameraNode

struct DownloadPaceTests {
  private let start = MonotonicTime.now
  private let chunk = 256 << 10

  @Test func `A download that is young or fast is not slow`() {
    var pace = DownloadPace(begun: start)
    #expect(pace.slowness(over: .seconds(10), at: start + .seconds(9)) == nil)
    #expect(pace.slowness(over: .seconds(10), at: start + .seconds(10)) == 0)
    for second in 10..<14 { pace.sent(chunk, at: start + .seconds(second)) }
    #expect(pace.slowness(over: .seconds(10), at: start + .seconds(19)) == nil)
  }

  @Test func `Only the last seconds count, however little or much was sent before`() {
    var pace = DownloadPace(begun: start)
    for _ in 0..<1000 { pace.sent(chunk, at: start + .seconds(1)) }
    pace.sent(chunk, at: start + .seconds(8))
    #expect(pace.slowness(over: .seconds(10), at: start + .seconds(10)) == nil)
    #expect(pace.slowness(over: .seconds(10), at: start + .seconds(11)) == chunk)
    #expect(pace.slowness(over: .seconds(10), at: start + .seconds(18)) == 0)
  }
}
