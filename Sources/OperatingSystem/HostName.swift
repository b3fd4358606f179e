import Glibc

/// The names and addresses of machines.
package enum HostName {
  /// What this machine calls itself.
  package static var own: String {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The first IPv4 address under which other machines may reach this one; nil if it is in no
  /// network.
  package static var firstAddress: String? {
    addresses(withLoopback: false).first { !$0.contains(":") }
  }

  /// The machine's addresses of IPv4 and IPv6.
  package static func addresses(withLoopback: Bool) -> [String] {
    interfaceAddresses(withLoopback: withLoopback).map(\.address)
  }

  /// The index of the interface that has this address; nil if none has it. An address of IPv6 is in
  /// its shortest form, with its scope or without.
  package static func interface(of address: String) -> UInt32? {
    let found = interfaceAddresses(withLoopback: true).first { entry in
      entry.address == address || entry.address.prefix { $0 != "%" } == address
    }
    guard let name = found?.interface else { return nil }
    let index = unsafe if_nametoindex(name)
    return index > 0 ? index : nil
  }

  private static func interfaceAddresses(
    withLoopback: Bool
  ) -> [(interface: String, address: String)] {
    var addresses: [(interface: String, address: String)] = []
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ifa_next
      let flags = unsafe Int32(bitPattern: entry.pointee.ifa_flags)
      let isUsable =
        flags & Int32(IFF_UP) != 0 && (withLoopback || flags & Int32(IFF_LOOPBACK) == 0)
      guard isUsable, let address = unsafe entry.pointee.ifa_addr,
        let size = size(ofFamily: unsafe Int32(address.pointee.sa_family))
      else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        unsafe getnameinfo(
          address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let shown = String(
        decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      addresses.append((unsafe String(cString: entry.pointee.ifa_name), shown))
    }
    return addresses
  }

  private static func size(ofFamily family: Int32) -> socklen_t? {
    switch family {
    case AF_INET: socklen_t(MemoryLayout<sockaddr_in>.size)
    case AF_INET6: socklen_t(MemoryLayout<sockaddr_in6>.size)
    default: nil
    }
  }

  /// Why the name stands for no address; nil if it does. It may ask other machines, so it can take
  /// seconds.
  package static func problem(with name: String) -> String? {
    var addresses: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(name, nil, nil, &addresses)
    if let addresses = unsafe addresses { unsafe freeaddrinfo(addresses) }
    return status == 0 ? nil : unsafe String(cString: gai_strerror(status))
  }
}
