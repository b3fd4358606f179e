import OperatingSystem
import Testing

struct ClockKeeperTests {
  @Test(
    arguments: [
      ([], false), (["chronyd /usr/sbin/chronyd"], true), (["ntpd /usr/sbin/ntpd -g"], true),
      // OpenNTPD.
      (["ntpd /usr/sbin/ntpd -f", "ntpd ntpd: ntp engine"], false),
      (["systemd-timesyn /lib/systemd/systemd-timesyncd"], false),
      (["chronyd /usr/sbin/chronyd", "phc2sys phc2sys -a"], false),
      (["ptp4l ptp4l -i eth0", "chronyd /usr/sbin/chronyd"], false),
      (["bash bash", "chronyd /usr/sbin/chronyd"], true),
    ] as [([String], Bool)])
  func `A bound is computed by chronyd or ntpd, if nobody writes zero`(
    running: [String], expected: Bool
  ) {
    let programs = running.map { line in
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      return ClockKeepers.Program(name: words[0], title: words[1])
    }
    #expect(ClockKeepers.compute(programs) == expected)
  }
}
