import Glibc

/// The processors of the machine.
package enum Processors {
  /// How many there are; at least 1.
  package static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
