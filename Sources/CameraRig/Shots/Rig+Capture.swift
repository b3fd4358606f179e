public import CameraClient

extension Rig {
  /// How long the cameras' nodes may take to get a command, beyond what the network has shown.
  private static let margin = Duration.milliseconds(50)

  /// Takes a picture with all cameras at one moment.
  ///
  /// First every camera prepares; if enough of them are ready, all get the moment, and otherwise
  /// none takes anything. The nodes' clocks are read before and after. Cameras that run freely show
  /// their frame nearest the moment, so half a frame interval away from it at most: the result says
  /// what each has shown, and how well that is known.
  ///
  /// A cancelled task gives up what is not committed. A node that is not there, or does not answer,
  /// holds up the others for the rig's `connectTimeout` at most.
  /// - Parameters:
  ///   - time: The moment.
  ///   - settings: What each picture is to be. A `PhotoSettings.tolerance` is how far a frame may
  ///     lie from the moment, else that camera's part fails.
  ///   - policy: How many cameras have to be ready.
  ///   - onPicture: Gets each picture when it is here, with the camera's name in the rig, in any
  ///     order; several at the same time. Its error is the camera's: the picture is in the node's
  ///     library.
  public func capture(
    at time: RigTime = .soon, _ settings: PhotoSettings = PhotoSettings(),
    policy: RigPolicy = .all,
    onPicture: @escaping @Sendable (String, Photo) async throws(CameraBusError) -> [RigShot.File] =
      {
        (_, photo) throws(CameraBusError) in []
      }
  ) async -> RigShot {
    var (candidates, parts) = await survey()
    let shot = Identifier.random()
    var prepared: [Int: PreparedShot] = [:]
    for (candidate, result) in await each(
      candidates,
      { candidate throws(CameraBusError) in
        try await candidate.link.open().camera(candidate.camera).prepareShot(
          shot, settings, as: "rig")
      })
    {
      switch result {
      case .success(let camera): prepared[candidate.index] = camera
      case .failure(let error): parts[candidate.index].fail(.prepare, error)
      }
    }
    let moment = await moment(
      time,
      of: candidates.compactMap { candidate in
        prepared[candidate.index].map { (candidate, $0) }
      })
    let wall = WallInstant.now + (moment - .now)
    guard policy.allows(prepared.count, of: parts.count), !Task.isCancelled else {
      await abort(prepared.values)
      return RigShot(
        shot: shot, rig: description.name, moment: moment, wall: wall, outcome: .abandoned,
        parts: parts)
    }
    candidates.removeAll { prepared[$0.index] == nil }
    let taken = await withTaskGroup { group in
      for candidate in candidates {
        guard let camera = prepared[candidate.index] else { continue }
        group.addTask {
          await Self.take(candidate, camera, moment, onPicture)
        }
      }
      var taken: [Int: Taken] = [:]
      for await (index, result) in group { taken[index] = result }
      return taken
    }
    // Readings before and after bound a clock best. Who took nothing may be gone.
    let witnesses = Set(
      candidates.filter { taken[$0.index]?.photo != nil }.map(\.link.connection.name))
    let unreliable = await readClocks(of: witnesses)
    for candidate in candidates {
      guard let result = taken[candidate.index] else { continue }
      if let (step, error) = result.failure { parts[candidate.index].fail(step, error) }
      guard let photo = result.photo else { continue }
      let isKnown = !unreliable.contains(candidate.link.connection.name)
      let clock = isKnown ? await candidate.link.offset(at: moment) : nil
      var picture = RigShot.Picture(
        photo, moment: moment, clock: clock, calibration: result.calibration)
      if !result.files.isEmpty { picture.files = result.files }
      parts[candidate.index].picture = picture
    }
    let starts = parts.compactMap { part in
      part.picture.flatMap { picture in
        picture.earliestStart.flatMap { earliest in
          picture.latestStart.map { (earliest: earliest, latest: $0) }
        }
      }
    }
    let isComplete = parts.allSatisfy { $0.picture != nil && $0.problem == nil }
    return RigShot(
      shot: shot, rig: description.name, moment: moment, wall: wall,
      outcome: isComplete ? .complete : .incomplete, parts: parts, skew: RigShot.skew(starts))
  }

  /// A camera of the rig that may take part.
  struct Candidate: Sendable {
    /// Its place among the parts.
    let index: Int
    let link: RigLink
    /// What its node calls it.
    let camera: String
    /// What it is called in the rig.
    let name: String
    /// From one frame to the next; nil if that is not known.
    let interval: Duration?
  }

  /// Does something with all cameras at once.
  /// - Returns: What came of it, in the order of the cameras.
  func each<R: Sendable>(
    _ candidates: [Candidate],
    _ body: @escaping @Sendable (Candidate) async throws(CameraBusError) -> R
  ) async -> [(candidate: Candidate, result: Result<R, CameraBusError>)] {
    await Self.atOnce(candidates, body).map { (candidate: $0, result: $1) }
  }

  /// Reads the clocks of some nodes.
  /// - Returns: Those on which a clock was changed.
  func readClocks(of nodes: Set<String>) async -> Set<String> {
    let changed = await each { link throws(CameraBusError) in
      guard nodes.contains(link.connection.name) else { return false }
      return try await link.readClock()
    }
    return Set(
      changed.compactMap { link, result in
        if case .success(true) = result { link.connection.name } else { nil }
      })
  }

