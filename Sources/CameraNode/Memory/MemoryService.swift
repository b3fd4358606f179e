import CameraProtocol
import Capture
import EventLoop
import Foundation
import Logging
import OperatingSystem
import SwiftProtobuf

/// Keeps on the disk what clients have changed on cameras, so that the node's next start makes it
/// so again.
@ControlLoop final class MemoryService: CameraReporter {
  /// What controls had before a change that is under way, or was cut off.
  struct Undo: Sendable {
    var settings: [CaptureSession.Setting]
    /// The identity of the device.
    var device: String
  }

  /// What is remembered of one camera.
  struct Note: Sendable {
    fileprivate(set) var memory = SessionMemory()
    fileprivate(set) var services = ServiceChange()
    fileprivate(set) var undo: Undo?
    /// Why the disk does not have it.
    fileprivate var problem = ""

    fileprivate var wire: WireRemembered {
      WireRemembered(memory, services, undo: undo)
    }
  }

  /// How long a request waits for the disk.
  private static let patience = Duration.seconds(2)

  private let folder: MemoryFolder
  private let disk: EventLoop
  private let router: RequestRouter
  private let log: Logger
  private var notes: [String: Note] = [:]
  /// What the disk has yet to get of each camera; nil for no file at all.
  private let waiting = Mutex<[String: [UInt8]?]>([:])
  private let onProblem: @ControlLoop (_ camera: String) -> Void

  /// - Parameters:
  ///   - disk: A thread that may wait for the disk.
  ///   - onProblem: Called when the status of a camera's memory has changed.
  init(
    _ folder: MemoryFolder, on disk: EventLoop, router: RequestRouter, log: Logger,
    onProblem: @escaping @ControlLoop (_ camera: String) -> Void
  ) {
    self.folder = folder
    self.disk = disk
    self.router = router
    self.log = log
    self.onProblem = onProblem
  }

  /// Reads what is remembered of a camera, of which clients' changes are kept from now on.
  func recall(_ camera: String) async -> Note {
    let note = await disk.run { [self] in read(camera) }
    if !note.problem.isEmpty { log.warning("\(note.problem)") }
    notes[camera] = note
    return note
  }

  /// On the disk's thread.
  private nonisolated func read(_ camera: String) -> Note {
    var note = Note()
    let cause: String
    do throws(SystemError) {
      guard let bytes = try folder.read(camera) else { return note }
      do {
        var options = JSONDecodingOptions()
        // A later version may have written it.
        options.ignoreUnknownFields = true
        let wire = try WireRemembered(jsonUTF8Bytes: bytes, options: options)
        (note.memory, note.undo) = try wire.memory()
        note.services = ServiceChange(wire)
        return note
      } catch {
        try folder.putAside(camera)
        let words = (error as? WireError)?.message ?? "it is no such JSON"
        cause = "\(words); it is kept as .unreadable"
      }
    } catch {
      cause = error.reason
    }
    note = Note()
    note.problem =
      "what was remembered of \(camera) in \(folder.path) cannot be read (\(cause)): it starts as it "
      + "is configured"
    return note
  }

  /// Keeps clients' changes of a camera from now on, and all that they have changed since the
  /// node's start; or nothing any more.
  func setKept(_ isKept: Bool, _ camera: Camera) {
    notes[camera.name] = isKept ? Note() : nil
    camera.session.enter { $0.setKept(isKept) }
    onProblem(camera.name)
  }

  /// The node has the camera no more.
  func leave(_ camera: String) async {
    await settled(camera)
    notes[camera] = nil
  }

