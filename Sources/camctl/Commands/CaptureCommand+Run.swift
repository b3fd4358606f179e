import CameraClient
import Glibc
import OperatingSystem
import Words

extension CaptureCommand {
  /// Where the photos go; of deferred ones that are not waited for, the proxies.
  private func place() throws -> OutputPattern {
    let isForProxies = deferral.deferred && !deferral.wait
    let output = try OutputPattern(
      output, count: burst ?? bracket?.count ?? count,
      isOneRequest: burst != nil || bracket != nil,
      isForProxies ? [.jpeg] : formats.map(\.file),
      parts: (depth ? [.depth] : []) + (matte == nil ? [] : [.matte]) + (live ? [.live] : []),
      overwrites: existing.overwrite)
    if deferral.wait, output.isStandardOutput || output.stream != nil {
      throw CommandFailure.usage(
        "--wait writes proxies and final photos, so they need files: name one, or a folder")
    }
    return isForProxies ? output.forProxies(isBeside: false) : output
  }

  func run(on bus: CameraBus) async throws {
    let output = try place()
    if output.isStandardOutput, StandardOutput.isTerminal, !force {
      throw CommandFailure.usage(
        "a terminal cannot show a photo: name a file, send the output to one, or use --force")
    }
    try output.check()
    var finals = FinalPhotos(options, deferral, output)
    try finals.check()
    let camera = try await options.chosenCamera(of: bus)
    var (number, missed) = (0, 0)
    var stream: StreamWriter?
    if burst != nil || bracket != nil {
      let steps =
        if let bracket {
          camera.bracket(
            try await bracket.shots(of: camera), settings, timeout: options.chosenTimeout)
        } else {
          camera.burst(
            burst ?? 1, every: every, from: when, settings, timeout: options.chosenTimeout)
        }
      var hasBegun = false
      do {
        for try await step in steps {
          hasBegun = true
          guard case .didFinish(let photo) = step else { continue }
          number += 1
          try await deliver(photo, of: camera, number, to: output, &stream, &finals)
        }
      } catch {
        var failure = CommandFailure(error, of: options)
        // Otherwise the node has said that it has taken nothing, or how many files it has.
        let isUnsaid = CameraBusError.Code(rawValue: failure.code).isOfWaiting
        if number > 0 || failure.keptFiles > 0 {
          failure.message += "; what was kept: camctl download --request \(steps.requestID)"
        } else if hasBegun && isUnsaid {
          failure.message += Self.perhapsKept(steps.requestID)
        }
        throw failure
      }
    } else {
      do {
        if let interval {
          missed = try await takeAtIntervals(interval, camera, output, &finals)
        } else {
          let photos = camera.captureSeries(count, from: when, settings, timeout: options.timeout)
          for try await photo in photos {
            number += 1
            try await deliver(photo, of: camera, number, to: output, &stream, &finals)
          }
        }
      } catch {
        var failure = CommandFailure(error, of: options)
        // The node finishes a photo that it has taken.
        if failure.code == CameraBusError.Code.cancelled.rawValue, !transient,
          let request = failure.requestID
        {
          failure.message += Self.perhapsKept(request)
        }
        throw failure
      }
    }
    try await finals.deliver(from: bus) { (photo, number) in
      try await deliver(photo, of: camera, number, to: output, &stream)
    }
    guard missed > 0 else { return }
    throw CommandFailure(
      code: CameraBusError.Code.frameUnavailable.rawValue,
      message: "\(missed) of \(count) photos could not be taken", status: EXIT_FAILURE)
  }

  private static func perhapsKept(_ request: Identifier) -> String {
    "; what was kept, if anything: camctl download --request \(request)"
  }

