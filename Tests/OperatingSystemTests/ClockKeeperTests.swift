import OperatingSystem
import TestSupport
import Testing

struct ClockKeeperTests {
  @Test(
    arguments: [
      ([], false), (["chronyd /usr/sbin/chronyd -F 1"], true), (["ntpd /usr/sbin/ntpd -g"], true),
      // OpenNTPD.
      (["ntpd /usr/sbin/ntpd -f", "ntpd ntpd:_ntp_engine"], false),
      (["systemd-timesyn /lib/systemd/systemd-timesyncd"], false),
      (["chronyd /usr/sbin/chronyd", "phc2sys phc2sys -a"], false),
      (["ptp4l ptp4l -i eth0", "chronyd /usr/sbin/chronyd"], false),
      (["bash bash", "chronyd /usr/sbin/chronyd"], true),
      // It only observes the clock.
      (["chronyd /usr/sbin/chronyd -x"], false), (["chronyd /usr/sbin/chronyd -4dx"], false),
      // The user's name and the file's.
      (["chronyd /usr/sbin/chronyd -ux -f /etc/x -F 1"], true),
      // One serves others while the other keeps the clock.
      (["chronyd /usr/sbin/chronyd -x", "chronyd /usr/sbin/chronyd"], true),
    ] as [([String], Bool)])
  func `A bound is computed by chronyd or ntpd, if nobody writes zero`(
    running: [String], expected: Bool
  ) throws {
    let folder = try TemporaryFolder()
    for (id, line) in running.enumerated() {
      let words = line.split(separator: " ").map { $0.replacing("_", with: " ") }
      try folder.write("\(words[0])\n", to: "proc/\(id + 1)/comm")
      try folder.write(
        words.dropFirst().map { $0 + "\0" }.joined(), to: "proc/\(id + 1)/cmdline")
    }
    #expect(ClockKeepers.compute(ClockKeepers.running(root: folder.path)) == expected)
  }
}
