import CameraProtocol
import Imaging
import OperatingSystem
import Recording
import SwiftProtobuf

/// The movie that a camera records now. Used on the control loop only.
struct ActiveRecording {
  /// The id of the request that started it.
  let id: RequestID
  let recorder: MovieRecorder
  /// What waits for its beginning; nil if it begins at once.
  let gate: MovieGate?
  /// Gives it the camera's pictures. Called on the frame loop.
  let attach: @Sendable () -> Void
  let pictures: MoviePictures
  let started: WireTimestamp
  /// Whether it is paused where it would end, because the camera is lost.
  let outlivesCamera: Bool
  var pause: WireRecordingPause?
  /// Its sound; nil if it has none.
  let sound: SoundFeed?

  /// - Parameter streams: Those of its camera.
  func status(_ streams: CameraStreams) -> WireRecordingStatus {
    let progress = recorder.progress
    return WireRecordingStatus.with {
      $0.codec = WireVideoCodec(recorder.plan.format.codec)
      $0.container = WireMovieContainer(recorder.plan.format.container)
      if case .video(let kind) = pictures { $0.encoder = streams.encoder(of: kind) ?? "" }
      $0.requestID = id.data
      $0.started = started
      $0.frames = UInt64(progress.frames)
      $0.bytes = UInt64(progress.byteCount)
      $0.dropped = UInt64(progress.dropped)
      $0.durationNs = UInt64(max(0, progress.duration.wholeNanoseconds))
      $0.pause = pause ?? .unspecified
      $0.segments = UInt32(clamping: progress.files)
      $0.reachNs = UInt64(max(0, progress.reach.wholeNanoseconds))
      if let sound { $0.add(sound) }
    }
  }
}

/// The pictures that a movie has.
enum MoviePictures: Sendable {
  /// JPEGs of this quality, turned so.
  case jpegs(quality: Int, Orientation)
  case video(VideoKind)
}
