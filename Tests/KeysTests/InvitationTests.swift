import Testing
import ZeroMQ

@testable import Keys

struct InvitationTests {
  private static let key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
  private static let secret = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"
  private static let line =
    "camerabus://front@192.168.1.10:5570?node=BB88471D65E2659B30C55A5321CEBB5AAB2B70A398645C26DCA2B2FCB43FC518"
    + "&key=7BB864B489AFA3671FBE69101F94B38972F24816DFB01B51656B3FEC8DFD0888"

  private static func invitation(
    _ name: String = "front", _ control: String = "tcp://192.168.1.10:5570"
  ) throws -> Invitation {
    try Invitation(
      name: name, control: control, nodeKey: CurvePublicKey(z85: key),
      guestKey: CurveSecretKey(z85: secret))
  }

  @Test func `The line of the specification has all that a guest needs`() throws {
    let invitation = try Self.invitation()
    #expect(try Invitation(parsing: Self.line) == invitation)
    #expect(try Invitation(parsing: invitation.text) == invitation)
    #expect(invitation.text.lowercased() == Self.line.lowercased())
  }

  @Test(arguments: 1..<Self.line.utf8.count)
  func `A line that was cut off is refused, and its error has no key`(count: Int) {
    let error = #expect(throws: KeyError.self) {
      _ = try Invitation(parsing: String(Self.line.prefix(count)))
    }
    #expect(error?.description.contains("7BB8") == false)
  }

  @Test(arguments: [
    line + "&key=00", line + "&more=00", "https" + line.dropFirst(9),
    line.replacing("node=", with: "n="),
    line.replacing("front", with: "../front"), line.replacing("front", with: ""),
    line.replacing("192.168.1.10", with: "a/b"), line.replacing("192.168.1.10", with: "a'b"),
    line + String(repeating: "0", count: 1000),
  ])
  func `Another line is refused`(line: String) {
    #expect(throws: KeyError.self) { _ = try Invitation(parsing: line) }
  }

  @Test func `Only what others can reach can be invited to`() {
    #expect(throws: KeyError.self) { _ = try Self.invitation("front", "ipc:///run/x") }
    #expect(throws: KeyError.self) { _ = try Self.invitation("a b") }
    #expect(throws: Never.self) { _ = try Self.invitation("front", "tcp://[fe80::1%eth0]:5570") }
  }
}
