@testable import Keys
@testable import ZeroMQ

extension Fuzzer {
  /// What a handler reads of libzmq: a peer that wants to connect.
  static let admission = Fuzzer(
    run: { input in
      var parts = input.parts(12)
      if parts.last?.isEmpty == true { parts.removeLast() }
      guard let question = ZAPQuestion(parts) else { return }
      let reply = question.reply(question.request == nil ? .refused : .admitted(as: "fuzz"))
      precondition(reply.count == 8 && reply[0] == parts[0], "a reply goes to somebody else")
    },
    seeds: {
      [
        ["10.0.0.7", "NULL"], ["localhost:1000:100:4711", "NULL"],
        ["::1", "PLAIN", "ada", "secret"],
        ["10.0.0.7", "CURVE", String(repeating: "k", count: 32)],
      ].map { (words: [String]) in
        (["id", "", "1.0", "1", "frames", words[0], ""] + words.dropFirst()).flatMap { part in
          [0, UInt8(part.utf8.count)] + Array(part.utf8)
        }
      }
    })

  /// A file that authorizes a key.
  static let certificate = Fuzzer(
    run: { input in
      let text = String(decoding: input.array, as: UTF8.self)
      guard let certificate = try? Certificate(parsing: text),
        let key = try? AuthorizedKey(name: "fuzz", certificate)
      else { return }
      let again = try? AuthorizedKey(name: "fuzz", Certificate(parsing: key.certificate.text))
      precondition(again == key, "a key means something else when it is written again")
    },
    seeds: {
      let key = try CurvePublicKey(z85: "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID")
      return try [
        AuthorizedKey(name: "fuzz", key: key, role: .viewer),
        AuthorizedKey(
          name: "fuzz", key: key, role: .operator, cameras: ["front", "left"],
          expiry: 1_800_000_000_123_456_789, comment: "the arm's"),
      ].map { Array($0.certificate.text.utf8) }
    })

  private static let key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
  private static let secret = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"

  /// The line that an owner gives to a guest.
  static let invitation = Fuzzer(
    run: { input in
      let text = String(decoding: input.array, as: UTF8.self)
      guard let invitation = try? Invitation(parsing: text) else { return }
      precondition(
        (try? Invitation(parsing: invitation.text)) == invitation,
        "an invitation means something else when it is written again")
      precondition(KnownNode.isValid(name: invitation.name), "the name is no file's")
    },
    seeds: {
      try ["192.168.1.10:5570", "[fe80::1%eth0]:5570", "rig.local:1"].map { place in
        let invitation = try Invitation(
          name: "front-1", control: "tcp://\(place)", nodeKey: CurvePublicKey(z85: key),
          guestKey: CurveSecretKey(z85: secret))
        return Array(invitation.text.utf8)
      }
    })

  /// The file with the nodes that a user knows.
  static let nodes = Fuzzer(
    run: { input in
      for node in (try? KnownNodes.nodes(in: input.array)) ?? [] {
        precondition(KnownNode.isValid(name: node.name), "the name is no file's")
      }
    },
    seeds: {
      [
        "front:\n  control: 'tcp://192.168.1.10:5570'\n  key: '\(key)'\n",
        "{a: {control: 'ipc:///x', key: '\(key)'}, 'b': {key: '\(key)', control: x}}", "",
      ].map { Array($0.utf8) }
    })
}
