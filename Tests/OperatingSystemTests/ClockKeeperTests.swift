import OperatingSystem
import TestSupport
import Testing

struct ClockKeeperTests {
  @Test(
    arguments: [
      ([], nil), (["chronyd /usr/sbin/chronyd -F 1"], .chronyd),
      (["ntpd /usr/sbin/ntpd -g"], .ntpd),
      // OpenNTPD.
      (["ntpd /usr/sbin/ntpd -f", "ntpd ntpd:_ntp_engine"], nil),
      (["systemd-timesyn /lib/systemd/systemd-timesyncd"], nil),
      (["chronyd /usr/sbin/chronyd", "phc2sys phc2sys -a"], nil),
      (["ptp4l ptp4l -i eth0", "chronyd /usr/sbin/chronyd"], nil),
      (["bash bash", "chronyd /usr/sbin/chronyd"], .chronyd),
      // It only observes the clock.
      (["chronyd /usr/sbin/chronyd -x"], nil), (["chronyd /usr/sbin/chronyd -4dx"], nil),
      // The user's name and the file's.
      (["chronyd /usr/sbin/chronyd -ux -f /etc/x -F 1"], .chronyd),
      // One serves others while the other keeps the clock.
      (["chronyd /usr/sbin/chronyd -x", "chronyd /usr/sbin/chronyd"], .chronyd),
    ] as [([String], WallClockError.Source?)])
  func `A bound is computed by chronyd or ntpd, if nobody writes zero`(
    running: [String], expected: WallClockError.Source?
  ) throws {
    let folder = try TemporaryFolder()
    for (id, line) in running.enumerated() {
      let words = line.split(separator: " ").map { $0.replacing("_", with: " ") }
      try folder.write("\(words[0])\n", to: "proc/\(id + 1)/comm")
      try folder.write(
        words.dropFirst().map { $0 + "\0" }.joined(), to: "proc/\(id + 1)/cmdline")
    }
    #expect(ClockKeepers.source(ClockKeepers.running(root: folder.path)) == expected)
  }
}
