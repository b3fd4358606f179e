import CameraClient
import FoundationEssentials
import Keys
import OperatingSystem

/// The node to use, and the credentials to try, one after the other.
struct NodeChoice {
  let control: String
  let credentials: [Credentials?]

  /// - Parameter text: `--node`: an endpoint, or the name of a node that the user knows.
  /// - Throws: Wrong usage for a text that is neither.
  init(_ text: String?) throws(CommandFailure) {
    do throws(CameraBusError) {
      try self.init(known: text)
    } catch {
      throw .usage(
        (error.cause as? KeyError)?.isUnknownNode == true
          ? "\(error.message); an endpoint would be tcp://HOST:PORT, such as \(CameraBus.defaultControl)"
          : error.message)
    }
  }

  init(known text: String?) throws(CameraBusError) {
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

  /// Runs `body` with a connection to the node, and closes it however that ends.
  func withBus<R>(
    _ configuration: CameraBus.Configuration, _ body: (CameraBus) async throws -> R
  ) async throws -> R {
    for (index, credentials) in credentials.enumerated() {
      var configuration = configuration
      configuration.credentials = credentials
      let bus: CameraBus
      do throws(CameraBusError) {
        bus = try CameraBus(control, configuration: configuration)
      } catch {
        throw error.code == .invalidArgument ? CommandFailure.usage(error.message) : error
      }
      let result: Result<R, any Error>
      do {
        result = .success(try await body(bus))
      } catch {
        result = .failure(error)
      }
      await bus.close()
      if case .failure(let error as CameraBusError) = result, error.code == .wrongNode,
        index + 1 < self.credentials.count
      {
        continue
      }
      return try result.get()
    }
    preconditionFailure("there are no credentials to try, not even none")
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

extension Endpoint {
  /// - Throws: A failure of wrong usage if other machines cannot reach the endpoint.
  static func requireTCP(_ text: String) throws(CommandFailure) {
    guard let endpoint = try? Endpoint(text), !endpoint.isIPC else {
      throw .usage(
        "'\(text)' is no endpoint for other machines: write tcp://HOST:PORT, such as tcp://192.168.1.10:5570"
      )
    }
  }
}
