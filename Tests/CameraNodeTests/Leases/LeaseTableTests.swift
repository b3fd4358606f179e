import CameraProtocol
import OperatingSystem
import Testing

@testable import CameraNode

struct LeaseTableTests {
  private let id = RequestID.random()
  private let key = Holder.peer("the key")

  private func time(_ seconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: seconds * 1_000_000_000)
  }

  private func table(owner: Holder) -> LeaseTable {
    var table = LeaseTable()
    table.put(
      Lease(
        id: id, owner: owner, holder: "calibration", since: time(0), term: .seconds(10),
        expiry: time(10)),
      on: "front")
    return table
  }

  @Test func `A lease ends when no request has come with it for its term`() {
    var table = table(owner: key)
    #expect(table.nextExpiry == time(10))
    table.renew(id, by: key, at: time(8))
    #expect(table.expire(at: time(17)).isEmpty)
    #expect(table.nextExpiry == time(18))
    #expect(table.expire(at: time(18)).map(\.camera) == ["front"])
    #expect(table["front"] == nil && table.nextExpiry == nil)
  }

  @Test func `Only its own key may use a lease, and without keys who knows its id`() {
    var keyed = table(owner: key)
    keyed.renew(id, by: .peer("another"), at: time(8))
    #expect(keyed.nextExpiry == time(10))
    #expect(keyed.camera(of: id, for: .peer("another")) == nil)
    #expect(keyed.camera(of: id, for: key) == "front")
    let open = table(owner: .connection([1]))
    #expect(open.camera(of: id, for: .connection([2])) == "front")
    #expect(open.camera(of: .random(), for: .connection([1])) == nil)
  }

  @Test func `An id is that of one lease only`() {
    let table = table(owner: key)
    #expect(table.camera(of: id, otherThan: "front") == nil)
    #expect(table.camera(of: id, otherThan: "left") == "front")
    #expect(table.camera(of: .random(), otherThan: "left") == nil)
  }

  @Test func `The leases of a revoked key end`() {
    var table = table(owner: key)
    #expect(table.end(of: .peer("another")).isEmpty)
    #expect(table.end(of: key).map(\.camera) == ["front"])
    #expect(table["front"] == nil)
  }
}
