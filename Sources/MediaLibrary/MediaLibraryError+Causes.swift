import GRDB
import Glibc
import OperatingSystem

extension MediaLibraryError {
  /// Describes a failed system call on a file or folder of the library.
  init(_ error: SystemError, in folder: String) {
    switch error.errno {
    case ENOSPC:
      self = .full(folder)
    case EDQUOT:
      self.init(
        .quotaExceeded,
        "the disk quota of user \(geteuid()) is used up in \(folder): delete photos or movies there, or raise it"
      )
    case EACCES, EPERM:
      self.init(
        .permissionDenied,
        "user \(geteuid()) has no permission (\(error.operation)): give it the folder \(folder), "
          + "with chown or chmod, or choose another one"
      )
    case EROFS:
      self.init(
        .readOnly,
        "the disk of \(folder) is mounted read-only: mount it for writing, or choose another folder"
      )
    case ENOTDIR, EEXIST, EISDIR, ELOOP, ENXIO:
      self.init(
        .notAFolder,
        "a folder or file of the library has the wrong kind or is a link (\(error)): move away what is "
          + "there, or choose another folder than \(folder)"
      )
    case ENOENT:
      self.init(
        .storageFailed,
        "the library \(folder) has no place there (\(error)): make its folder, or choose one on a disk"
      )
    case EFBIG:
      self.init(
        .storageFailed,
        "a file in \(folder) may not grow further: raise the limit (ulimit -f), or choose another disk"
      )
    case EMFILE, ENFILE:
      self.init(
        .storageFailed,
        "too many files are open (\(error.operation)): raise the limit (ulimit -n) and try again"
      )
    case EIO:
      self.init(
        .storageFailed,
        "the disk of \(folder) failed (\(error)): see the kernel's log (dmesg), or choose another disk"
      )
    case ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL:
      self.init(
        .storageFailed,
        "\(Self.fileSystem(of: folder)) cannot do what a library needs (\(error)): choose a folder on another one"
      )
    case ESTALE, ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH:
      self.init(
        .storageFailed,
        "\(Self.fileSystem(of: folder)) has lost what is behind it (\(error)): mount it again")
    default:
      self.init(.storageFailed, "the library in \(folder) failed: \(error)")
    }
  }

  /// Describes a failure of the index.
  init(index error: any Error, in folder: String) {
    guard let error = error as? DatabaseError else {
      self.init(.storageFailed, "the index of \(folder) failed: \(error)")
      return
    }
    switch error.extendedResultCode {
    case .SQLITE_IOERR_LOCK, .SQLITE_IOERR_UNLOCK, .SQLITE_IOERR_RDLOCK,
      .SQLITE_IOERR_CHECKRESERVEDLOCK:
      self.init(
        .storageFailed,
        "\(Self.fileSystem(of: folder)) cannot lock the index (\(error)): choose a folder on another one"
      )
      return
    default: break
    }
    switch error.resultCode {
    case .SQLITE_FULL:
      self = .full(folder)
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      self.init(
        .indexDamaged,
        "the index \(folder)/library.sqlite is damaged (\(error.message ?? "no details")): move it away, "
          + "with its -wal; the photos and movies beside it are whole"
      )
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      self.init(
        .permissionDenied,
        "user \(geteuid()) cannot write the index \(folder)/library.sqlite: give it the file with chown or chmod"
      )
    case .SQLITE_BUSY:
      self.init(
        .inUse, "another program has the index \(folder)/library.sqlite open: close it there")
    default:
      self.init(.storageFailed, "the index of \(folder) failed: \(error)")
    }
  }

  private static func fileSystem(of folder: String) -> String {
    let kind = FileSystemKind.of(folder).map { " (\($0))" } ?? ""
    return "the file system of \(folder)\(kind)"
  }

  private static func full(_ folder: String) -> MediaLibraryError {
    MediaLibraryError(
      .storageFull,
      "the disk of \(folder) is full: delete photos or movies there, or choose a folder on another disk"
    )
  }
}
