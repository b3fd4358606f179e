import Glibc

/// The name of a machine.
package enum HostName {
  /// Why the name stands for no address; nil if it does. It may ask other machines, so it can take
  /// seconds.
  package static func problem(with name: String) -> String? {
    var addresses: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(name, nil, nil, &addresses)
    if let addresses = unsafe addresses { unsafe freeaddrinfo(addresses) }
    return status == 0 ? nil : unsafe String(cString: gai_strerror(status))
  }
}
