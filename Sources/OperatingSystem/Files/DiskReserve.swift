/// The space that a node never fills, so that a full disk does not stop the machine's other
/// programs.
package enum DiskReserve {
  package static let byteCount = 64 << 20
}
