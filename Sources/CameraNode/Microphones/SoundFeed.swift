import CameraProtocol
import Capture
import EventLoop
import OperatingSystem
import Recording

/// The sound of one movie: from a microphone to the movie's recorder. It keeps the microphone open.
final class SoundFeed: SoundConsumer {
  let microphone: NodeMicrophone
  let settings: SoundSettings
  let isRequired: Bool
  private let recorder = Mutex<(any SoundConsumer)?>(nil)

  init(_ microphone: NodeMicrophone, _ settings: SoundSettings, isRequired: Bool) {
    self.microphone = microphone
    self.settings = settings
    self.isRequired = isRequired
  }

  func receive(_ sound: SoundPacket) {
    recorder.withLock { $0 }?.receive(sound)
  }

  func feed(_ recorder: any SoundConsumer) {
    self.recorder.withLock { $0 = recorder }
  }
}

/// A microphone of the node.
final class NodeMicrophone: Sendable {
  let name: String
  /// What the configuration calls its device.
  let device: String
  let loop: EventLoop
  private let microphone: Microphone

  init(
    _ configuration: MicrophoneConfiguration, on loop: EventLoop,
    onChange: @escaping @Sendable () -> Void
  ) {
    name = configuration.name
    device = configuration.source.text
    self.loop = loop
    microphone = Microphone(
      name: configuration.name, device: configuration.source.device, on: loop, onChange: onChange)
  }

  var status: Microphone.Status { microphone.status }

  func add(_ consumer: any SoundConsumer) {
    _ = loop.performUnlessStopped { [microphone] in microphone.add(consumer) }
  }

  /// - Returns: Why no sound comes; nil if it comes.
  func tryAdding(_ consumer: any SoundConsumer) async -> SoundError? {
    await loop.run { [microphone] in microphone.add(consumer) }
  }

  func remove(_ consumer: any SoundConsumer) {
    _ = loop.performUnlessStopped { [microphone] in microphone.remove(consumer) }
  }
}