  /// What is remembered of a camera; nil if nothing ever is.
  func remembered(of camera: String) -> WireRemembered? {
    guard let note = notes[camera] else { return nil }
    var wire = note.wire
    wire.clearUndo()
    wire.problem = note.problem
    return wire
  }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _: WallClockSample) {
    if let remembered = remembered(of: camera.name) { status.remembered = remembered }
  }

  /// Makes a change on a camera's session, and keeps what is remembered after it: everything at
  /// once, so that a crash leaves the camera as before the change or as after it.
  /// - Parameters:
  ///   - settings: The controls that it sets.
  ///   - services: What it changes beside the session.
  func change<R: Sendable>(
    _ camera: Camera, _ settings: [CaptureSession.Setting],
    _ services: ServiceChange = ServiceChange(),
    for call: Call, _ body: @escaping @Sendable (isolated CaptureSession) throws -> R
  ) async throws -> R {
    let name = camera.name
    guard notes[name] != nil else { return try await call.work(on: camera, body) }
    let undo = try await call.work(on: camera) { session in
      Undo(
        settings: try session.undo(of: settings), device: session.status.device.identity)
    }
    if !undo.settings.isEmpty {
      notes[name]?.undo = undo
      keep(name)
      await settled(name)
      if call.nodeStops { throw CaptureError.nodeStops }
    }
    do {
      let (result, memory) = try await call.work(on: camera) { session in
        (try body(session), session.takeMemory())
      }
      take(memory, services, of: name)
      return result
    } catch {
      // A driver that does not come back may still make the change: the next start undoes it.
      if (error as? CaptureError)?.code != .deviceStalled { take(nil, of: name) }
      await settled(name)
      throw error
    }
  }

  /// Keeps what is remembered of a camera now.
  /// - Parameter memory: Nil if that has not changed.
  func take(
    _ memory: SessionMemory?, _ services: ServiceChange = ServiceChange(), of camera: String
  ) {
    guard var note = notes[camera] else { return }
    guard memory != nil || !services.isEmpty || note.undo != nil else { return }
    note.memory = memory ?? note.memory
    note.services = note.services.followed(by: services)
    note.undo = nil
    notes[camera] = note
    keep(camera)
  }

  /// Forgets what clients have changed on a camera.
  func forget(_ camera: String) {
    notes[camera]?.memory = SessionMemory()
    notes[camera]?.services = ServiceChange()
    keep(camera)
  }

  private func keep(_ camera: String) {
    guard let wire = notes[camera]?.wire else { return }
    let bytes: [UInt8]?
    do {
      bytes = wire == WireRemembered() ? nil : Array(try wire.jsonUTF8Data())
    } catch {
      return report("what is remembered of \(camera) cannot be written: \(error)", of: camera)
    }
    waiting.withLock { $0[camera] = .some(bytes) }
    disk.perform { [self] in write(camera) }
  }

  /// On the disk's thread.
  private nonisolated func write(_ camera: String) {
    guard let bytes = waiting.withLock({ $0.removeValue(forKey: camera) }) else { return }
    var problem = ""
    do throws(SystemError) {
      if let bytes { try folder.write(bytes, of: camera) } else { try folder.remove(camera) }
    } catch {
      problem =
        "the last change of \(camera) is lost with the node's end, because \(folder.path) cannot be "
        + "written: \(error.reason)"
    }
    router.enter { [self, problem] in report(problem, of: camera) }
  }

  private func report(_ problem: String, of camera: String) {
    guard let note = notes[camera], note.problem != problem else { return }
    notes[camera]?.problem = problem
    if !problem.isEmpty { log.warning("\(problem)") }
    onProblem(camera)
  }

  /// Waits until the disk has what was taken of a camera, or its problem is known.
  func settled(_ camera: String) async {
    guard notes[camera] != nil else { return }
    if await !diskAnswers() {
      report(
        "the last change of \(camera) is not on the disk yet, because the disk of \(folder.path) does not answer",
        of: camera)
    }
    await ControlLoop.turn()
  }

  /// Waits until the disk has everything.
  /// - Returns: Whether it has.
  func close() async -> Bool {
    await ControlLoop.turn()
    return await diskAnswers()
  }

  private func diskAnswers() async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      disk.perform { answer.give(.success(true)) }
      _ = ControlLoop.schedule(at: .now + Self.patience) { answer.give(.success(false)) }
    }
  }
}
