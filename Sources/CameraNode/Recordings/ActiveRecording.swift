import CameraProtocol
import Imaging
import Recording
import SwiftProtobuf

/// The movie that a camera records now. Used on the control loop only.
struct ActiveRecording {
  /// The id of the request that started it.
  let id: RequestID
  let recorder: MovieRecorder
  /// What waits for its beginning; nil if it begins at once.
  let gate: MovieGate?
  let pictures: MoviePictures
  let started: WireTimestamp
  /// Its sound; nil if it has none.
  let sound: SoundFeed?

  /// - Parameter streams: Those of its camera.
  func status(_ streams: CameraStreams) -> WireRecordingStatus {
    let progress = recorder.progress
    return WireRecordingStatus.with {
      $0.codec = WireVideoCodec(recorder.format.codec)
      $0.container = WireMovieContainer(recorder.format.container)
      if case .video(let kind) = pictures { $0.encoder = streams.encoder(of: kind) ?? "" }
      $0.requestID = id.data
      $0.started = started
      $0.frames = UInt64(progress.frames)
      $0.bytes = UInt64(progress.byteCount)
      $0.dropped = UInt64(progress.dropped)
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
