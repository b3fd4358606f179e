import CameraProtocol
import Capture
import EventLoop
import OperatingSystem
import SwiftProtobuf

/// Watches for changes of the scene where a client has asked for it, while somebody gets the
/// events or a recording waits for them.
@ControlLoop final class SubjectAreaService: CameraReporter {
  private let cameras: CameraDirectory
  private let events: EventsService
  private let router: RequestRouter
  /// What else is told of changes, by the recording that wants it.
  private var triggers: [RequestID: (cameras: Set<String>, body: (MonotonicTime) -> Void)] = [:]

  init(cameras: CameraDirectory, events: EventsService, router: RequestRouter) {
    self.cameras = cameras
    self.events = events
    self.router = router
  }

  func start() {
    events.onSubscriptionsChanged { [weak self] in
      guard let self else { return }
      for camera in cameras.all { update(camera) }
    }
  }

  /// Ends the watches, which hold what they watch.
  func close() {
    events.onSubscriptionsChanged {}
    for camera in cameras.all {
      camera.part(SubjectArea.self).threshold = 0
      update(camera)
    }
  }

  /// A new camera.
  func add(_ camera: Camera, _ watch: SubjectAreaWatch, threshold: Double) {
    let area = camera.part(SubjectArea.self)
    (area.watch, area.threshold) = (watch, threshold)
    update(camera)
  }

  /// - Parameter threshold: Which part of the picture must look different, 0...1; 0 for none.
  func watch(_ camera: Camera, threshold: Double) {
    guard threshold != camera.part(SubjectArea.self).threshold else { return }
    camera.part(SubjectArea.self).threshold = threshold
    update(camera)
    events.publishState(of: camera)
  }

  /// Which part of the picture must look different; 0 if the camera is not watched.
  func threshold(of camera: Camera) -> Double { camera.part(SubjectArea.self).threshold }

  /// Calls `body` with the moment of each change at one of these cameras, until
  /// ``endTrigger(_:)``.
  func trigger(
    _ recording: RequestID, at names: Set<String>, _ body: @escaping (MonotonicTime) -> Void
  ) {
    guard !names.isEmpty else { return }
    triggers[recording] = (names, body)
    for camera in cameras.all where names.contains(camera.name) { update(camera) }
  }

  func endTrigger(_ recording: RequestID) {
    guard let ended = triggers.removeValue(forKey: recording) else { return }
    for camera in cameras.all where ended.cameras.contains(camera.name) { update(camera) }
  }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _: WallClockSample) {
    status.subjectAreaThreshold = camera.part(SubjectArea.self).threshold
  }

  private func update(_ camera: Camera) {
    let area = camera.part(SubjectArea.self)
    let hasMonitors = events.hasSubscribers(.subjectArea, ofCamera: camera.name)
    let isTrigger = triggers.values.contains { $0.cameras.contains(camera.name) }
    let threshold = hasMonitors || isTrigger ? area.threshold : 0
    guard let watch = area.watch, threshold != area.watched else { return }
    area.watched = threshold
    let name = camera.name
    camera.pipeline.loop.perform { [self] in
      guard threshold > 0 else { return watch.end() }
      watch.begin(threshold: threshold) { [self] change in
        router.enter { [self] in
          events.publish(
            .subjectArea(WireSubjectAreaEvent(change)), .subjectArea, ofCamera: name)
          for trigger in triggers.values where trigger.cameras.contains(name) {
            trigger.body(change.frame.timestamp)
          }
        }
      }
    }
  }
}

private final class SubjectArea: CameraPart {
  /// Used on the frame loop only.
  var watch: SubjectAreaWatch?
  /// What clients have asked for; 0 for nothing.
  var threshold = 0.0
  /// The threshold with which it is watched now; 0 if it is not.
  var watched = 0.0
}

extension WireSubjectAreaEvent {
  fileprivate init(_ change: SubjectAreaChange) {
    self.init()
    threshold = change.threshold
    self.change = change.change
    frameSequence = change.frame.sequence
    timestamp = WireTimestamp(change.frame.timestamp, change.frame.wallClock)
  }
}
