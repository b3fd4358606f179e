import CAvahi
import Glibc
import OperatingSystem

/// Announces a node by Avahi until it is stopped.
package final class Announcer: Sendable {
  private let thread: AvahiThread

  /// Begins at once, on a thread of its own, and begins again whenever the daemon does.
  /// - Parameters:
  ///   - announcement: What to say.
  ///   - place: Where the node is reached.
  ///   - tell: Called on any thread when the announcement changes.
  package init(
    _ announcement: NodeAnnouncement, at place: AnnouncedPlace,
    tell: @escaping @Sendable (AnnouncementNews) -> Void
  ) {
    thread = AvahiThread { Publication(announcement, at: place, tell: tell) }
  }

  /// Withdraws the announcement. Waits a moment for that, but not for a daemon that hangs.
  package func stop() {
    thread.stop()
    thread.join(atMost: .seconds(2))
  }
}

/// The service that is announced. One thread uses it.
@safe private final class Publication: AvahiUser {
  private let announcement: NodeAnnouncement
  private let place: AnnouncedPlace
  private let tell: (AnnouncementNews) -> Void
  private var machine: AnnouncementMachine
  private var client: OpaquePointer?
  private var group: OpaquePointer?
  private(set) var needsNewConnection = false

  init(
    _ announcement: NodeAnnouncement, at place: AnnouncedPlace,
    tell: @escaping (AnnouncementNews) -> Void
  ) {
    self.announcement = announcement
    self.place = place
    self.tell = tell
    machine = AnnouncementMachine(name: announcement.serviceName)
  }

  func take(_ state: AvahiClientState, of client: OpaquePointer) {
    unsafe self.client = client
    follow(machine.take(state == AVAHI_CLIENT_S_RUNNING ? .ready : .notReady))
  }

  func end() {
    unsafe (client, group) = (nil, nil)
    needsNewConnection = false
  }

  func report(_ problem: AvahiProblem) { follow(machine.take(.problem(problem))) }

  private func take(_ state: AvahiEntryGroupState, of group: OpaquePointer) {
    unsafe self.group = group
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: follow(machine.take(.established))
    case AVAHI_ENTRY_GROUP_COLLISION: follow(machine.take(collision))
    case AVAHI_ENTRY_GROUP_FAILURE: fail()
    default: break
    }
  }

  private func follow(_ actions: [AnnouncementMachine.Action]) {
    for action in actions {
      switch action {
      case .publish(let name): publish(as: name)
      case .withdraw: withdraw()
      case .startAgain: needsNewConnection = true
      case .tell(let news): tell(news)
      }
    }
  }

  private func withdraw() {
    guard let avahi = unsafe CAvahi_load(), let group = unsafe group else { return }
    _ = unsafe avahi.pointee.entry_group_reset(group)
  }

  private func publish(as name: String) {
    guard let avahi = unsafe CAvahi_load(), let client = unsafe client else { return }
    lastName = name
    if unsafe group == nil {
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe group = avahi.pointee.entry_group_new(
        client,
        { group, state, context in
          guard let group = unsafe group, let context = unsafe context else { return }
          unsafe Unmanaged<Publication>.fromOpaque(context).takeUnretainedValue()
            .take(state, of: group)
        }, context)
    }
    guard let group = unsafe group else { return fail() }
    _ = unsafe avahi.pointee.entry_group_reset(group)
    let (interface, family) = place.avahiTerms
    let entries = unsafe Self.list(announcement.entries, avahi)
    let status = unsafe avahi.pointee.entry_group_add_service_strlst(
      group, interface, family, AvahiPublishFlags(rawValue: 0), name, NodeAnnouncement.serviceType,
      nil, nil, place.port, entries)
    unsafe avahi.pointee.string_list_free(entries)
    if status == Int32(AVAHI_ERR_COLLISION) { return follow(machine.take(collision)) }
    guard status == 0, unsafe avahi.pointee.entry_group_commit(group) == 0 else { return fail() }
  }

  /// The name that was tried last.
  private var lastName = ""

  private var collision: AnnouncementMachine.Event {
    guard let avahi = unsafe CAvahi_load(),
      let text = unsafe avahi.pointee.alternative_service_name(lastName)
    else { return .problem(.noThread) }
    defer { unsafe avahi.pointee.free(text) }
    return .collision(alternative: unsafe String(cString: text))
  }

  private func fail() {
    guard let avahi = unsafe CAvahi_load(), let client = unsafe client else { return }
    let error = unsafe avahi.pointee.client_errno(client)
    needsNewConnection = true
    report(.refused(unsafe avahi.pointee.words(for: error)))
  }

  private static func list(
    _ entries: [String], _ avahi: UnsafePointer<CAvahi>
  ) -> UnsafeMutablePointer<AvahiStringList>? {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // Each is put in front of those that are there.
    for entry in entries.reversed() {
      let bytes = Array(entry.utf8)
      unsafe list = avahi.pointee.string_list_add_arbitrary(list, bytes, bytes.count)
    }
    return unsafe list
  }
}
