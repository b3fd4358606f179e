import CameraProtocol
import Capture
import Imaging
import MediaLibrary
import OperatingSystem
import Recording
import Words

extension MoviePictures {
  /// - Parameters:
  ///   - orientation: How the camera's photos and movies are turned.
  ///   - format: The camera's.
  init(_ body: WireRecordStartRequest, _ orientation: Orientation, _ format: StreamFormat) {
    guard body.isVideo else {
      let quality = body.quality == 0 ? RecordingService.quality : Int(body.quality)
      self = .jpegs(quality: quality, orientation)
      return
    }
    var settings = VideoSettings()
    if body.quality > 0 { settings.quality = Int(body.quality) }
    if body.bitRate > 0 { settings.bitRate = Int(body.bitRate) }
    if body.keyIntervalNs > 0 { settings.keyInterval = .nanoseconds(body.keyIntervalNs) }
    self = .video(
      VideoKind(
        orientation: orientation, settings: settings,
        isReencoded: format.devicePixelFormat.isVideo
          && (body.quality > 0 || body.bitRate > 0 || body.keyIntervalNs > 0)))
  }

  /// The size of the movie.
  /// - Parameter turned: That of the turned frames.
  func size(of turned: ImageSize) -> ImageSize {
    switch self {
    case .jpegs: turned
    case .video: turned.ofVideo
    }
  }
}

extension MovieCut {
  init(_ body: WireRecordStartRequest) {
    if body.hasClips {
      self = .clips(
        MovieClips(
          before: .nanoseconds(body.clips.beforeNs), after: .nanoseconds(body.clips.afterNs)))
    } else if body.hasSegments {
      let segments = body.segments
      self = .segments(
        MovieSegments(
          duration: segments.durationNs == 0 ? nil : .nanoseconds(segments.durationNs),
          byteCount: segments.bytes == 0 ? nil : Int(clamping: segments.bytes),
          isByWallClock: segments.wallClock))
    } else {
      self = .never
    }
  }
}

extension AssetDescription {
  /// Of a movie that begins now.
  @ControlLoop init(
    _ size: ImageSize, _ format: MovieFormat, _ labels: AssetLabels, of camera: Camera, _ call: Call
  ) {
    self.init(
      camera: camera.name, mediaType: format.container.mediaType, width: size.width,
      height: size.height,
      createdAt: MonotonicTime.now.nanoseconds + WallClockSample.now().offset,
      requestID: call.id.bytes, labels: labels)
  }
}

extension WireRecordStartRequest {
  /// The kind of file that is asked for.
  var movieFormat: MovieFormat {
    let codec: VideoCodec = isVideo ? .h264 : .mjpeg
    return MovieFormat(
      MovieContainer(container) ?? (isVideo ? .mp4 : .matroska), codec)
  }
}

extension MovieContainer {
  var mediaType: MediaType {
    switch self {
    case .matroska: .matroska
    case .mp4: .mp4
    }
  }
}
