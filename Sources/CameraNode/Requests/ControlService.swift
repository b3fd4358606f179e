import CameraProtocol
import Capture
import Digest
import EventLoop
import Foundation
import Logging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

/// The control and events endpoints: reads requests, has them done where they belong, and answers.
///
/// It lives on the control loop and never waits: cameras' slow work is done on their sessions'
/// threads, disk work on the library's, and each comes back here with its outcome.
actor ControlService: LoopActor {
  /// How long a request waits when it does not say.
  static let defaultDeadline = Duration.seconds(30)
  /// Requests read before other work on the loop has its turn.
  static let requestsPerTurn = 32

  nonisolated let loop: EventLoop

  let facts: NodeFacts
  let library: MediaLibrary
  let frameLoop: EventLoop
  /// Waits until what movies have written is on the disk.
  let syncLoop: EventLoop
  let limits: NodeLimits
  let log: Logger
  private(set) var endpoints = NodeEndpoints(control: "", events: "", frames: "")
  /// Where the node listens over ipc, if it does.
  private(set) var ipc: NodeEndpoints?
  private(set) var cameras: [CameraService] = []
  private(set) var events: Publisher?
  var captures: [RequestID: CaptureJob] = [:]
  var downloads: [RequestID: Download] = [:]
  /// Downloads whose files are being opened.
  var openingDownloads = 0
  /// What requests wait for on other threads.
  var waitingWork: [RequestID: WaitingWork] = [:]
  /// Recordings whose movies were cut off when the node was killed, and that are yet to be closed.
  var unfinishedRecordings: Set<RequestID> = []
  /// Requests that ask for those.
  var heldAssetsRequests: [(body: WireAssetsRequest, id: RequestID, deadline: MonotonicTime)] =
    []
  var lastTicket: UInt64 = 0
  var counters = Counters()
  private var table: RequestTable
  private var expiry: LoopTimer?
  private var socket: Socket<Router>?
  private(set) var outbox: Outbox?
  /// The node is about to end: nothing new is taken up.
  var isStopping = false
  /// The node's end waits for this.
  var awaitedEnd: AwaitedEnd?

  struct Counters {
    var malformed: UInt64 = 0
    var busy: UInt64 = 0
    /// Replies whose client was gone or had too much waiting.
    var undeliverable: UInt64 = 0
  }

  init(
    loop: EventLoop, frameLoop: EventLoop, syncLoop: EventLoop, facts: NodeFacts,
    library: MediaLibrary, limits: NodeLimits, log: Logger
  ) {
    self.loop = loop
    self.frameLoop = frameLoop
    self.syncLoop = syncLoop
    self.facts = facts
    self.library = library
    self.limits = limits
    table = RequestTable(limits: limits.requests)
    self.log = log
  }

  /// Binds both endpoints. Requests wait in the socket until `serve`.
  /// - Returns: the endpoints as bound, wildcards resolved.
  func open(
    _ context: Context, control: String, events eventsEndpoint: String, frames: String,
    ipc: NodeEndpoints?
  ) throws(ZeroMQError) -> NodeEndpoints {
    let router = try Socket<Router>(context, on: loop)
    socket = router
    router.maximumMessageSize = Framing.maximumMessageSize
    router.maximumParts = Framing.maximumParts + 1
    router.receiveHighWaterMark = limits.requests.requestsPerClient
    outbox = Outbox(router, byteLimit: limits.unsentByteCount) { [weak self] client in
      self?.enter { $0.clientHasRoom(client) }
    }
    let publisher = try Publisher(
      context, on: loop, epoch: facts.epoch, queueLength: limits.eventQueueLength)
    events = publisher
    endpoints = NodeEndpoints(
      control: try router.bind(control), events: try publisher.bind(eventsEndpoint), frames: frames)
    if let ipc {
      try router.bind(ipc.control)
      _ = try publisher.bind(ipc.events)
      self.ipc = ipc
    }
    return endpoints
  }

  /// Starts to answer and to publish, for these cameras.
  /// - Parameter unfinishedMovies: those that `recovered` will be called for.
  func serve(_ cameras: [CameraService], unfinishedMovies: [AssetDraft]) {
    self.cameras = cameras
    unfinishedRecordings = Set(unfinishedMovies.compactMap(\.recording))
    events?.start()
    socket?.onReadable { [weak self] in self?.assumeIsolated { $0.readRequests() } }
  }

  /// Answers what is still under way, and closes both endpoints.
  func close() {
    for id in table.requestsInProgress { fail(id, CaptureError.nodeStops) }
    for download in downloads.values { close(download) }
    downloads = [:]
    expiry?.cancel()
    events?.close()
    socket?.close()
    events = nil
    outbox = nil
    socket = nil
    // Their sessions hold this service, to tell it what happens.
    cameras = []
  }

  // MARK: Requests

  private func readRequests() {
    for _ in 0..<Self.requestsPerTurn {
      do throws(ZeroMQError) {
        guard let message = try socket?.receive() else { return }
        read(message)
      } catch {
        // A message with too many parts has been dropped whole; the socket goes on.
        counters.malformed += 1
      }
    }
  }

  private func read(_ message: [ZeroMQ.Message]) {
    guard let client = message.first?.bytes else { return }
    let request: WireRequest
    let id: RequestID
    do throws(RequestRefusal) {
      (request, id) = try WireRequest.read(message.dropFirst())
    } catch {
      counters.malformed += 1
      send(reply(to: error.id, error: error.error), to: client)
      return
    }
    let now = MonotonicTime.now
    if case .downloadCredit(let credit)? = request.body {
      return extendDownload(credit)
    }
    guard request.epoch.isEmpty || request.epoch == facts.epoch.data else {
      send(reply(to: id.data, error: .outcomeUnknown), to: client)
      return
    }
    let remaining =
      request.remainingNs == 0
      ? Self.defaultDeadline : .nanoseconds(Int64(clamping: request.remainingNs))
    let arrival = RequestTable.Arrival(
      id: id, client: client, fingerprint: request.fingerprint, isDoneOnce: request.isDoneOnce,
      deadline: now + remaining)
    switch table.admit(arrival, at: now) {
    case .new:
      guard !isStopping else { return fail(id, CaptureError.nodeStops) }
      serve(request, id: id, asked: now, deadline: arrival.deadline)
    case .attached(let replies), .done(let replies):
      for reply in replies { send(reply, to: client) }
    case .idReused:
      send(reply(to: id.data, error: .idReused), to: client)
    case .outcomeUnknown:
      send(reply(to: id.data, error: .outcomeUnknown), to: client)
    case .busy:
      counters.busy += 1
      let reply = reply(to: id.data, error: .busy)
      table.refuse(arrival, reply, at: now)
      scheduleExpiry()
      send(reply, to: client)
    }
  }

  /// Whether a request was taken up, be it under way or done.
  func knows(_ id: RequestID) -> Bool { table.knows(id) }

  /// Who waits for a request that is under way.
  func clients(of id: RequestID) -> [RequestTable.Client] { table.clients(of: id) }

  // MARK: Replies

  /// Sends a reply after which others follow.
  /// - Parameter isKept: a retry that comes after the end gets it again.
  /// - Returns: whether somebody gets it.
  @discardableResult
  func progress(
    _ id: RequestID,
    _ body: WireReply.OneOf_Body,
    attachment: [UInt8]? = nil,
    isKept: Bool = false
  ) -> Bool {
    guard let index = table.nextReply(to: id) else { return false }
    let reply = reply(to: id.data, index: index, isFinal: false, body, attachment)
    let clients = table.progressed(id, reply, isKept: isKept)
    return clients.count { send(reply, to: $0) } > 0
  }

  /// Sends the one final reply.
  /// - Parameter isDone: of a request that may be done only once, that something came of it.
  func finish(_ id: RequestID, _ body: WireReply.OneOf_Body, isDone: Bool = false) {
    guard let index = table.nextReply(to: id) else { return }
    let reply = reply(to: id.data, index: index, isFinal: true, body, nil)
    for client in table.finish(id, reply, isDone: isDone, at: .now) { send(reply, to: client) }
    scheduleExpiry()
  }

  func fail(_ id: RequestID, _ error: WireError, isDone: Bool = false) {
    if error.code == .busy { counters.busy += 1 }
    finish(id, .error(error), isDone: isDone)
  }

  func fail(_ id: RequestID, _ error: CaptureError, isDone: Bool = false) {
    fail(id, WireError(error), isDone: isDone)
  }

  /// Sees to it that answers are let go when they are too old, also when nobody asks for anything.
  private func scheduleExpiry() {
    guard expiry == nil, let moment = table.nextExpiry else { return }
    expiry = loop.schedule(at: moment) { [weak self] in
      self?.assumeIsolated { service in
        service.expiry = nil
        service.table.expire(at: .now)
        service.scheduleExpiry()
      }
    }
  }

  private func reply(to id: Data, error: WireError) -> ReplyParts {
    reply(to: id, index: 1, isFinal: true, .error(error), nil)
  }

  private func reply(
    to id: Data,
    index: UInt32,
    isFinal: Bool,
    _ body: WireReply.OneOf_Body,
    _ attachment: [UInt8]?
  ) -> ReplyParts {
    let message = WireReply.with {
      $0.id = id
      $0.epoch = facts.epoch.data
      $0.index = index
      $0.final = isFinal
      $0.body = body
    }
    return ReplyParts(message: message.bytes, attachment: attachment)
  }

  /// False when the client does not get it: it waits in the table for the time that the client may
  /// ask again.
  @discardableResult
  private func send(_ reply: ReplyParts, to client: RequestTable.Client) -> Bool {
    guard let outbox else { return false }
    let delivery = outbox.send(reply, to: client)
    if delivery == .sent { return true }
    counters.undeliverable += 1
    if delivery == .gone { for id in table.remove(client) { abandonDownload(id) } }
    return false
  }
}
