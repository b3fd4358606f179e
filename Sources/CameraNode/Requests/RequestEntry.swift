import Keys

/// What the router needs to know about one kind of request.
struct RequestEntry {
  /// How a request of this kind is served.
  enum Service {
    /// The request gets no reply and is not remembered: it belongs to another request.
    case notice(@ControlLoop (Holder) -> Void)
    /// The call returns at once. The reply may follow later.
    case direct(@ControlLoop (Call) throws -> Void)
    /// The call waits for other threads, and its last reply comes before it returns.
    case awaiting(@ControlLoop (Call) async throws -> Void)
  }

  /// The role that a client needs at least.
  var role = Role.viewer
  /// Whether a retry must get the same answer instead of being served again. The answer is kept
  /// then.
  var mustNotRepeat = false
  /// Whether the request ends other work, so it is served even when there is no room for more work.
  var isUrgent = false
  /// Whether the request changes nothing, so it need not be served when its client has gone.
  var isQuestion = false
  let service: Service

  static func notice(
    for role: Role, _ service: @escaping @ControlLoop (Holder) -> Void
  ) -> RequestEntry {
    RequestEntry(role: role, service: .notice(service))
  }

  static func direct(
    for role: Role = .viewer, mustNotRepeat: Bool = false,
    isUrgent: Bool = false, isQuestion: Bool = false,
    _ service: @escaping @ControlLoop (Call) throws -> Void
  ) -> RequestEntry {
    RequestEntry(
      role: role, mustNotRepeat: mustNotRepeat, isUrgent: isUrgent,
      isQuestion: isQuestion, service: .direct(service))
  }

  static func awaiting(
    for role: Role = .viewer, mustNotRepeat: Bool = false,
    isUrgent: Bool = false, isQuestion: Bool = false,
    _ service: @escaping @ControlLoop (Call) async throws -> Void
  ) -> RequestEntry {
    RequestEntry(
      role: role, mustNotRepeat: mustNotRepeat, isUrgent: isUrgent,
      isQuestion: isQuestion, service: .awaiting(service))
  }
}
