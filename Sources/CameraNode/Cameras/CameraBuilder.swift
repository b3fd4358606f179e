import CameraProtocol
import Capture
import EventLoop
import Logging

/// Makes cameras of devices.
struct CameraBuilder: Sendable {
  let frames: FramesEndpoint
  let encoders: EncoderPool
  let services: NodeServices
  /// How long a call into a driver may take.
  let driverCall: Duration
  let cameras: CameraDirectory
  /// Whether clients' changes are kept of cameras that do not say so themselves.
  let remembers: Bool

  /// Makes a camera that has not started yet. It is not in the directory yet.
  func camera(_ plan: CameraPlan, on threads: CameraThreads) async -> Camera {
    let (name, input, options, start) = (plan.name, plan.input, plan.options, plan.start)
    let (router, services, cameras) = (services.router, services, cameras)
    let pipeline = FramePipeline(loop: frames.loop, encoders: encoders)
    // What comes late from a camera that has been removed is not about a new one of the same name.
    let enter: @Sendable (@escaping @ControlLoop () -> Void) -> Void = { [weak pipeline] body in
      router.enter { [pipeline] in
        if let camera = cameras[name], camera.pipeline === pipeline { body() }
      }
    }
    pipeline.photos.onLoadChange = { load in
      enter { services.captures.take(load, ofCamera: name) }
    }
    let session = CaptureSession(
      loop: threads.session, device: input.device, request: input.request, pipeline: pipeline,
      callLimit: driverCall
    ) { event in
      enter { services.sessions.take(event, ofCamera: name) }
    }
    await session.take(options.black)
    if let owed = await services.brackets.owed(of: name) {
      await session.owe(owed.settings, to: owed.device)
    }
    let streams = await frames.addStreams(
      camera: name, pipeline: pipeline, encoders: encoders, video: threads.video,
      onUse: { isUsed in
        enter { services.sessions.take(hasSubscribers: isUsed, ofCamera: name) }
      },
      onRefusal: { enter { services.sessions.publishState(ofCamera: name) } })
    var change = start.services
    var remembered: SessionMemory?
    if start.remembers ?? remembers {
      let found = await services.memories.recall(name)
      remembered = found.memory
      if let undo = found.undo { await session.owe(undo.settings, to: undo.device) }
      change = change.followed(by: found.services)
    }
    await session.prepare(start.session, remembered: remembered)
    let camera = await Camera(
      name: name, session: session, streams: streams, recordingLoop: threads.recording,
      sessionStatus: await session.status, ownInput: input, ownOptions: options,
      reports: services.reports, standInReason: plan.standInReason, isAdopted: plan.isAdopted)
    let watch = SubjectAreaWatch(pipeline: pipeline, encoders: encoders)
    await services.subjectAreas.add(camera, watch, threshold: change.subjectArea ?? 0)
    if let settings = change.livePhotos { await services.livePhotos.set(settings, of: camera) }
    return camera
  }
}
