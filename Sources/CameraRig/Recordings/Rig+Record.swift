public import CameraClient

extension Rig {
  /// How long the cameras may take to get ready, beyond what the network has shown: a file is
  /// created for each.
  private static let preparation = Duration.seconds(1)

  /// Starts a movie with all cameras at one moment.
  ///
  /// Every camera gets ready before the moment; if too few do, none records, and what has begun to
  /// wait leaves nothing. Cameras that run freely begin and end with the frame nearest the moments,
  /// so half a frame interval away from them at most. The movies go on when this program ends,
  /// until their end or until they are stopped.
  /// - Parameters:
  ///   - time: The moment of the first frames, at most a minute ahead.
  ///   - duration: How long to record; nil is until ``RunningRigRecording/stop(at:)``.
  ///   - settings: What kind of movies, each of one file: JPEGs in Matroska, unless you say
  ///     otherwise.
  ///   - policy: How many cameras have to be ready.
  public func startRecording(
    from time: RigTime = .soon, for duration: Duration? = nil,
    _ settings: MovieSettings = MovieSettings(), policy: RigPolicy = .all
  ) async -> RunningRigRecording {
    let (candidates, found) = await survey()
    var parts = found.map { RigRecording.Part($0) }
    let interval = candidates.compactMap(\.interval).max() ?? .zero
    let from = await moment(time, after: interval * 2 + Self.preparation)
    let wall = WallInstant.now + (from - .now)
    let until = duration.map { from + $0 }
    var started: [Int: Recording] = [:]
    for (candidate, result) in await each(
      candidates,
      { candidate throws(CameraBusError) in
        guard settings.files == .one else {
          throw CameraBusError(
            .invalidArgument, "the movies of a rig are one file each: leave out segments and clips")
        }
        let clock = try await candidate.link.knownOffset(at: from)
        return try await candidate.link.open().camera(candidate.camera).startRecording(
          settings, from: from + clock.middle, until: until.map { $0 + clock.middle })
      })
    {
      switch result {
      case .success(let recording): started[candidate.index] = recording
      case .failure(let error): parts[candidate.index].fail(.prepare, error)
      }
    }
    var recording = RigRecording(
      rig: description.name, from: from, until: until, wall: wall, outcome: .incomplete,
      parts: parts)
    guard policy.allows(started.count, of: parts.count), !Task.isCancelled else {
      recording.outcome = .abandoned
      await Self.giveUp(started.values)
      return RunningRigRecording(self, recording, [])
    }
    return RunningRigRecording(
      self, recording,
      candidates.compactMap { candidate in
        started[candidate.index].map { .init(candidate: candidate, recording: $0) }
      })
  }

  /// Records a movie with all cameras: ``startRecording(from:for:_:policy:)``, and
  /// ``RunningRigRecording/finish(onMovie:)``.
  public func record(
    from time: RigTime = .soon, for duration: Duration,
    _ settings: MovieSettings = MovieSettings(), policy: RigPolicy = .all,
    onMovie: @escaping RunningRigRecording.Receiver = { (_, _, _) throws(CameraBusError) in [] }
  ) async -> RigRecording {
    await startRecording(from: time, for: duration, settings, policy: policy)
      .finish(onMovie: onMovie)
  }

  /// Stops recordings that are not wanted, also when the task was cancelled. Before their moment
  /// that leaves nothing.
  private static func giveUp(_ recordings: some Sequence<Recording> & Sendable) async {
    await Task {
      await withDiscardingTaskGroup { group in
        for recording in recordings { group.addTask { _ = try? await recording.stop() } }
      }
    }.value
  }
}

