import OperatingSystem
import Testing

@testable import CameraNode

/// Rests of 50 to 100 ms; all times are in milliseconds.
final class SubscriptionRestTests {
  private var rest = SubscriptionRest(Duration.milliseconds(50)...Duration.milliseconds(100))

  private static func time(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1_000_000))
  }

  /// Whether a frame that was sent at this moment ends the rest.
  private func frameEndsRest(at moment: Double) -> Bool {
    rest.sentFrame(at: Self.time(moment))
  }

  /// Reads subscriptions at this moment.
  /// - Returns: The latest end of the rest that begins.
  private func read(at moment: Double) -> MonotonicTime? {
    rest.readSubscriptions(at: Self.time(moment))
  }

  private func publish(_ count: Int, every interval: Double, from start: Double = 0) {
    for number in 0..<count { rest.publishes(at: Self.time(start + Double(number) * interval)) }
  }

  @Test func `A rest begins when subscriptions were read, and lasts 100 ms at most`() {
    #expect(read(at: 0) == Self.time(100))
  }

  @Test func `The first frame after 50 ms ends the rest, and no other does`() {
    #expect(!frameEndsRest(at: -10), "there is no rest yet")
    _ = read(at: 0)
    for moment in [10, 20, 30, 40, 49.999] { #expect(!frameEndsRest(at: moment)) }
    #expect(frameEndsRest(at: 50))
    #expect(!frameEndsRest(at: 60), "subscriptions are about to be read")
    #expect(read(at: 60) == Self.time(160))
    #expect(!frameEndsRest(at: 100))
    #expect(frameEndsRest(at: 115))
  }

  @Test func `Reading subscriptions during a rest begins another`() {
    _ = read(at: 0)
    #expect(read(at: 30) == Self.time(130))
    #expect(!frameEndsRest(at: 50))
    #expect(frameEndsRest(at: 80))
  }

  @Test(arguments: [(0.4, false), (0.6, true), (10, true)])
  func `No rest begins while publications are less than half a millisecond apart`(
    interval: Double, begins: Bool
  ) {
    publish(400, every: interval)
    #expect((read(at: 5000) != nil) == begins)
  }

  @Test func `A publisher that was dense rests again when it no longer is`() {
    publish(400, every: 0.1)
    #expect(read(at: 40) == nil)
    publish(1, every: 0, from: 60)
    #expect(read(at: 60) == Self.time(160))
  }

  @Test func `A publisher that becomes dense during a rest begins no other`() {
    _ = read(at: 0)
    publish(400, every: 0.1)
    #expect(frameEndsRest(at: 50))
    #expect(read(at: 50) == nil)
    #expect(!frameEndsRest(at: 90))
  }

  @Test func `A publisher without bounds never rests`() {
    rest = SubscriptionRest(nil)
    #expect(read(at: 0) == nil)
    #expect(!frameEndsRest(at: 1000))
  }
}
