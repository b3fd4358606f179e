import Testing

@testable import Discovery

struct AnnouncedPlaceTests {
  @Test(arguments: [
    "tcp://127.0.0.1:5570", "tcp://127.8.0.1:5570", "tcp://[::1]:5570",
    "tcp://[::ffff:127.0.0.1]:5570", "ipc:///run/camerabus/control", "tcp://10.0.0.7:0",
    "tcp://:5570",
    "tcp://[fe80::1:5570",
  ])
  func `What other machines do not reach is no place`(endpoint: String) {
    #expect(AnnouncedPlace(endpoint) == nil)
  }

  @Test func `An endpoint says which addresses it has`() throws {
    let cases: [(String, AnnouncedPlace.Addresses)] = [
      ("tcp://0.0.0.0:5570", .allIPv4), ("tcp://[::]:5570", .all),
      ("tcp://10.0.0.7:5570", .ipv4("10.0.0.7")),
    ]
    for (endpoint, addresses) in cases {
      let place = try #require(AnnouncedPlace(endpoint))
      #expect(place.addresses == addresses)
      #expect(place.port == 5570)
    }
  }

  @Test func `An address is announced on its interface alone`() {
    // The loopback interface is the one that every machine has.
    let place = AnnouncedPlace(.ipv4("127.0.0.1"), port: 1)
    #expect(place.avahiTerms.interface == 1)
    #expect(place.avahiTerms.family == 0)
    // An address that is nowhere, of a block for documentation.
    let gone = AnnouncedPlace(.ipv4("192.0.2.1"), port: 1)
    #expect(gone.avahiTerms.interface == -1)
  }
}
