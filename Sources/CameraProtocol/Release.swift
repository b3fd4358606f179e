/// The release of CameraBus. Both programs print it, and a node's status reports it.
package enum Release {
  package static let version = "0.1.0"
}
