import CameraProtocol
import Capture
import EventLoop
import Foundation
package import Logging
import MediaLibrary
import OperatingSystem
import ZeroMQ

/// A running node: its threads, cameras, library and endpoints.
///
/// Threads: *control* (requests, events), *frames* (drivers' descriptors, frames socket), *library*
/// (disk), one a camera (what blocks in a driver), one a core (JPEGs), one a recording, *sync*
/// (waits for the recordings' disk), and after a crash *recovery* (closes movies that were cut
/// off).
package final class Node: Sendable {
  package static let version = "0.1.0"

  package let endpoints: NodeEndpoints
  private let teardown: Teardown

  private init(endpoints: NodeEndpoints, teardown: Teardown) {
    self.endpoints = endpoints
    self.teardown = teardown
  }

  /// Starts everything, or nothing: on failure what was started is ended again.
  /// - Throws: `NodeError` with the sentence to show.
  package static func start(
    _ configuration: NodeConfiguration, log: Logger
  ) async throws(NodeError) -> Node {
    let teardown = Teardown()
    do {
      let endpoints = try await assemble(configuration, log: log, teardown: teardown)
      return Node(endpoints: endpoints, teardown: teardown)
    } catch {
      await teardown.run()
      throw NodeError(error)
    }
  }

  /// Ends recordings well, answers what is under way, and lets go of cameras and endpoints.
  package func stop() async {
    await teardown.run()
  }

  private static func assemble(
    _ configuration: NodeConfiguration, log: Logger, teardown: Teardown
  ) async throws -> NodeEndpoints {
    try configuration.validate()
    let controlLoop = EventLoop(name: "control", slices: .short)
    let frameLoop = EventLoop(name: "frames", slices: .short)
    let (libraryLoop, syncLoop) = (EventLoop(name: "library"), EventLoop(name: "sync"))
    // The control loop hands work to the others, so it ends before them.
    for loop in [frameLoop, libraryLoop, syncLoop, controlLoop] {
      teardown.addBlocking { loop.stop() }
    }

    let library = try MediaLibrary(folder: configuration.library, loop: libraryLoop)
    teardown.add { await library.close() }
    for finding in try await library.open() { log.warning("library: \(finding)") }
    let unfinishedMovies = try await library.unfinishedMovies()

    let context = try Context()
    teardown.addBlocking { try? context.close() }
    let facts = NodeFacts(
      epoch: .random(), name: configuration.name, version: version, started: .now,
      library: configuration.library)

    let ipc = try configuration.ipcFolder.map(ipcEndpoints)
    let frames = FramesEndpoint(loop: frameLoop)
    teardown.add { await frames.close() }
    let framesEndpoint = try await frames.open(
      context, endpoint: configuration.frames, ipc: ipc?.frames, epoch: facts.epoch)

    let control = ControlService(
      loop: controlLoop, frameLoop: frameLoop, syncLoop: syncLoop, facts: facts,
      library: library, limits: configuration.limits, log: log)
    teardown.add { await control.close() }
    let endpoints = try await control.open(
      context, control: configuration.control, events: configuration.events,
      frames: framesEndpoint, ipc: ipc)

    let encoders = try EncoderPool(
      loop: frameLoop, workers: ProcessInfo.processInfo.activeProcessorCount)
    teardown.addBlocking { encoders.stop() }
    teardown.add { await control.finishCaptures() }

    var cameras: [CameraService] = []
    for camera in configuration.cameras {
      cameras.append(
        try await add(
          camera, frames: frames, encoders: encoders, control: control, teardown: teardown))
    }
    await control.serve(cameras, unfinishedMovies: unfinishedMovies)
    if !unfinishedMovies.isEmpty {
      let recovery = MovieRecovery(library)
      teardown.addBlocking { recovery.stop() }
      recovery.close(unfinishedMovies) { movie, outcome in
        control.enter { $0.recovered(movie, outcome) }
      }
    }
    teardown.add { await control.beginStop() }
    try await startSessions(of: cameras, keepsTrying: configuration.keepsTrying)
    return endpoints
  }

  private static func ipcEndpoints(in folder: String) throws -> NodeEndpoints {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ConfigurationError(
        "--ipc \(folder) cannot be made: make it, or name a folder that you may write to")
    }
    return NodeEndpoints(ipcFolder: folder)
  }

  private static func add(
    _ configuration: CameraConfiguration, frames: FramesEndpoint, encoders: EncoderPool,
    control: ControlService, teardown: Teardown
  ) async throws -> CameraService {
    let name = configuration.name
    let (device, request) = configuration.source.makeDevice()
    let (sessionLoop, recordingLoop) = (
      EventLoop(name: name), EventLoop(name: "\(name)-movie")
    )
    for loop in [sessionLoop, recordingLoop] { teardown.addBlocking { loop.stop() } }
    let pipeline = FramePipeline(loop: frames.loop, encoders: encoders)
    pipeline.photos.onLoadChange = { load in
      control.enter { $0.loadChanged(load, ofCamera: name) }
    }
    let session = CaptureSession(
      loop: sessionLoop, device: device, request: request, pipeline: pipeline
    ) { event in
      control.enter { $0.sessionEvent(event, ofCamera: name) }
    }
    teardown.add { await session.stop() }
    guard
      let streams = await frames.addStreams(camera: name, pipeline: pipeline, encoders: encoders)
    else { preconditionFailure("the frames endpoint is opened before cameras are added") }
    return CameraService(
      name: name, session: session, streams: streams, recordingLoop: recordingLoop,
      sessionStatus: await session.status)
  }

  private static func startSessions(
    of cameras: [CameraService], keepsTrying: Bool
  ) async throws {
    try await withThrowingTaskGroup { group in
      for camera in cameras {
        group.addTask {
          if keepsTrying {
            await camera.session.startPersistently()
          } else {
            do {
              try await camera.session.start()
            } catch let error as CaptureError {
              throw NodeError(camera: camera.name, error)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
