import SwiftProtobuf
import Testing

@testable import CameraProtocol

@Suite("Publications")
struct PublicationTests {
  private let header = WireHeader.with {
    $0.epoch = Epoch.random().data
    $0.sequence = 1
  }

  @Test("An unknown topic of a newer node is distinguished from a broken publication")
  func unknownTopic() {
    let parts = [Array("audio/front/".utf8), header.bytes, []]
    #expect(code(parts) == .unknownTopic)
  }

  @Test("A header without epoch or number is refused")
  func emptyHeader() {
    var withoutNumber = header
    withoutNumber.sequence = 0
    var withoutEpoch = header
    withoutEpoch.epoch = header.epoch.dropLast()
    for header in [withoutNumber, withoutEpoch] {
      let parts = Publication.parts(.heartbeat, header, payload: [])
      #expect(code(parts) == .unreadable)
    }
    #expect(code([Array("heartbeat/".utf8), [0xFF], []]) == .unreadable)
  }

  @Test("A frame whose header does not describe it is refused")
  func frame() {
    let topic = Topic.frame(camera: "front", stream: .preview)
    #expect(code(Publication.parts(topic, header, payload: [0])) == .unreadable)
  }

  private func code(_ parts: [[UInt8]]) -> FramingError.Code? {
    framingCode { try Publication(parts) }
  }
}
