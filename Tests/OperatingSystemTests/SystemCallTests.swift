import Glibc
import OperatingSystem
import Testing

struct SystemCallTests {
  @Test func `A call that a signal interrupts is repeated`() throws {
    var attempts = 0
    let result = try systemCall("count") { () -> Int32 in
      attempts += 1
      guard attempts == 3 else {
        errno = EINTR
        return -1
      }
      return 7
    }
    #expect(result == 7)
    #expect(attempts == 3)
  }

  @Test func `The error of a failed call names the call and the reason`() {
    let error = #expect(throws: SystemError.self) {
      try systemCall("open /nowhere") { unsafe open("/nowhere", O_RDONLY) }
    }
    #expect(error == SystemError(errno: ENOENT, operation: "open /nowhere"))
    #expect(error?.description == "open /nowhere: No such file or directory")
  }
}
