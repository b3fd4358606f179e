import CameraClient
import CameraRig
import Keys

extension NodeChoice {
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
