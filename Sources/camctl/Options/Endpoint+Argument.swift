import CameraClient

extension Endpoint {
  /// - Throws: Wrong usage for what no other machine can reach.
  static func requireTCP(_ text: String) throws(CommandFailure) {
    guard let endpoint = try? Endpoint(text), !endpoint.isIPC else {
      throw .usage(
        "'\(text)' is no endpoint for other machines: write tcp://HOST:PORT, such as tcp://192.168.1.10:5570"
      )
    }
  }
}
