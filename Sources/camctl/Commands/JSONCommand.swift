import ArgumentParser

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

      status; with --watch, again at each change, and events of type
      disconnected and nodeRestarted
        name version epoch now startedMonotonicNanoseconds eventsEndpoint
        framesEndpoint cameras malformedRequests busyReplies undeliverableReplies
        eventsDropped forbiddenRequests refusedConnections
        access{role cameras expiresWallNanoseconds}
        library{folder freeBytes reserveBytes error{code message} deferredPhotos
        deferredBytes}
        loops[{name longestTurnNanoseconds}]
        pressure{level (nominal, fair, serious, critical, shutdown) since cause thinning
        waiting{cpu memory io}}
      cameras, session: a camera
        name device{identity model location driver standInReason} state since interruption
        error{code message} readiness
        format{pixelFormat size frameRate devicePixelFormat deviceFrameRate orientation{rotation isMirrored}}
        frames{delivered lostByCamera corrupted truncated skipped poolExhausted
        thinned}
        streams[{name subscribers encoded published droppedLate droppedSlow
        encodingFailed thinnedByPressure thinnedByRate error{code message}}]
        recording{id started frames bytes dropped} attempts lastAttempt
        lastAttemptMonotonicNanoseconds nextAttemptMonotonicNanoseconds
        ringNanoseconds idleAfterNanoseconds subjectAreaThreshold
        lease{holder since termNanoseconds expiresMonotonicNanoseconds}
        configuration{mode (photo, video) preset preview{rotation isMirrored}
        capture{rotation isMirrored} minimumRate maximumRate
        streams[{stream maximumRate quality isEnabled}]}
        configuredInput (while the camera has another)
        adoption (adopted, ended) refusals[{setting reason}]
        remembered{device{as above} format{mode preset pixelFormat size frameRate
        minimumRate maximumRate} preview{} capture{} streams[{as above}]
        controls[{id value}] subjectArea problem} (where the node remembers)
      devices
        device{identity model location driver standInReason} camera authorization
        (authorized, denied, restricted) error{code message} position rotation holders
        formats[{as in formats}]
      formats
        pixelFormat size frameRates summary problem (why it cannot be used)
      controls
        id name kind minimum maximum step defaultValue menu[{index name}] dimensions
        (from minimum to dimensions not of the kinds number and point)
        isReadOnly isWriteOnly isInactive isGrabbed isVolatile value
        (a number, true or false, a text, numbers, {x y} for a point, or {hex} for
        bytes);
        a control with a meaning also unit sources, and of the kind number
        range{minimum maximum step defaultValue}; a zoom that moves rampingTo; one that
        cannot be read or set now problem
      controls set: also, where the node looked for it
        effect{effectiveFrame timestamp basis (metadata, picture, unchanged)}
        or effect{notSettled frames}
      capabilities
        formats presets[{preset format}] format pictures[{mediaType size
        isPassthrough switchesFormat}] controls ring{frames durationNanoseconds}
        limits{waitingPhotos encodedPhotos settings inlineByteCount burstPictures
        deferredPhotos deferredByteCount} timestampMark
        wallErrorNanoseconds saysFacts hasFlash hasTorch hasDepth
        depthCamera hasPointsOfInterest saysDeviceTime
      calibration
        id size cameraMatrix distortionModel distortion rectification projection
      controls reset, load: also, for each control that was not set
        id skipped (the reason)
      controls save: the file
        id value
      configure
        status (a camera) controls[control] effect
      capture
        camera requestID file mediaType byteCount sha256 asset
        layout{pixelFormat size bytesPerLine colorRange colorMatrix} (of image/x-raw);
        of several formats instead files[file mediaType byteCount sha256 asset layout];
        with --depth also depth{camera differenceNanoseconds (its time minus the
        photo's) resolved map{file mediaType byteCount sha256 asset} matte (as map)};
        resolved{picture frameSequence timestamp exposure offsetNanoseconds size
        orientation{rotation isMirrored} isPassthrough quality startNanoseconds
        facts{gain focus kelvin zoom isLitByFlash} calibrationID deviceTime{ticks
        monotonicNanoseconds errorNanoseconds basis (usbFrames, arrival)}
        gapNanoseconds prioritization (speed, balanced, quality) mergedFrames (of all
        files but dng and raw) flash (metadata, picture); of a bracket also shot{index
        count settings[{id value}] evidence (metadata, picture, unchanged)}};
        without resolved where the node has
        restarted, and the library had the photo all the same. An exposure is
        {earliestStartNanoseconds latestEndNanoseconds durationNanoseconds
        timestampMark}
      capture --interval: for a photo that could not be taken
        camera number monotonicNanoseconds missed{code message}
      download: asset file wasHere (before, with the same bytes)
      assets, delete, protect: an asset a line
        id camera mediaType path byteCount sha256 size createdWallNanoseconds
        requestID isRecovered condition (intact, missing, changed) isProtected
        layout (as in capture); part (depth, matte; absent for the photo itself);
        replaces (the id of a proxy); deferral (of a proxy: pending, done, failed);
        a movie also durationNanoseconds frames
      frames
        sequence monotonicNanoseconds wallNanoseconds milliseconds
      record start
        id camera started
      record, record stop
        recordingID asset frames dropped reason file
      watch
        camera stream frames byteCount durationNanoseconds framesPerSecond
        latency{capture copy encodeWait encode publish transport total, each
        {p50Nanoseconds p99Nanoseconds}}
        losses{lostByCamera droppedByNode notPublished lostOnBus droppedByClient
        omissions{pressure streamRate cameraRate late encodingFailed}}
        pressure (as in status) trouble (why no frames came at the end)
      watch --frames: before that, for each frame
        sequence timestamp exposure size orientation{rotation isMirrored} pixelFormat
        byteCount deviceTime (as in capture)
        stages{exposed dequeued copied encodeStarted encodeFinished sent received}
      events: by type
        snapshot      node
        state         epoch sequence camera time status
        control       epoch sequence camera time control
        capture       epoch sequence camera time
                      requestID step resolved mediaType byteCount part asset error
                      assets[asset] (if there are several)
                      settings{files[{mediaType size quality isPassthrough}] pictures
                      orientation hasOrientationTag prioritization hasZeroShutterLag
                      isDeferred flash (off, on) depthCamera}
        deferred      epoch sequence camera time
                      requestID proxy step resolved asset error
                      assets[asset] (if there are several)
        recording     epoch sequence camera time
                      requestID step recording movie error
        subjectArea   epoch sequence camera time
                      subjectArea{threshold change frameSequence timestamp}
        keys          epoch sequence camera (_node) time
                      keys{authorized revoked mistakes refusedConnections}
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
      keys show: nodeKey
      keys authorize, change, rename, list: a key
        name role cameras expires isExpired key comment
      keys revoke: name
      keys invite: name invitation
      nodes add, rename, list: a node
        name control nodeKey publicKey (to be authorized)
      nodes remove: name
      lease acquire: camera lease (its id); lease release: camera
      lease status: camera lease{as above}
      doctor
        check verdict message remedy
      errors, on stderr
        error{code message field isRetryable requestID}
        An error's code, and that of an error{code message} above, is one of
          from a node
            malformed unsupported invalidArgument noSuchCamera noSuchControl
            noSuchAsset controlNotWritable unsupportedFormat notRunning
            interrupted frameUnavailable busy deadlineExceeded cancelled
            idReused outcomeUnknown conflict deviceNotFound deviceBusy
            permissionDenied unsuitableDevice noBandwidth deviceFailed
            storageFull storageFailed encodingFailed assetDamaged forbidden internal
          from the connection
            unreachable timedOut closed protocolViolation fileExists hashMismatch
            keyRequired notAuthorized wrongNode tooLarge
          from camctl
            usage unreadableFile outputFailed key
      """
  )

  func run() throws {
    throw CleanExit.helpRequest(Self.self)
  }
}
