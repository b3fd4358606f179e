import TestSupport
import Testing

@testable import OperatingSystem

struct FileSystemKindTests {
  @Test(arguments: [
    ("/", "ext4"), ("/home/a", "ext4"), ("/mnt", "fuse.sshfs"), ("/mnt/a", "fuse.sshfs"),
    ("/mntx", "ext4"), ("/mnt/my disk/lib", "9p"), ("/tmp/x", "tmpfs"),
  ])
  func `The file system of a path is that of the deepest place above it`(
    path: String, kind: String
  ) {
    let table = #"""
      21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      22 21 0:30 / /tmp rw - ext4 /dev/sdb rw
      23 21 0:31 / /tmp rw shared:4 master:2 - tmpfs tmpfs rw,size=2048k
      24 21 0:32 / /mnt rw - fuse.sshfs nas:/ rw
      25 24 0:33 / /mnt/my\040disk rw - 9p share rw
      nonsense
      """#
    #expect(FileSystemKind.of(path, in: table) == kind)
  }

  @Test func `The kernel says what file system a folder is on`() {
    #expect(FileSystemKind.of("/proc/self/fd") == "proc")
    #expect(FileSystemKind.of("/nowhere/at/all") == FileSystemKind.of("/"))
  }
}
