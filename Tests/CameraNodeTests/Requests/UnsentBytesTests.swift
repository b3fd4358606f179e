import TestSupport
import Testing

@testable import CameraNode

struct UnsentBytesTests {
  private func parcel(
    _ byteCount: Int, for client: ClientAddress, of unsent: UnsentBytes
  ) -> UnsentBytes.Parcel {
    unsent.parcel([UInt8](repeating: 0, count: byteCount), for: client)
  }

  @Test func `What waits for a connection that was shut down counts until libzmq frees it`() {
    let unsent = UnsentBytes()
    var first = [parcel(100, for: [1], of: unsent), parcel(10, for: [1], of: unsent)]
    var second = parcel(1000, for: [2], of: unsent)
    #expect(unsent.open == 1110 && unsent.ending == 0)
    #expect(unsent.endStalest() == [1])
    #expect(unsent.open == 1000 && unsent.ending == 110)
    first.removeLast()
    #expect(unsent.ending == 100 && unsent[[1]] == 100)
    first = []
    #expect(unsent.open == 1000 && unsent.ending == 0)
    second = parcel(5, for: [2], of: unsent)
    #expect(unsent.open == 5)
    withExtendedLifetime(second) {}
  }

  @Test func `Memory is given back once when little waits after much has waited`() {
    let unsent = UnsentBytes()
    let lulls = Recorded<Int>()
    unsent.onLull { [unowned unsent] in lulls.add(unsent.open) }
    var little = parcel(1 << 20, for: [1], of: unsent)
    little = parcel(10, for: [1], of: unsent)
    #expect(lulls.events.isEmpty)
    var much = (0..<16).map { _ in parcel(1 << 20, for: [2], of: unsent) }
    much.removeLast(10)
    #expect(lulls.events.isEmpty)
    much = []
    little = parcel(20, for: [1], of: unsent)
    #expect(lulls.events == [10])
    withExtendedLifetime(little) {}
  }
}
