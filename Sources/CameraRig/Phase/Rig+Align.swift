import CameraClient

extension Rig {
  /// How far ahead the streams begin: a device has to be opened until then.
  private static let ahead = Duration.milliseconds(1500)
  /// Of how many frames a phase is judged.
  private static let frames = 24

  /// Brings the frames of cameras that run freely to a common phase: that of the first camera which
  /// runs.
  ///
  /// A camera's phase is decided by the moment at which its stream begins, and by how long the
  /// device takes from there, which is learned from one beginning for the next. What was achieved
  /// is measured, and what a device does not do is said. The phases move apart again by the drift
  /// of the cameras. Streams are interrupted meanwhile; a camera that records is left alone.
  /// - Parameters:
  ///   - tolerance: How far the frames of a camera may lie from the common phase.
  ///   - tries: How often a stream is begun again at most.
  public func align(
    tolerance: Duration = .milliseconds(1), tries: Int = 6
  ) async -> RigAlignment {
    let (candidates, found) = await survey()
    var alignment = RigAlignment(
      rig: description.name, tolerance: tolerance,
      parts: found.map {
        RigAlignment.Part(
          camera: $0.camera, node: $0.node, nodeCamera: $0.nodeCamera, problem: $0.problem)
      })
    var measured = await measure(candidates, &alignment)
    guard let first = measured.first else { return alignment }
    alignment.reference = first.candidate.name
    let phase = CommonPhase(interval: first.rhythm.pace.interval)
    for camera in measured where !phase.has(camera.rhythm.pace, of: first.rhythm.pace) {
      alignment.parts[camera.candidate.index].problem = Problem(
        code: .conflict,
        message:
          "its frames come every \(camera.rhythm.pace.interval / 1e6) ms, and those of \(first.candidate.name) every "
          + "\(phase.interval / 1e6) ms: give both the same rate")
    }
    measured.removeAll { !phase.has($0.rhythm.pace, of: first.rhythm.pace) }
    var lags: [Int: Lag] = [:]
    for round in 0...max(0, tries) {
      guard let reference = measured.first(where: { $0.candidate.index == first.candidate.index })
      else { break }
      var wrong: [Measured] = []
      for camera in measured {
        let index = camera.candidate.index
        let (bounds, drift) = phase.place(
          of: camera.rhythm, by: reference.rhythm, isSame: index == reference.candidate.index)
        if round == 0 { alignment.parts[index].before = bounds }
        alignment.parts[index].after = bounds
        alignment.parts[index].drift = drift
        alignment.parts[index].isAligned =
          max(bounds.most, .zero - bounds.least) <= tolerance
        lags[index]?.learn(camera, phase)
        // Of what the bounds leave open, another beginning changes nothing.
        if max(bounds.middle, .zero - bounds.middle) > tolerance / 8,
          !alignment.parts[index].isAligned
        {
          wrong.append(camera)
        }
      }
      guard round < tries, !wrong.isEmpty, !Task.isCancelled else { break }
      await restart(wrong, as: reference, phase, &lags, &alignment)
      measured = await measure(
        candidates.filter { alignment.parts[$0.index].problem == nil }, &alignment)
    }
    for index in alignment.parts.indices
    where !alignment.parts[index].isAligned && alignment.parts[index].problem == nil {
      let part = alignment.parts[index]
      let open = part.after.map { $0.error > tolerance } ?? false
      alignment.parts[index].problem = Problem(
        code: .conflict,
        message: open
          ? "nobody knows its phase so exactly: its node's clock is known within \(part.after?.error ?? .zero)"
          : "the device does not begin its frames at the same time after each start: \(part.restarts) tries were not "
            + "enough")
    }
    return alignment
  }

  // MARK: Measuring

  /// A camera of which it is known when its frames come.
  private struct Measured: Sendable {
    let candidate: Candidate
    let rhythm: Rhythm
  }

  /// Reads the cameras' phases, when enough frames have come, and the nodes' clocks.
  private func measure(
    _ candidates: [Candidate], _ alignment: inout RigAlignment
  ) async -> [Measured] {
    var measured: [Measured] = []
    for (candidate, result) in await each(
      candidates, { candidate throws(CameraBusError) in try await self.measure(candidate) })
    {
      switch result {
      case .success(let camera): measured.append(camera)
      case .failure(let error): alignment.parts[candidate.index].problem = Problem(error)
      }
    }
    return measured
  }

  /// - Throws: Also `timedOut` for a camera whose pace does not become known.
  private func measure(_ candidate: Candidate) async throws(CameraBusError) -> Measured {
    let limit =
      configuration.requestTimeout
      + (candidate.interval ?? AwaitedInterval.longest) * Self.frames
    return try await race(
      for: limit, late: "its frames have had no even pace for \(limit): see how they come",
      cancelled: "the alignment was given up"
    ) { () throws(CameraBusError) in try await Self.measure(candidate) }
  }

  private static func measure(_ candidate: Candidate) async throws(CameraBusError) -> Measured {
    let camera = try await candidate.link.open().camera(candidate.camera)
    var missing = 0
    // A camera that is idle begins to stream.
    for try await _ in camera.frames(.preview) {
      missing -= 1
      guard missing <= 0 else { continue }
      let pace = try await camera.status().pace
      missing = Self.frames - (pace?.frames ?? 0)
      guard let pace, missing <= 0 else { continue }
      try await candidate.link.readClock()
      let clock = try await candidate.link.knownOffset(at: .now)
      return Measured(candidate: candidate, rhythm: Rhythm(pace: pace, clock: clock))
    }
    throw CameraBusError(.closed, "the camera sends no frames any more")
  }

  // MARK: Beginning streams again

  /// How long a device takes from the beginning of its stream to a frame, on the circle of the
  /// phase.
  private struct Lag {
    /// When the stream began last, on this machine's clock.
    var start: MonotonicInstant
    private(set) var lag: Duration?

    init(start: MonotonicInstant) { self.start = start }

    mutating func learn(_ camera: Measured, _ phase: CommonPhase) {
      lag = phase.distance(of: camera.rhythm.frame, from: start)
    }
  }

  private func restart(
    _ cameras: [Measured], as reference: Measured, _ phase: CommonPhase, _ lags: inout [Int: Lag],
    _ alignment: inout RigAlignment
  ) async {
    let due = phase.next(of: reference.rhythm.frame, notBefore: .now + Self.ahead)
    let results = await withTaskGroup { group in
      for camera in cameras {
        let index = camera.candidate.index
        let start = due - (lags[index]?.lag ?? .zero)
        lags[index] = Lag(start: start)
        alignment.parts[index].restarts += 1
        group.addTask { () -> (Int, CameraBusError?) in
          do throws(CameraBusError) {
            let bus = try await camera.candidate.link.open()
            try await bus.camera(camera.candidate.camera).startSession(
              at: start + camera.rhythm.clock.middle)
            return (index, nil)
          } catch {
            // It runs, and the next try is earlier.
            return (index, error.reason == .late ? nil : error)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (index, error) in results { alignment.parts[index].problem = Problem(error) }
  }
}
