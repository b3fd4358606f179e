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
    (EIO, .storageFailed, "check the disk"),
  ])
  func `a failed system call has a code and a remedy`(
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
  func `a failure of the index has a code and names the folder`(
    result: ResultCode,
    code: MediaLibraryError.Code
  ) {
    let error = MediaLibraryError(index: DatabaseError(resultCode: result), in: "/media")
    #expect(error.code == code && error.message.contains("/media"))
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01", "19700101T000000.000Z"),
    (-1, "1969-12-31", "19691231T235959.999Z"),
    (951_782_400_000_999_999, "2000-02-29", "20000229T000000.000Z"),
    (.max, "2262-04-11", "22620411T234716.854Z"),
    (.min, "1677-09-21", "16770921T001243.145Z"),
  ])
  func `a moment is named by its day and time in UTC, rounded down`(
    nanoseconds: Int64,
    day: String,
    stamp: String
  ) {
    let time = CalendarTime(nanoseconds)
    #expect(time.day == day && time.stamp == stamp)
  }
}