  /// - Returns: How many photos could not be taken.
  private func takeAtIntervals(
    _ interval: Duration, _ camera: Camera, _ output: OutputPattern, _ finals: inout FinalPhotos
  ) async throws -> Int {
    let shots = camera.timeLapse(
      count, every: interval, from: when, settings, timeout: options.timeout)
    var stream: StreamWriter?
    var missed = 0
    var before: UInt64?
    for try await shot in shots {
      switch shot.photo {
      case .success(let photo):
        let frame = photo.resolved?.frameSequence
        do {
          try await deliver(photo, of: camera, shot.number, to: output, &stream, &finals)
        } catch var failure as CommandFailure {
          if failure.code == CameraBusError.Code.fileExists.rawValue, let frame, frame == before {
            failure.message +=
              "; the photo before shows the same frame, \(frame): put %d into the name"
          }
          throw failure
        }
        before = frame
      case .failure(let error):
        missed += 1
        tell(MissedPhoto(shot, error, of: camera))
      }
    }
    return missed
  }

  private func tell(_ missed: MissedPhoto) {
    if options.json { return JSONLine.print(missed) }
    options.note(
      "camctl: photo \(missed.number) could not be taken: \(missed.missed.message)", style: .warning
    )
  }

  private func deliver(
    _ photo: Photo, of camera: Camera, _ number: Int, to output: OutputPattern,
    _ stream: inout StreamWriter?, _ finals: inout FinalPhotos
  ) async throws {
    let place = photo.isProxy ? finals.proxies : output
    try await deliver(photo, of: camera, number, to: place, &stream)
    finals.expect(of: photo, number)
  }

  private func deliver(
    _ photo: Photo, of camera: Camera, _ number: Int, to output: OutputPattern,
    _ stream: inout StreamWriter?
  ) async throws {
    options.remark("request \(photo.requestID), SHA-256 \(photo.sha256)")
    let photo = TakenPhoto(photo, of: camera)
    var paths: [String] = []
    var depthPaths: [String] = []
    var moviePath: String?
    do {
      for file in photo.files {
        if let path = output.stream {
          let open = if let stream { stream } else { try await StreamWriter.open(path) }
          stream = open
          try await open.write(file.data)
          paths.append(path)
        } else if let path = try await photo.write(file, number, to: output) {
          paths.append(path)
        }
      }
      if let path = paths.first {
        depthPaths = try await photo.writeDepth(beside: path, overwrites: output.overwrites)
        moviePath = try await photo.writeMovie(
          beside: path, from: camera.bus, overwrites: output.overwrites)
      }
    } catch {
      var failure = CommandFailure(error)
      failure.message += "; \(photo.whereabouts)"
      throw failure
    }
    print(photo, paths, depthPaths, moviePath)
    if let error = photo.photo.movie?.error {
      options.note("camctl: the photo has no movie: \(error.message)", style: .warning)
    }
    if number == 1 { tellWhatIsMissing(of: photo, isPrinted: !paths.isEmpty) }
  }

  /// - Parameter paths: Where its files are; empty for the standard output.
  private func print(
    _ photo: TakenPhoto, _ paths: [String], _ depthPaths: [String], _ moviePath: String?
  ) {
    guard !paths.isEmpty else { return }
    if options.json {
      return JSONLine.print(photo.report(files: paths, depth: depthPaths, movie: moviePath))
    }
    for (file, path) in zip(photo.files, paths) {
      StandardOutput.write(path: path, options.quiet ? nil : photo.words(of: file))
    }
    for (path, words) in zip(depthPaths, photo.depthWords) {
      StandardOutput.write(path: path, options.quiet ? nil : words)
    }
    if let moviePath {
      StandardOutput.write(path: moviePath, options.quiet ? nil : photo.movieWords)
    }
  }

  /// Says once what would be the same of every photo.
  private func tellWhatIsMissing(of photo: TakenPhoto, isPrinted: Bool) {
    if photo.hasNoQuality, quality != nil, !reencode {
      options.note(
        "camctl: --quality had no effect, because the JPEG is the camera's own: --reencode encodes it again",
        style: .warning)
    }
    if isPrinted, photo.hasUnknownClock {
      options.note(
        "how wrong the node's wall clock may be is unknown: camctl doctor says why", style: .faint)
    }
  }
}
