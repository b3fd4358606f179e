import CameraProtocol
import Capture
import Digest
import EventLoop
import Foundation
import Logging
import MediaLibrary
import SwiftProtobuf
import ZeroMQ

/// The control and events endpoints: reads requests, has them done where they belong, and answers.
///
/// It lives on the control loop and never waits: cameras' slow work is done on their sessions' threads, disk work
/// on the library's, and each comes back here with its outcome.
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
  /// Recordings whose movies were cut off when the node was killed, and that are yet to be closed.
  var unfinishedRecordings: Set<RequestID> = []
  /// Requests that ask for those.
  var heldAssetsRequests: [(body: WireAssetsRequest, id: RequestID)] = []
  var lastTicket: UInt64 = 0
  var counters = Counters()
  private(set) var table = RequestTable()
  private var socket: Socket<Router>?
  /// The node is about to end: nothing new is taken up.
  var isStopping = false
  /// The node's end waits for this.
  var awaitedEnd: AwaitedEnd?

  struct Counters {
    var malformed: UInt64 = 0
    var busy: UInt64 = 0
    /// Replies that a client's full queue had no room for.
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
    downloads = [:]
    events?.close()
    socket?.close()
    events = nil
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
      return send(reply(to: error.id, error: error.error), to: client)
    }
    let now = MonotonicTime.now
    if case .downloadCredit(let credit)? = request.body {
      return extendDownload(credit)
    }
    guard request.epoch.isEmpty || request.epoch == facts.epoch.data else {
      return send(reply(to: id.data, error: .outcomeUnknown), to: client)
    }
    switch table.admit(id, from: client, fingerprint: request.fingerprint, at: now) {
    case .new:
      if isStopping { fail(id, CaptureError.nodeStops) } else { serve(request, id: id, asked: now) }
    case .attached(let replies), .done(let replies):
      for reply in replies { send(reply, to: client) }
    case .idReused:
      send(reply(to: id.data, error: .idReused), to: client)
    case .outcomeUnknown:
      send(reply(to: id.data, error: .outcomeUnknown), to: client)
    case .busy:
      counters.busy += 1
      send(reply(to: id.data, error: .busy), to: client)
    }
  }

  // MARK: Replies

  /// Sends a reply after which others follow.
  /// - Parameter isKept: a retry that comes after the end gets it again.
  func progress(
    _ id: RequestID,
    _ body: WireReply.OneOf_Body,
    attachment: Attachment? = nil,
    isKept: Bool = false
  ) {
    guard let index = table.nextReply(to: id) else { return }
    let reply = reply(to: id.data, index: index, isFinal: false, body, attachment)
    for client in table.progressed(id, reply, isKept: isKept) { send(reply, to: client) }
  }

  /// Sends the one final reply.
  func finish(_ id: RequestID, _ body: WireReply.OneOf_Body, isRemembered: Bool = false) {
    guard let index = table.nextReply(to: id) else { return }
    let reply = reply(to: id.data, index: index, isFinal: true, body, nil)
    for client in table.finish(id, reply, isRemembered: isRemembered, at: .now) {
      send(reply, to: client)
    }
  }

  func fail(_ id: RequestID, _ error: WireError, isRemembered: Bool = false) {
    if error.code == .busy { counters.busy += 1 }
    finish(id, .error(error), isRemembered: isRemembered)
  }

  func fail(_ id: RequestID, _ error: CaptureError, isRemembered: Bool = false) {
    fail(id, WireError(error), isRemembered: isRemembered)
  }

  private func reply(to id: Data, error: WireError) -> ReplyParts {
    reply(to: id, index: 1, isFinal: true, .error(error), nil)
  }

  private func reply(
    to id: Data,
    index: UInt32,
    isFinal: Bool,
    _ body: WireReply.OneOf_Body,
    _ attachment: Attachment?
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

  private func send(_ reply: ReplyParts, to client: RequestTable.Client) {
    guard let socket else { return }
    do throws(ZeroMQError) {
      guard try socket.send(client, more: true) else { return counters.undeliverable += 1 }
      _ = try socket.send(Framing.signature, more: true)
      _ = try socket.send(reply.message, more: reply.attachment != nil)
      if let attachment = reply.attachment { try attachment.send(on: socket) }
    } catch {
      // The client is gone: its answer waits in the table for the time it may ask again.
      counters.undeliverable += 1
    }
  }
}
