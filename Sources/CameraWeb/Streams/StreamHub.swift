import CameraClient
import HTTPTypes
import OperatingSystem

/// The live pictures. However many browsers show a stream, it is subscribed to once on the bus:
/// from the first browser to the last one.
final class StreamHub: Sendable {
  /// Which pictures.
  struct Source: Hashable, Sendable {
    var node: String
    var camera: String
    var stream: FrameStream
  }

  private struct State {
    var broadcasts: [Source: Broadcast] = [:]
    var replaced: UInt64 = 0
  }

  private let limit: Int
  private let state = Mutex(State())
  private let begun: AsyncStream<Broadcast>
  private let begin: AsyncStream<Broadcast>.Continuation

  /// - Parameter limit: The most streams at the same time.
  init(limit: Int) {
    self.limit = limit
    (begun, begin) = AsyncStream.makeStream()
  }

  /// How many pictures were not sent to a browser that was too slow for them.
  var replaced: UInt64 { state.withLock(\.replaced) }

  /// How many browsers each stream has.
  var viewers: [Source: Int] { state.withLock { $0.broadcasts.mapValues(\.viewers.count) } }

  /// Reads the streams that browsers want, until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await broadcast in begun {
        group.addTask {
          let failure = await broadcast.run { self.send($0, by: broadcast) }
          self.end(broadcast, failure)
        }
      }
      group.cancelAll()
    }
  }

  /// Adds a browser, which ``leave(_:)`` takes away again.
  /// - Parameters:
  ///   - camera: The camera that the source names.
  ///   - interval: The least time between two of its pictures; nil for all pictures.
  func join(
    _ source: Source, of camera: Camera, interval: Duration?
  ) throws(HTTPFailure) -> Viewer {
    let viewer = Viewer(source, interval: interval)
    let isNew = state.withLock { state -> Bool? in
      if state.broadcasts[source] != nil {
        state.broadcasts[source]?.viewers.append(viewer)
        return false
      }
      guard state.broadcasts.count < limit else { return nil }
      let broadcast = Broadcast(source, camera)
      broadcast.viewers.append(viewer)
      state.broadcasts[source] = broadcast
      begin.yield(broadcast)
      return true
    }
    guard isNew != nil else {
      throw HTTPFailure(
        .serviceUnavailable, "busy",
        "\(limit) different streams are shown already, which is the most: use the size of one of them",
        isRetryable: true)
    }
    return viewer
  }

  func leave(_ viewer: Viewer) {
    viewer.slot.end()
    state.withLock { state in
      guard let broadcast = state.broadcasts[viewer.source],
        let index = broadcast.viewers.firstIndex(where: { $0 === viewer })
      else { return }
      broadcast.viewers.remove(at: index)
      guard broadcast.viewers.isEmpty else { return }
      state.broadcasts[viewer.source] = nil
      broadcast.stop()
    }
  }

  private func send(_ frame: CameraFrame, by broadcast: Broadcast) {
    // Not under the lock: it copies the picture.
    let part = StreamPart(frame)
    let viewers = state.withLock { _ in broadcast.viewers }
    let replaced = viewers.reduce(0) { $0 + ($1.put(part) ? 1 : 0) }
    if replaced > 0 { state.withLock { $0.replaced += UInt64(replaced) } }
  }

  private func end(_ broadcast: Broadcast, _ failure: HTTPFailure?) {
    let viewers = state.withLock { state in
      if state.broadcasts[broadcast.source] === broadcast {
        state.broadcasts[broadcast.source] = nil
      }
      return broadcast.viewers
    }
    for viewer in viewers { viewer.slot.end(failure) }
  }
}

/// A browser that shows a stream.
final class Viewer: Sendable {
  let source: StreamHub.Source
  let slot = NewestSlot<StreamPart>()
  private let interval: Duration?
  /// When the next picture is due, by the node's clock; nil before the first.
  private let due = Mutex<MonotonicInstant?>(nil)

  init(_ source: StreamHub.Source, interval: Duration?) {
    self.source = source
    self.interval = interval
  }

  /// - Returns: Whether a picture that was wanted is lost, because the browser is too slow.
  func put(_ part: StreamPart) -> Bool {
    guard isWanted(part.moment) else { return false }
    return slot.put(part)
  }

  private func isWanted(_ moment: MonotonicInstant) -> Bool {
    guard let interval else { return true }
    return due.withLock { due in
      // A quarter early counts, because the times of frames are not even.
      if let due, due - moment > interval / 4, due - moment < interval * 4 { return false }
      let next = (due ?? moment) + interval
      // After a gap it begins anew.
      due = next > moment ? next : moment + interval
      return true
    }
  }
}

// @unchecked: `viewers` is used under the hub's lock only.
/// A stream on its way to its browsers.
final class Broadcast: @unchecked Sendable {
  let source: StreamHub.Source
  private let camera: Camera
  var viewers: [Viewer] = []
  private let stopped: AsyncStream<Never>
  private let stopping: AsyncStream<Never>.Continuation

  init(_ source: StreamHub.Source, _ camera: Camera) {
    self.source = source
    self.camera = camera
    (stopped, stopping) = AsyncStream.makeStream()
  }

  /// Ends it, because the last browser has left.
  func stop() { stopping.finish() }

  /// Reads frames until it is stopped or its task is cancelled.
  /// - Returns: Why it ended earlier; nil if it did not.
  func run(_ receive: @escaping @Sendable (CameraFrame) -> Void) async -> HTTPFailure? {
    await withTaskGroup(of: HTTPFailure?.self) { group in
      group.addTask { [camera, source] in
        do throws(CameraBusError) {
          for try await frame in camera.frames(source.stream) { receive(frame) }
          return nil
        } catch {
          return HTTPFailure(error)
        }
      }
      group.addTask { [stopped] in
        for await _ in stopped {}
        return nil
      }
      let failure = await group.next() ?? nil
      group.cancelAll()
      return failure
    }
  }
}
