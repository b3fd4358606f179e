import GRDB
import Glibc
import OperatingSystem
import Testing

@testable import MediaLibrary

@Suite struct ErrorTests {
  @Test(arguments: [
    (ENOSPC, MediaLibraryError.Code.storageFull, "delete photos or movies"),
    (EDQUOT, .quotaExceeded, "quota of user \(geteuid())"),
    (EACCES, .permissionDenied, "chown or chmod"),
    (EPERM, .permissionDenied, "chown or chmod"),
    (EROFS, .readOnly, "mount it for writing"),
    (ENOTDIR, .notAFolder, "move away what is there"),
    (EMFILE, .storageFailed, "ulimit -n"),
    (EFBIG, .storageFailed, "ulimit -f"),
    (EIO, .storageFailed, "see the kernel's log"),
    (ENOLCK, .storageFailed, "cannot do what a library needs"),
    (ENOTCONN, .storageFailed, "mount it again"),
    (EXDEV, .storageFailed, "failed: open /media/x: Invalid cross-device link"),
  ])
  func `A failed system call has a code and a remedy`(
    errno: Int32,
    code: MediaLibraryError.Code,
    remedy: String
  ) {
    let error = MediaLibraryError(
      SystemError(errno: errno, operation: "open /media/x"),
      in: "/media"
    )
    #expect(error.code == code)
    #expect(error.message.contains(remedy) && error.message.contains("/media"))
  }

  @Test(arguments: [
    (ResultCode.SQLITE_FULL, MediaLibraryError.Code.storageFull),
    (.SQLITE_CORRUPT, .indexDamaged),
    (.SQLITE_NOTADB, .indexDamaged),
    (.SQLITE_READONLY, .permissionDenied),
    (.SQLITE_CANTOPEN, .permissionDenied),
    (.SQLITE_IOERR, .storageFailed),
  ])
  func `A failure of the index has a code and names the folder`(
    result: ResultCode,
    code: MediaLibraryError.Code
  ) {
    let error = MediaLibraryError(index: DatabaseError(resultCode: result), in: "/media")
    #expect(error.code == code && error.message.contains("/media"))
  }
}
