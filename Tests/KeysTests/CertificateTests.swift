import Testing
import ZeroMQ

@testable import Keys

struct CertificateTests {
  @Test func `A certificate survives being written and read`() throws {
    let keys = try CurveKeyPair.generate()
    for secretKey in [nil, keys.secretKey] {
      let certificate = Certificate(
        keys.publicKey, secretKey: secretKey, metadata: ["role": "viewer", "comment": "a # b = c"])
      #expect(try Certificate(parsing: certificate.text) == certificate)
    }
  }

  /// As `zmq.auth.create_certificates` of pyzmq 27 writes it.
  @Test func `A certificate of pyzmq is read`() throws {
    let certificate = try Certificate(
      parsing: """
        #   ****  Generated on 2026-11-24 06:00:00.000000 by pyzmq  ****
        #   ZeroMQ CURVE **Secret** Certificate
        #   DO NOT PROVIDE THIS FILE TO OTHER USERS nor change its permissions.

        metadata
            email = "ada@example.org"
        curve
            public-key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
            secret-key = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"

        """)
    #expect(certificate.publicKey.z85 == "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID")
    #expect(certificate.secretKey?.z85 == "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs")
    #expect(certificate.metadata == ["email": "ada@example.org"])
    #expect(certificate.publicHalf.secretKey == nil)
  }

  private static let key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"

  @Test(arguments: [
    ("", "there is no public-key below curve"),
    ("public-key = \"\(key)\"", "there is no public-key below curve"),
    ("curve\n    public-key = \"\(key.dropLast())\"", "public-key is not 40 characters in quotes"),
    (
      "curve\n    public-key = \"\(key)\"\n    secret-key = \"short\"",
      "secret-key is not 40 characters in quotes"
    ),
    (
      "curve\n    public-key = \"\(key)\"\n    secret-key = \"\(key)\"",
      "the two keys are not halves of one"
    ),
    (String(repeating: "#\n", count: 10_000), "this is longer than a certificate"),
  ])
  func `A wrong certificate is refused, and its key is not repeated`(
    _ text: String, _ words: String
  ) {
    #expect(#expect(throws: KeyError.self) { try Certificate(parsing: text) }?.description == words)
  }
}
