import CZeroMQ
import OperatingSystem

/// Both halves of a CURVE key.
public struct CurveKeyPair: Hashable, Sendable {
  /// The half to give to others.
  public let publicKey: CurvePublicKey
  /// The half to keep secret.
  public let secretKey: CurveSecretKey

  /// Makes a new pair from the system's random source.
  ///
  /// - Throws: `curveUnavailable` when the installed libzmq has no CURVE.
  public static func generate() throws(ZeroMQError) -> CurveKeyPair {
    var publicText = [CChar](repeating: 0, count: 41)
    var secretText = [CChar](repeating: 0, count: 41)
    try call { unsafe zmq_curve_keypair(&publicText, &secretText) }
    return CurveKeyPair(
      publicKey: try CurvePublicKey(z85: string(publicText)),
      secretKey: try CurveSecretKey(z85: string(secretText))
    )
  }

  /// Derives the public key from a secret key.
  ///
  /// - Throws: `curveUnavailable` when the installed libzmq has no CURVE.
  public init(secretKey: CurveSecretKey) throws(ZeroMQError) {
    var publicText = [CChar](repeating: 0, count: 41)
    try Self.call { unsafe zmq_curve_public(&publicText, secretKey.z85) }
    self.init(
      publicKey: try CurvePublicKey(z85: Self.string(publicText)),
      secretKey: secretKey
    )
  }

  private init(publicKey: CurvePublicKey, secretKey: CurveSecretKey) {
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  private static func call(_ body: () -> Int32) throws(ZeroMQError) {
    do throws(SystemError) {
      try systemCall("make a key pair", body)
    } catch {
      throw ZeroMQError(error)
    }
  }

  /// The text before the terminating zero.
  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
