import Glibc

/// The size that no file of this process may exceed (ulimit -f).
package enum FileSizeLimit {
  /// Makes a write beyond the limit fail with `EFBIG` instead of ending the process.
  package static func reportAsError() {
    signal(SIGXFSZ, SIG_IGN)
  }
}
