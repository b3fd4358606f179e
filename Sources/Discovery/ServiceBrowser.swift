import CAvahi
import Glibc
import OperatingSystem

/// Browses for nodes by Avahi. One thread uses it.
@safe final class ServiceBrowser: AvahiUser {
  /// One service that is being asked for, or whose changes are awaited.
  @safe private final class Request {
    let key: ServiceListing.Key
    unowned let browser: ServiceBrowser
    var resolver: OpaquePointer?

    init(_ key: ServiceListing.Key, of browser: ServiceBrowser) {
      (self.key, self.browser) = (key, browser)
    }
  }

  private let state: SearchState
  private var client: OpaquePointer?
  private var browser: OpaquePointer?
  private var requests: [ServiceListing.Key: Request] = [:]
  private(set) var needsNewConnection = false

  init(_ state: SearchState) { self.state = state }

  func take(_ state: AvahiClientState, of client: OpaquePointer) {
    guard state == AVAHI_CLIENT_S_RUNNING, unsafe browser == nil,
      let avahi = unsafe CAvahi_load()
    else { return }
    unsafe self.client = client
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe browser = avahi.pointee.service_browser_new(
      client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
      NodeAnnouncement.serviceType, nil, AvahiLookupFlags(rawValue: 0),
      { _, interface, family, event, name, _, domain, _, context in
        guard let context = unsafe context else { return }
        let browser = unsafe Unmanaged<ServiceBrowser>.fromOpaque(context).takeUnretainedValue()
        unsafe browser.take(event, interface, family, name, domain)
      }, context)
    guard unsafe browser != nil else { return fail() }
    self.state.change { _ in }
  }

  func end() {
    requests = [:]
    unsafe (client, browser) = (nil, nil)
    needsNewConnection = false
  }

  func report(_ problem: AvahiProblem) { state.take(problem) }

  private func fail() {
    guard let avahi = unsafe CAvahi_load(), let client = unsafe client else { return }
    let error = unsafe avahi.pointee.client_errno(client)
    needsNewConnection = true
    report(.refused(unsafe avahi.pointee.words(for: error)))
  }

  private func take(
    _ event: AvahiBrowserEvent, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ name: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?
  ) {
    guard event != AVAHI_BROWSER_FAILURE else { return fail() }
    guard let name = unsafe name, let domain = unsafe domain else { return }
    // Text that is not in UTF-8 is repaired, and then is of no use for asking: nothing comes of it.
    let key = ServiceListing.Key(
      interface: interface, family: family, name: unsafe String(cString: name),
      domain: unsafe String(cString: domain))
    switch event {
    case AVAHI_BROWSER_NEW:
      if state.change({ $0.expect(key) }) { resolve(key) }
    case AVAHI_BROWSER_REMOVE:
      forget(key)
      state.change { $0.remove(key) }
    default: break
    }
  }

  private func resolve(_ key: ServiceListing.Key) {
    guard let avahi = unsafe CAvahi_load(), let client = unsafe client else { return }
    let request = Request(key, of: self)
    let context = unsafe Unmanaged.passUnretained(request).toOpaque()
    unsafe request.resolver = avahi.pointee.service_resolver_new(
      client, key.interface, key.family, key.name, NodeAnnouncement.serviceType, key.domain,
      key.family, AvahiLookupFlags(rawValue: 0),
      { _, interface, _, event, _, _, _, _, address, port, entries, _, context in
        guard let context = unsafe context else { return }
        let request = unsafe Unmanaged<Request>.fromOpaque(context).takeUnretainedValue()
        let browser = request.browser
        if event == AVAHI_RESOLVER_FOUND, let address = unsafe address {
          unsafe browser.take(address, port, on: interface, entries, for: request.key)
        } else {
          browser.giveUp(request.key)
        }
      }, context)
    guard unsafe request.resolver != nil else {
      // It cannot be a name of a service. The others go on.
      return state.change { $0.remove(key) }
    }
    requests[key] = request
  }

  /// The resolver goes on, and tells when the node says something else.
  private func take(
    _ address: UnsafePointer<AvahiAddress>, _ port: UInt16, on interface: AvahiIfIndex,
    _ entries: UnsafeMutablePointer<AvahiStringList>?, for key: ServiceListing.Key
  ) {
    guard let avahi = unsafe CAvahi_load() else { return }
    var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
    _ = unsafe avahi.pointee.address_snprint(&text, text.count, address)
    let shown = String(
      decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let announcement = NodeAnnouncement(entries: unsafe Self.bytes(of: entries, avahi))
    let endpoint = FoundEndpoint(
      address: shown, port: port, interface: Self.name(ofInterface: interface))
    state.change { $0.resolve(key, announcement, at: endpoint) }
  }

  /// The service did not answer in time.
  private func giveUp(_ key: ServiceListing.Key) {
    forget(key)
    state.change { $0.remove(key) }
  }

  private func forget(_ key: ServiceListing.Key) {
    guard let avahi = unsafe CAvahi_load(), let request = requests.removeValue(forKey: key),
      let resolver = unsafe request.resolver
    else { return }
    _ = unsafe avahi.pointee.service_resolver_free(resolver)
  }

  private static func bytes(
    of list: UnsafeMutablePointer<AvahiStringList>?, _ avahi: UnsafePointer<CAvahi>
  ) -> [[UInt8]] {
    var entries: [[UInt8]] = []
    var next = unsafe list
    while let entry = unsafe next, entries.count < NodeAnnouncement.mostEntries {
      let count = unsafe avahi.pointee.string_list_get_size(entry)
      if let text = unsafe avahi.pointee.string_list_get_text(entry) {
        unsafe entries.append(Array(UnsafeBufferPointer(start: text, count: count)))
      }
      unsafe next = avahi.pointee.string_list_get_next(entry)
    }
    return entries
  }

  private static func name(ofInterface index: AvahiIfIndex) -> String? {
    guard index > 0 else { return nil }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard unsafe if_indextoname(UInt32(index), &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
