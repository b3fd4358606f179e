import CameraProtocol
import Capture
import EventLoop
import OperatingSystem
import SwiftProtobuf

/// Watches for changes of the scene where a client has asked for it, while somebody gets the
/// events.
@ControlLoop final class SubjectAreaService: CameraReporter {
  private let cameras: CameraDirectory
  private let events: EventsService
  private let router: RequestRouter

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

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _: WallClockSample) {
    status.subjectAreaThreshold = camera.part(SubjectArea.self).threshold
  }

  private func update(_ camera: Camera) {
    let area = camera.part(SubjectArea.self)
    let hasMonitors = events.hasSubscribers(.subjectArea, ofCamera: camera.name)
    let threshold = hasMonitors ? area.threshold : 0
    guard let watch = area.watch, threshold != area.watched else { return }
    area.watched = threshold
    let name = camera.name
    camera.pipeline.loop.perform { [self] in
      guard threshold > 0 else { return watch.end() }
      watch.begin(threshold: threshold) { [self] change in
        router.enter { [self] in
          events.publish(
            .subjectArea(WireSubjectAreaEvent(change)), .subjectArea, ofCamera: name)
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
