import ArgumentParser
import CameraClient
import CameraRig

/// The words of `camctl help json`.
struct JSONCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json",
    abstract: "Explains what --json prints.",
    discussion: """
      One object a line. Names never change; more may come. A field that does not
      apply is left out. Times and durations are whole nanoseconds; a timestamp is
      {monotonicNanoseconds, wallNanoseconds, wallErrorNanoseconds}, without the last
      where the bound of the clock's error is unknown; a size {width, height}; ids and hashes are hexadecimal text.
      Braces are around the fields of an object, brackets around those of each object of a list.

      status; with --watch, again at each change, and events of type
      disconnected and nodeRestarted
        \(fields(NodeStatus.self))
        (eventPosition is where `events --after` goes on); of several nodes also
        nodeName, and of one that cannot be asked nodeName error{code message}
      cameras, session: a camera, with configuredInput while it has another one, and
      remembered where the node remembers
        \(fields(CameraStatus.self))
      devices
        \(fields(MachineDevice.self)) (formats as below)
      formats
        \(fields(CameraFormat.self)) (why it cannot be used)
      controls
        id name kind
        (\(words(Control.Kind.self)))
        minimum maximum step defaultValue menu[{index name}] dimensions
        (from minimum to dimensions not of the kinds number and point)
        isReadOnly isWriteOnly isInactive isGrabbed isVolatile value
        (a number, true or false, a text, numbers, {x y} for a point, or {hex} for
        bytes) unit sources (both empty without a meaning); of a control with a
        meaning and of the kind number range{minimum maximum step defaultValue}; a
        zoom that moves rampingTo; one that cannot be read or set now problem
      controls set: also, where the node looked for it
        effect{effectiveFrame timestamp basis (\(words(ControlEffect.Basis.self)))}
        or effect{notSettled frames}
      capabilities
        formats presets[{preset format}] format pictures[{mediaType size
        isPassthrough switchesFormat}] controls ring{frames durationNanoseconds}
        limits{waitingPhotos encodedPhotos settings inlineByteCount burstPictures
        deferredPhotos deferredByteCount}
        timestampMark (\(words(TimestampMark.self)))
        wallErrorNanoseconds saysFacts hasFlash hasTorch hasDepth
        depthCamera hasPointsOfInterest saysDeviceTime
      calibration
        \(fields(Calibration.self))
      clock
        offset{leastNanoseconds mostNanoseconds} (what to add to this machine's
        CLOCK_MONOTONIC to get the node's)
        reading{
        \(fields(ClockReading.self))}
        own{offsetNanoseconds errorNanoseconds} (this machine's wall clock: what to
        add to CLOCK_MONOTONIC to get it; missing if nobody knows its error)
        ownSource isWallWrong (the bounds of the wall clocks contradict the readings,
        and do not count) isChanged (whether a clock was changed meanwhile)
      quota
        usage[camera assets bytes]
        quota{limits[camera maximumBytes maximumAgeNanoseconds] minimumFreeBytes}
        freeBytes problem{code message}
      microphones
        microphones[
        \(fields(Microphone.self))
        ] (as in status) devices[\(fields(SoundDevice.self))]
      controls reset, load: also, for each control that was not set
        id skipped (the reason)
      controls save: the file
        id value
      configure
        status (a camera) controls[control] effect
      capture
        camera requestID file mediaType byteCount sha256 asset
        layout (of image/x-raw);
        of several formats instead files[file mediaType byteCount sha256 asset
        layout];
        with --depth also depth{camera differenceNanoseconds (its time minus the
        photo's) resolved map{file mediaType byteCount sha256 asset} matte (as map)};
        with --live also movie{file asset photoTimeNanoseconds (where in it the photo's
        frame is) error (if there is none)};
        layout is
        \(fields(RawLayout.self))
        and resolved
        \(fields(ResolvedCapture.self))
        (mergedFrames of all files but dng and raw, shot only of a bracket);
        without resolved where the node has
        restarted, and the library had the photo all the same
      capture --interval: for a photo that could not be taken
        camera number monotonicNanoseconds missed{code message}
      download: asset file wasHere (before, with the same bytes)
      assets verify: \(fields(LibraryVerification.self))
      assets repair: \(fields(LibraryRepair.self))
      assets, assets tag, delete, protect: an asset a line
        \(fields(Asset.self))
        (durationNanoseconds and frames of a movie; no part for the photo itself; replaces is
        the id of a proxy, which has a deferral)
      frames
        \(fields(MovieFrame.self))
      record start
        \(fields(RecordingStart.self))
      record pause, resume, trigger: how far the recording is
        \(fields(RecordingStatus.self))
      record, record stop
        recordingID asset files (if several) frames (of all) dropped file
        sound{\(fields(MovieSound.self))}
        reason (\(words(Movie.EndReason.self)))
      watch
        camera stream frames byteCount durationNanoseconds framesPerSecond
        latency{capture copy encodeWait encode publish transport total, each
        {p50Nanoseconds p99Nanoseconds}}
        losses{lostByCamera droppedByNode notPublished lostOnBus droppedByClient
        omissions{pressure streamRate cameraRate late encodingFailed}}
        pressure (as in status) trouble (why no frames came at the end)
      watch --frames: before that, for each frame
        sequence timestamp exposure size orientation pixelFormat byteCount deviceTime (as in
        capture)
        stages{\(fields(FrameStages.self))}
      events: by type
        snapshot      node
        state         epoch sequence camera time status
        control       epoch sequence camera time control
        capture       epoch sequence camera time
                      requestID step resolved mediaType byteCount part asset error
                      assets[asset] (if there are several)
                      settings{
                      \(fields(CaptureSettings.self, indent: 16))}
        deferred      epoch sequence camera time
                      requestID proxy step resolved asset error
                      assets[asset] (if there are several)
        recording     epoch sequence camera time
                      requestID step recording movie error
                      recordingStatus{as above} (of the steps progress, paused, resumed)
                      recordedFile{number asset frames dropped reason first last error} (of
                      the step file)
        library       epoch sequence camera time
                      removal{\(fields(AssetRemoval.self))}
        sound         epoch sequence camera time
                      sound{\(fields(SoundChange.self))}
        subjectArea   epoch sequence camera time
                      subjectArea{\(fields(SubjectAreaChange.self))}
        keys          epoch sequence camera (_node) time
                      keys{\(fields(KeysEvent.self))}
        devices       epoch sequence camera (_node) time
                      devices{appeared[device] disappeared[device]}
        pressure      epoch sequence camera (_node) time pressure (as in status)
        capabilities  epoch sequence camera time capabilities
        history       epoch sequence camera time kind: with --history and --since, from
                      which number on these events are whole, if not from 1
        gap           noticedWallNanoseconds camera kind missed
        disconnected  noticedWallNanoseconds error
        nodeRestarted, reconnected
                      noticedWallNanoseconds (by the clock of this machine)
      events of several nodes: also nodeName, isLate (whether events of a later time
      came before it) and estimated{\(fields(EstimatedTime.self))}
      (when it happened by this machine's CLOCK_MONOTONIC, and by how much that may be
      wrong; without the second where the node's clock is not known); and
        awaited       noticedWallNanoseconds error: the node is not there yet
        clockChanged  noticedWallNanoseconds: times before and after cannot be compared
      keys show: nodeKey fingerprint (the SHA-256 of the key)
      keys authorize, change, rename, list: a key
        name role cameras expires isExpired key comment
      keys revoke: name
      keys invite: name invitation
      nodes add, rename, list: a node
        name control nodeKey fingerprint publicKey (to be authorized)
      nodes discover: a candidate
        name endpoints source (\(words(NodeCandidate.Source.self)))
        protocolVersion release fingerprint needsKey (both only if it says so)
        trust (trusted, wrongKey, unproven, unknown) knownAs (your name for the node
        that trust speaks of)
      nodes remove: name
      lease acquire: camera lease (its id); lease release: camera
      lease status: camera lease{as above}
      rig status: a node a line; with --watch, a node again at each of its changes
        name status (as above) clock{leastNanoseconds mostNanoseconds} problem
        status.cameras.pace{newest{timestamp} intervalNanoseconds deviationNanoseconds
        (both not whole) frames}
        phases[camera phase{leastNanoseconds mostNanoseconds} driftPPM] (of frames, from
        those of the rig's first camera that runs; not with --watch)
      rig clocks: a node a line
        \(fields(RigClock.self))
      rig events: as events of several nodes
      rig capture, series: a shot a line, as in its shot.json
        shot rig monotonicNanoseconds wallNanoseconds (the moment, by this machine's
        clocks) outcome (complete incomplete abandoned)
        skew{leastNanoseconds mostNanoseconds} (from the first beginning of an
        exposure to the last one)
        parts[camera node nodeCamera position{x y z} problem{code message}
        failedStep (connect prepare take keep)
        picture{requestID resolved (as in capture; by the node's clocks)
        earliestStartNanoseconds latestStartNanoseconds (of the exposure, by this
        machine's clock) offset{leastNanoseconds mostNanoseconds} (from the moment)
        clock (how far the node's is ahead) files[name mediaType byteCount sha256]
        calibration}]
      rig record: as in its recording.json
        rig fromMonotonicNanoseconds untilMonotonicNanoseconds fromWallNanoseconds outcome
        skew (of the first frames) parts[camera node nodeCamera position problem failedStep
        movie{recordingID frames dropped reason delay{leastNanoseconds mostNanoseconds}
        (from the rig's first movie) files
        first, last{time{timestamp exposure} (by the node's clocks)
        earliestStartNanoseconds latestStartNanoseconds offset clock}}]
      rig align: toleranceNanoseconds reference parts[camera node nodeCamera
        before, after{leastNanoseconds mostNanoseconds} (from the reference's phase)
        driftPPM restarts isAligned problem]
      doctor
        check verdict message remedy
      errors, on stderr
        error{code message field reason isRetryable requestID}
        An error's code, and that of an error{code message} above, is one of
          from a node
            \(words(CameraBusError.Code.self, indent: 6))
          from the connection
            unreachable timedOut closed protocolViolation fileExists hashMismatch
            keyRequired notAuthorized wrongNode tooLarge
          from camctl
            usage unreadableFile outputFailed key
        The reason tells causes of one code apart
          \(words(CameraBusError.Reason.self, indent: 4))
      """
  )

  private static func fields<T: Decodable>(_ type: T.Type, indent: Int = 2) -> String {
    JSONFields.wrapped(JSONFields.of(type), indent: indent)
  }

  private static func words<E: CaseIterable & RawRepresentable>(
    _ type: E.Type, indent: Int = 2
  ) -> String {
    JSONFields.wrapped(JSONFields.words(of: type), indent: indent)
  }

  func run() throws {
    throw CleanExit.helpRequest(Self.self)
  }
}
