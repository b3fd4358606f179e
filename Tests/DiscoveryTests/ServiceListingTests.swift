import Testing

@testable import Discovery

struct ServiceListingTests {
  private static let announcement = NodeAnnouncement(name: "desk", key: .none)

  private static func key(
    _ name: String = "desk", interface: Int32 = 2, family: Int32 = 0
  ) -> ServiceListing.Key {
    ServiceListing.Key(interface: interface, family: family, name: name, domain: "local")
  }

  private static func endpoint(_ address: String, _ interface: String? = "eth0") -> FoundEndpoint? {
    FoundEndpoint(address: address, port: 5570, interface: interface)
  }

  @Test func `A node on two interfaces is one with the furthest endpoint first`() {
    var listing = ServiceListing()
    let addresses = ["fe80::1", "10.0.0.7", "fd00::7", "10.0.0.7"]
    for (index, address) in addresses.enumerated() {
      #expect(listing.expect(Self.key(interface: Int32(index))) == true)
      listing.resolve(
        Self.key(interface: Int32(index)), Self.announcement, at: Self.endpoint(address))
    }
    #expect(
      listing.nodes.map(\.endpoints) == [
        ["tcp://10.0.0.7:5570", "tcp://[fd00::7]:5570", "tcp://[fe80::1%eth0]:5570"]
      ])
    for index in addresses.indices { listing.remove(Self.key(interface: Int32(index))) }
    #expect(listing.nodes == [])
  }

  @Test func `A service that says something else is another node`() {
    var listing = ServiceListing()
    let liar = NodeAnnouncement(name: "desk", key: .unknown)
    for (interface, announcement) in [(Int32(2), Self.announcement), (3, liar)] {
      _ = listing.expect(Self.key(interface: interface))
      listing.resolve(
        Self.key(interface: interface), announcement, at: Self.endpoint("10.0.0.\(interface)"))
    }
    #expect(
      listing.nodes.map(\.endpoints) == [["tcp://10.0.0.2:5570"], ["tcp://10.0.0.3:5570"]])
  }

  @Test func `A service without an answer or an address is no node`() {
    var listing = ServiceListing()
    #expect(listing.expect(Self.key()) == true)
    // It is asked for once.
    #expect(listing.expect(Self.key()) == false)
    #expect(listing.nodes == [])
    listing.resolve(Self.key(), Self.announcement, at: nil)
    #expect(listing.nodes == [])
    listing.resolve(Self.key("unasked"), Self.announcement, at: Self.endpoint("10.0.0.1"))
    #expect(listing.nodes == [])
  }

  @Test func `A flood is bounded`() {
    var listing = ServiceListing()
    for number in 0..<ServiceListing.mostServices {
      #expect(listing.expect(Self.key("\(number)")) == true)
    }
    #expect(!listing.isTruncated)
    #expect(listing.expect(Self.key("one more")) == false)
    #expect(listing.isTruncated)
    for number in 0..<100 {
      listing.remove(Self.key("\(number)"))
      _ = listing.expect(Self.key("desk", interface: Int32(number)))
      listing.resolve(
        Self.key("desk", interface: Int32(number)), Self.announcement,
        at: Self.endpoint("10.0.1.\(number)"))
    }
    #expect(listing.nodes.map(\.endpoints.count) == [ServiceListing.mostEndpoints])
  }

  @Test(arguments: [
    "127.0.0.1", "0.0.0.0", "224.0.0.251", "255.255.255.255", "::1", "::", "ff02::1",
    "::ffff:127.0.0.1", "fe80::1", "", "desk", "10.0.0", "10.0.0.7.1", "1e.0.0.7",
  ])
  func `Addresses that no other machine has are no endpoints`(address: String) {
    #expect(Self.endpoint(address, nil) == nil)
  }

  @Test func `A port is not zero`() {
    #expect(FoundEndpoint(address: "10.0.0.7", port: 0, interface: nil) == nil)
  }

  @Test(arguments: [("desk", nil, "desk"), ("a\u{1B}[2J", nil, "?"), ("desk #2", "desk", "desk")])
  func `A name can always be shown`(service: String, own: String?, shown: String) {
    let announcement = NodeAnnouncement(entries: own.map { [Array("name=\($0)".utf8)] } ?? [])
    let node = FoundNode(
      serviceName: service, announcement: announcement, endpoints: ["tcp://10.0.0.7:5570"])
    #expect(node.name == shown)
  }
}
