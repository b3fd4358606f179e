import OperatingSystem
import Testing

@testable import CameraClient

/// What a subscription does when nothing comes.
struct SilenceWatchTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private var watch = SilenceWatch(
    timeout: .seconds(10), at: MonotonicTime(nanoseconds: 1_000_000_000_000))

  @Test mutating func `A subscription that never reaches the node is given up`() {
    #expect(watch.deadline(isConnected: false) == start + .seconds(10))
    #expect(watch.expire(at: start + .seconds(9), isConnected: false) == [])
    #expect(watch.expire(at: start + .seconds(10), isConnected: false) == [.giveUp])
  }

  @Test mutating func `A silence of three seconds is reported once, and the connection replaced`() {
    #expect(watch.hear(at: start) == true)
    #expect(watch.deadline(isConnected: true) == start + .seconds(2))
    #expect(watch.expire(at: start + .seconds(2), isConnected: true) == [])
    #expect(watch.deadline(isConnected: true) == start + .seconds(3))
    #expect(
      watch.expire(at: start + .seconds(3), isConnected: true) == [.reportSilence, .reconnect])
    #expect(watch.deadline(isConnected: true) == start + .seconds(6))
    #expect(watch.expire(at: start + .seconds(6), isConnected: true) == [.reconnect])
    #expect(watch.deadline(isConnected: true) == start + .seconds(12))
  }

  @Test mutating func `Without a connection there is nothing to replace`() {
    _ = watch.hear(at: start)
    #expect(watch.expire(at: start + .seconds(2), isConnected: false) == [])
    #expect(watch.expire(at: start + .seconds(3), isConnected: false) == [.reportSilence])
    #expect(watch.deadline(isConnected: false) == nil)
  }

  @Test mutating func `A message moves the deadline, and only an end of silence moves it forward`()
  {
    #expect(watch.hear(at: start) == true)
    #expect(watch.hear(at: start + .seconds(2)) == false)
    #expect(watch.expire(at: start + .seconds(3), isConnected: true) == [])
    #expect(watch.deadline(isConnected: true) == start + .seconds(4))
    #expect(watch.expire(at: start + .seconds(4), isConnected: false) == [])
    #expect(watch.expire(at: start + .seconds(5), isConnected: false) == [.reportSilence])
    #expect(watch.hear(at: start + .seconds(20)) == true)
    #expect(watch.deadline(isConnected: true) == start + .seconds(22))
  }

  @Test
  mutating func `A program that was stopped listens for a second before it calls the node silent`()
  {
    _ = watch.hear(at: start)
    #expect(watch.expire(at: start + .seconds(60), isConnected: true) == [])
    #expect(watch.deadline(isConnected: true) == start + .seconds(61))
    #expect(watch.hear(at: start + .milliseconds(60_500)) == false)
    #expect(watch.expire(at: start + .seconds(61), isConnected: true) == [])
  }
}