/// Movies that the cameras of a rig record together.
public actor RunningRigRecording {
  /// Gets a movie that is complete in its node's library: the camera's name in the rig, the movie,
  /// and the connection to fetch it. Returns the files that it made of it.
  public typealias Receiver =
    @Sendable (String, Movie, CameraBus) async throws(CameraBusError) -> [RigShot.File]

  struct Part: Sendable {
    let candidate: Rig.Candidate
    let recording: Recording
  }

  /// How long a node that answers may take to close a movie.
  private static let closing = Duration.seconds(60)

  private let rig: Rig
  private var recording: RigRecording
  private let parts: [Part]

  init(_ rig: Rig, _ recording: RigRecording, _ parts: [Part]) {
    (self.rig, self.recording, self.parts) = (rig, recording, parts)
  }

  /// What is known so far: who records, and who does not and why. With the outcome `abandoned`
  /// nobody does.
  public var state: RigRecording { recording }

  /// Ends all movies at one moment, with the frame nearest to it.
  ///
  /// It returns when the nodes have been told. A node that does not answer records on, until its
  /// end.
  /// - Parameter time: The moment, at most a minute ahead.
  public func stop(at time: RigTime = .soon) async {
    let until = await rig.moment(time, after: .zero)
    recording.until = recording.until.map { min($0, until) } ?? until
    for part in parts {
      let clock = await part.candidate.link.offset(at: until)
      // The answer comes with the end of the movie, which `finish` waits for.
      Task { _ = try? await part.recording.stop(at: clock.map { until + $0.middle }) }
    }
  }

  /// Waits for the end of all movies, and fetches them.
  ///
  /// A cancelled task ends the waiting; the cameras record on.
  /// - Parameter onMovie: Gets each movie when it is complete; several at the same time. Its error
  ///   is the camera's: the movie is in the node's library.
  public func finish(
    onMovie: @escaping Receiver = { (_, _, _) throws(CameraBusError) in [] }
  ) async -> RigRecording {
    guard recording.outcome != .abandoned else { return recording }
    // Readings before and after a moment bound a clock best.
    let wait = recording.from - .now
    if wait > .zero { try? await Task.sleep(for: wait) }
    var unreliable = await rig.readClocks(of: Set(parts.map(\.candidate.link.connection.name)))
    let from = recording.from
    var beginnings: [Int: ClockOffset] = [:]
    for part in parts {
      beginnings[part.candidate.index] = await part.candidate.link.offset(at: from)
    }
    let ended = await withTaskGroup { group in
      for part in parts { group.addTask { await self.finish(part, onMovie) } }
      var ended: [Int: Ended] = [:]
      for await (index, result) in group { ended[index] = result }
      return ended
    }
    unreliable.formUnion(ended.values.filter(\.isClockChanged).map(\.node))
    for part in parts {
      let index = part.candidate.index
      guard let result = ended[index] else { continue }
      if let (step, error) = result.failure { recording.parts[index].fail(step, error) }
      guard let movie = result.movie else { continue }
      let isKnown = !unreliable.contains(result.node)
      recording.parts[index].movie = RigRecording.Movie(
        recordingID: movie.recordingID, frames: movie.frames, dropped: movie.dropped,
        reason: movie.reason,
        first: movie.first.map {
          RigRecording.Frame($0, moment: from, clock: isKnown ? beginnings[index] : nil)
        },
        last: movie.last.map {
          RigRecording.Frame(
            $0, moment: recording.until, clock: isKnown ? result.clockAtEnd : nil)
        },
        files: result.files.isEmpty
          ? [
            RigShot.File(
              mediaType: movie.asset.mediaType, byteCount: Int(clamping: movie.asset.byteCount),
              sha256: movie.asset.sha256)
          ] : result.files)
    }
    recording.lineUp()
    if recording.parts.allSatisfy({ $0.movie != nil && $0.problem == nil }) {
      recording.outcome = .complete
    }
    return recording
  }

  private struct Ended: Sendable {
    let node: String
    var movie: Movie?
    var files: [RigShot.File] = []
    var clockAtEnd: ClockOffset?
    var isClockChanged = false
    var failure: (RigShot.Step, CameraBusError)?
  }

  private nonisolated func finish(
    _ part: Part, _ onMovie: @escaping Receiver
  ) async -> (Int, Ended) {
    let link = part.candidate.link
    var ended = Ended(node: link.connection.name)
    var step = RigShot.Step.take
    do throws(CameraBusError) {
      let movie = try await movie(of: part)
      ended.movie = movie
      // As soon as the movie has ended, because downloads take long. It may be another node's end
      // that ended it, so a clock that does not answer is no failure.
      if let last = movie.last {
        ended.isClockChanged = (try? await link.readClock()) ?? false
        let clock = await link.offset(at: .now)
        ended.clockAtEnd =
          if let clock { await link.offset(at: last.timestamp.monotonic - clock.middle) } else {
            nil
          }
      }
      step = .keep
      ended.files = try await onMovie(part.candidate.name, movie, try await link.open())
      if let trouble = movie.reason?.trouble {
        ended.failure = (
          .take, CameraBusError(.interrupted, "the movie ended before its time: \(trouble)")
        )
      }
    } catch {
      ended.failure = (step, error)
    }
    return (part.candidate.index, ended)
  }

  /// Waits for the end of a movie, and not for a node that is gone when it should have ended.
  /// - Throws: As `Recording.movie()`; the error of the node that does not answer.
  private nonisolated func movie(of part: Part) async throws(CameraBusError) -> Movie {
    try await race { () throws(CameraBusError) in
      try await part.recording.movie()
    } until: {
      await self.absence(of: part.candidate.link)
    }
  }

  /// Waits until a node does not answer although the movies should have ended.
  private func absence(of link: RigLink) async -> CameraBusError {
    while true {
      let end = recording.until.map { $0 + rig.configuration.requestTimeout }
      let wait = (end ?? .now + rig.configuration.requestTimeout) - .now
      guard (try? await Task.sleep(for: max(wait, .seconds(1)))) != nil else {
        return CameraBusError(.cancelled, "the end of the movie was not waited for")
      }
      guard let until = recording.until, .now >= until + rig.configuration.requestTimeout else {
        continue
      }
      if .now >= until + rig.configuration.requestTimeout + Self.closing {
        return CameraBusError(
          .timedOut,
          "its node has not ended the movie; what there is of it goes into the node's library")
      }
      do throws(CameraBusError) {
        _ = try await link.introduction()
      } catch {
        return CameraBusError(
          error.code,
          "its node is gone: \(error.message); what there is of the movie goes into the node's library when it is back",
          cause: error)
      }
    }
  }
}

extension Movie.EndReason {
  /// Why it ended before its time; nil if it did not.
  fileprivate var trouble: String? {
    switch self {
    case .stopped, .limitReached: nil
    case .storageFull: "the node's disk is full"
    case .storageFailed: "the node's disk failed"
    case .cameraLost: "the camera was lost"
    case .soundLost: "no sound came any more"
    case .nodeStopped: "the node was stopped"
    case .nodeKilled: "the node was killed"
    default: "\(self)"
    }
  }
}
