import CameraProtocol
import Capture
import Recording
import SwiftProtobuf

extension RecordingService {
  /// The sound that a request asks for; nil for a movie without. The microphone is opened.
  /// - Throws: The error of the microphone, if sound is required and does not come.
  func sound(
    for body: WireRecordStartRequest, of camera: Camera, _ call: Call
  ) async throws -> SoundFeed? {
    guard body.hasSound else { return nil }
    let codec = SoundCodec(body.sound.codec) ?? (body.movieFormat.container == .mp4 ? .aac : .opus)
    guard codec.isAvailable else {
      throw WireError(
        .encodingFailed, "libavcodec has no encoder for \(codec): ask for another one",
        field: RequestField.RecordStart.Sound.codec)
    }
    let microphone = try microphones.named(
      body.sound.microphone, of: camera, for: call.access,
      field: RequestField.RecordStart.Sound.microphone)
    let feed = SoundFeed(
      microphone,
      SoundSettings(codec, bitRate: body.sound.bitRate == 0 ? nil : Int(body.sound.bitRate)),
      isRequired: body.sound.required)
    guard feed.isRequired else {
      microphone.add(feed)
      return feed
    }
    if let error = await microphone.tryAdding(feed) {
      microphone.remove(feed)
      throw CaptureError(error)
    }
    return feed
  }

  /// Tells what has become of the sound of the movies that a microphone has.
  func soundChanged(of microphone: NodeMicrophone) {
    for camera in cameras.all { tellSound(of: camera, from: microphone) }
  }

  /// Tells what has become of the sound of a camera's movie, if that is news.
  /// - Parameter microphone: Only if it is this one; nil for any.
  func tellSound(of camera: Camera, from microphone: NodeMicrophone? = nil) {
    guard let movie = camera.recording, let feed = movie.sound,
      microphone == nil || feed.microphone === microphone
    else { return }
    let error = feed.microphone.status.error
    guard noteSound(error?.cause, of: camera) else { return }
    let event = WireSoundEvent.with {
      $0.recording = movie.id.data
      $0.microphone = feed.microphone.name
      if let error { $0.interruption = WireSoundInterruption(error) }
    }
    events.publish(.sound(event), .sound, ofCamera: camera.name)
    events.publishState(of: camera)
    guard let error else { return }
    log.warning("camera \(camera.name)", "its movie is silent: \(error.message)")
    if feed.isRequired { end(of: camera, .soundLost) }
  }
}

extension WireRecordingStatus {
  /// Adds what is known of a movie's sound.
  mutating func add(_ sound: SoundFeed) {
    let status = sound.microphone.status
    microphone = sound.microphone.name
    soundCodec = WireSoundCodec(sound.settings.codec)
    if let drift = status.drift { soundDriftPpm = drift }
    soundLostSamples = UInt64(clamping: status.lost)
    if let error = status.error { soundInterruption = WireSoundInterruption(error) }
  }
}
