import CConnections
import Glibc
import Keys
import OperatingSystem
import ZeroMQ

/// Who may use the node, and what for. It judges handshakes, requests and subscriptions.
///
/// It can be used on any thread. A change of the keys holds from the next message on.
final class AccessList: Sendable {
  private struct State {
    /// What each key that may use the node may do, by its user id.
    var keys: [String: Access] = [:]
    /// What each user that has connected over ipc may do, by its user id.
    var users: [String: Access] = [:]
  }

  /// Whether peers over tcp need a key.
  let requiresKeys: Bool
  private let group: FileGroup?
  /// Who has the node's own key can read the folder of keys, and so owns the node.
  private let owner: String?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - nodeKey: The node's own key; nil for a node without keys.
  ///   - group: The group whose members may use the node over ipc.
  init(nodeKey: CurvePublicKey?, group: FileGroup?) {
    requiresKeys = nodeKey != nil
    owner = nodeKey?.z85
    self.group = group
  }

  /// - Parameter keys: Those that may use the node from now on.
  func replace(_ keys: AuthorizedKeys) {
    let accesses = keys.keys.map { key in
      let access = Access(
        name: key.name, role: key.role, cameras: key.cameras, expiry: key.expiry)
      return (key.key.z85, access)
    }
    state.withLock { $0.keys = Dictionary(uniqueKeysWithValues: accesses) }
  }

  // MARK: Handshakes

  func admission(of request: ConnectionRequest) -> Admission {
    guard let domain = AccessDomain(name: request.domain) else { return .refused }
    switch (domain, request.credentials, request.origin) {
    case (.ipc, .null, .process(let process, let user, _)):
      guard let access = access(ofUser: user, process) else { return .refused }
      state.withLock { $0.users[Self.id(ofUser: user)] = access }
      return .admitted(as: Self.id(ofUser: user))
    case (.control, .curve(let key), _), (.publications, .curve(let key), _),
      (.limitedPublications, .curve(let key), _):
      guard let access = access(ofKey: key.z85), domain.admits(access) else { return .refused }
      return .admitted(as: key.z85)
    default: return .refused
    }
  }

  private static func id(ofUser user: UInt32) -> String { "user \(user)" }

  private func access(ofUser user: UInt32, _ process: Int32) -> Access? {
    let role: Role? =
      if user == geteuid() || user == 0 {
        .controller
      } else if let group, group.has(user: user) || Self.process(process, of: user, has: group) {
        .operator
      } else {
        nil
      }
    return role.map { Access(name: Self.id(ofUser: user), role: $0, cameras: nil) }
  }

  /// A process can have a group that the user database does not know its user to be in: a service
  /// manager, for example, gives it to services.
  private static func process(_ id: Int32, of user: UInt32, has group: FileGroup) -> Bool {
    CConnections_has_group(id, user, group.number) != 0
  }

  private func access(ofKey id: String) -> Access? {
    if id == owner { return Access(name: "the node's own key", role: .controller, cameras: nil) }
    guard let access = state.withLock({ $0.keys[id] }) else { return nil }
    return (access.expiry ?? .max) > WallTime.nowNanoseconds ? access : nil
  }

  // MARK: Messages

  /// - Parameter user: The user id that came with a message.
  /// - Returns: Nil if the peer may not use the node, or no more.
  func access(of user: String?) -> Access? {
    guard let user else { return requiresKeys ? nil : .unlimited }
    if let access = state.withLock({ $0.users[user] }) { return access }
    return requiresKeys ? access(ofKey: user) : .unlimited
  }

  /// - Parameter user: The user id that came with a message. Without keys a peer over tcp may claim
  ///   any.
  func holder(_ user: String?, _ client: ClientAddress) -> Holder {
    requiresKeys ? user.map { .peer($0) } ?? .connection(client) : .connection(client)
  }

  /// Whether what comes from this user is encrypted.
  func isEncrypted(_ user: String?) -> Bool {
    guard requiresKeys, let user else { return false }
    return state.withLock { $0.users[user] == nil }
  }
}
