import CZeroMQ
import OperatingSystem

extension Socket {
  /// Admits only the peers that the context's ``ZAPHandler`` admits; without a handler, nobody.
  /// Call it before `bind`.
  ///
  /// - Parameter domain: tells the handler which socket a peer wants.
  /// - Precondition: the domain is not empty, because libzmq admits everybody to that one.
  public func requireAdmission(to domain: String) throws(ZeroMQError) {
    precondition(!domain.isEmpty, "the empty domain would admit everybody")
    try core.call("require admission") { raw throws(SystemError) in
      try raw.setOption(ZMQ_ZAP_DOMAIN, Array(domain.utf8))
      // Without this, libzmq admits everybody when there is no handler.
      try raw.setOption(ZMQ_ZAP_ENFORCE_DOMAIN, Int32(1))
    }
  }
}
