import CALSA
import Glibc

/// A microphone of the machine.
package struct FoundMicrophone: Hashable, Sendable {
  /// What ``ALSAMicrophone`` calls it.
  package var device: String
  package var model: String
}

/// Finds the microphones of the machine.
package enum ALSADiscovery {
  /// More cards than a machine has.
  private static let mostCards = 64
  private static let mostDevices = 64

  /// Those that are there now. Blocks on their drivers.
  package static func microphones() -> [FoundMicrophone] {
    calsa_silence()
    var found: [FoundMicrophone] = []
    var card: Int32 = -1
    for _ in 0..<mostCards {
      guard unsafe snd_card_next(&card) >= 0, card >= 0 else { break }
      found += microphones(ofCard: card)
    }
    return found
  }

  private static func microphones(ofCard card: Int32) -> [FoundMicrophone] {
    var control: OpaquePointer?
    guard unsafe snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) >= 0 else {
      return []
    }
    defer { unsafe snd_ctl_close(control) }
    var (cardInfo, info): (OpaquePointer?, OpaquePointer?)
    guard unsafe snd_ctl_card_info_malloc(&cardInfo) >= 0 else { return [] }
    defer { unsafe snd_ctl_card_info_free(cardInfo) }
    guard unsafe snd_pcm_info_malloc(&info) >= 0 else { return [] }
    defer { unsafe snd_pcm_info_free(info) }
    guard unsafe snd_ctl_card_info(control, cardInfo) >= 0 else { return [] }
    let id = unsafe text(snd_ctl_card_info_get_id(cardInfo))
    let name = unsafe text(snd_ctl_card_info_get_name(cardInfo))
    var found: [FoundMicrophone] = []
    var device: Int32 = -1
    for _ in 0..<mostDevices {
      guard unsafe snd_ctl_pcm_next_device(control, &device) >= 0, device >= 0 else { break }
      unsafe snd_pcm_info_set_device(info, UInt32(device))
      unsafe snd_pcm_info_set_subdevice(info, 0)
      unsafe snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
      guard unsafe snd_ctl_pcm_info(control, info) >= 0 else { continue }
      let model = unsafe text(snd_pcm_info_get_name(info))
      found.append(
        FoundMicrophone(device: "hw:CARD=\(id),DEV=\(device)", model: "\(name), \(model)"))
    }
    return found
  }

  /// A driver's text as one line that can be printed.
  private static func text(_ bytes: UnsafePointer<CChar>?) -> String {
    let text = unsafe bytes.map { unsafe String(cString: $0) } ?? ""
    return String(
      text.unicodeScalars.prefix(80).map { $0.properties.isWhitespace ? " " : $0 }
        .filter { $0.value >= 32 && $0.value != 127 }.map(Character.init))
  }
}