  /// What one camera has brought.
  private struct Taken: Sendable {
    var photo: Photo?
    var files: [RigShot.File] = []
    var calibration: Calibration?
    var failure: (RigShot.Step, CameraBusError)?
  }

  /// Finds the rig's cameras and reads the clocks.
  /// - Returns: The cameras that answer, and a part for each camera.
  func survey() async -> ([Candidate], [RigShot.Part]) {
    let found = await each { link throws(CameraBusError) in try await link.introduction() }
    var present: [String: [String]] = [:]
    var rates: [String: [String: Double]] = [:]
    for (link, result) in found {
      if case .success(let status) = result {
        present[link.connection.name] = status.cameras.map(\.name)
        for camera in status.cameras {
          rates[link.connection.name, default: [:]][camera.name] = camera.format?.frameRate
        }
      }
    }
    let names = description.cameraNames(present)
    var (candidates, parts) = ([Candidate](), [RigShot.Part]())
    for ((link, result), node) in zip(found, description.nodes) {
      let name = link.connection.name
      let cameras = node.cameras ?? (present[name] ?? []).map { RigCamera(camera: $0) }
      for camera in cameras {
        let own = names[name]?[camera.camera] ?? camera.camera
        var part = RigShot.Part(
          camera: own, node: name, nodeCamera: camera.camera, position: camera.position)
        if case .failure(let error) = result {
          part.fail(.connect, error)
        } else {
          candidates.append(
            Candidate(
              index: parts.count, link: link, camera: camera.camera, name: own,
              interval: AwaitedInterval.of(rates[name]?[camera.camera])))
        }
        parts.append(part)
      }
      if cameras.isEmpty {
        var part = RigShot.Part(camera: name, node: name)
        switch result {
        case .success:
          part.fail(.connect, .hasNoCamera(name))
        case .failure(let error): part.fail(.connect, error)
        }
        parts.append(part)
      }
    }
    return (candidates, parts)
  }

  /// The moment of a shot by this machine's clock.
  private func moment(
    _ time: RigTime, of cameras: [(candidate: Candidate, shot: PreparedShot)]
  ) async -> MonotonicInstant {
    var ready: [ReadyCamera] = []
    for (candidate, shot) in cameras {
      let clock = await candidate.link.offset(at: .now)
      ready.append(
        ReadyCamera(
          frame: shot.newest.flatMap { newest in clock.map { newest.monotonic - $0.middle } },
          reach: shot.newest == nil ? nil : shot.ringReach,
          interval: min(shot.interval ?? .zero, AwaitedInterval.longest)))
    }
    return time.moment(at: .now, knownAfter: await delay, of: ready)
  }

  /// The moment of something that takes so long to prepare, by this machine's clock.
  func moment(_ time: RigTime, after preparation: Duration) async -> MonotonicInstant {
    switch time {
    case .at(let moment): moment
    case .soon: .now + (await delay) + preparation
    }
  }

  /// How long it may take until all nodes know something.
  private var delay: Duration {
    get async {
      var longest = Duration.zero
      for link in links { longest = max(longest, await link.roundTrip) }
      return Self.margin + longest * 2
    }
  }

  private func abort(_ shots: some Sequence<PreparedShot> & Sendable) async {
    // Also when the task was cancelled.
    await Task {
      await withDiscardingTaskGroup { group in
        for shot in shots { group.addTask { _ = try? await shot.abort() } }
      }
    }.value
  }

  private static func take(
    _ candidate: Candidate, _ camera: PreparedShot, _ moment: MonotonicInstant,
    _ onPicture: @Sendable (String, Photo) async throws(CameraBusError) -> [RigShot.File]
  ) async -> (Int, Taken) {
    var taken = Taken()
    let clock: ClockOffset
    do throws(CameraBusError) {
      clock = try await candidate.link.knownOffset(at: moment)
    } catch {
      taken.failure = (.take, error)
      _ = try? await camera.abort()
      return (candidate.index, taken)
    }
    var step = RigShot.Step.take
    do throws(CameraBusError) {
      for try await event in camera.commit(at: .atMonotonic(moment + clock.middle)) {
        if case .didFinish(let photo) = event { taken.photo = photo }
      }
      guard let photo = taken.photo else {
        throw CameraBusError(.cancelled, "the shot was given up")
      }
      step = .keep
      taken.files = try await onPicture(candidate.name, photo)
      if photo.resolved?.calibrationID != nil {
        // Without it, the picture is still one.
        taken.calibration = try? await camera.camera.calibration()
      }
    } catch {
      taken.failure = (step, error)
      // What was refused is prepared still, and its camera leased. A node that is gone ends the
      // lease by itself.
      if step == .take, error.code != .unreachable, error.code != .timedOut {
        await Task { _ = try? await camera.abort() }.value
      }
    }
    return (candidate.index, taken)
  }
}

extension RigShot.Part {
  fileprivate mutating func fail(_ step: RigShot.Step, _ error: CameraBusError) {
    (failedStep, problem) = (step, Problem(error))
  }
}
