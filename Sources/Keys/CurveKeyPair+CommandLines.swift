package import ZeroMQ

extension CurveKeyPair {
  /// A new pair whose public key can be written behind a command: one that begins with a dash would
  /// be taken for an option.
  package static func forCommandLines() throws(ZeroMQError) -> CurveKeyPair {
    while true {
      let pair = try generate()
      if !pair.publicKey.z85.hasPrefix("-") { return pair }
    }
  }
}
