package import CameraClient
import FoundationEssentials
import Keys
import OperatingSystem

/// The node to use, and the credentials to try, one after the other.
package struct NodeChoice {
  package let control: String
  package let credentials: [Credentials?]

  /// - Parameter text: An endpoint, or the name of a node that the user knows; nil is what
  ///   CAMERABUS_NODE names, or the standard endpoint.
  /// - Throws: `invalidArgument` for a text that is neither.
  package init(known text: String?) throws(CameraBusError) {
    let text =
      text ?? ProcessInfo.processInfo.environment["CAMERABUS_NODE"] ?? CameraBus.defaultControl
    guard text.contains(":") || text.isEmpty else {
      let (control, credentials) = try Credentials.ofNode(named: text)
      (self.control, self.credentials) = (control, [credentials])
      return
    }
    control = text
    let known = try Credentials.ofNode(at: text)
    let owners = Self.isOnThisMachine(text) ? Self.ownersCredentials : []
    let keys = owners + [known].compactMap(\.self)
    // A node on this machine may be another than the owner's, without keys.
    credentials = known == nil ? keys + [nil] : keys
  }

  private static func isOnThisMachine(_ control: String) -> Bool {
    guard let host = control.wholeMatch(of: /tcp:\/\/\[?([^\]]+?)\]?:\d+/)?.1 else { return false }
    let address = IPv6Address(host).map { "\($0)" } ?? String(host)
    return HostName.addresses(withLoopback: true).contains(address)
  }

  /// The keys of the user's own node, and of the machine's service if this user may read them.
  private static var ownersCredentials: [Credentials] {
    Set([DefaultLibrary.path, DefaultLibrary.system]).sorted().compactMap { library in
      .ofOwner(KeyFolder(KeyFolder.standard(forLibrary: library)))
    }
  }
}
