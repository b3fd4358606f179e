import OperatingSystem

/// Writes what is known about a photo as an XMP packet (ISO 16684-1), for everything that EXIF has
/// no place for.
package enum XMP {
  /// The namespace of the node's own properties.
  package static let namespace = "urn:camerabus:photo:1#"

  /// The packet in UTF-8. It has less than 48 KiB, so that one segment of a JPEG holds it.
  package static func packet(_ facts: PhotoFacts) -> [UInt8] {
    let properties = facts.properties.map { name, value in
      "   <camerabus:\(name)>\(value)</camerabus:\(name)>\n"
    }
    let description = facts.description?.xmlText(maximumCount: PhotoFacts.maximumTextCount).map {
      """
         <dc:description><rdf:Alt><rdf:li xml:lang="x-default">\($0)</rdf:li></rdf:Alt>\
      </dc:description>

      """
    }
    return Array(
      """
      <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:camerabus="\(namespace)">
      \(description ?? "")\(facts.subjects)\(properties.joined())  </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="r"?>
      """.utf8)
  }
}

extension PhotoFacts {
  /// As dc:subject, a set of words (ISO 16684-1, section 8.3).
  fileprivate var subjects: String {
    let words = (keywords ?? []).prefix(Self.maximumKeywordCount).compactMap {
      $0.xmlText(maximumCount: Self.maximumKeywordLength)
    }
    guard !words.isEmpty else { return "" }
    let items = words.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    return "   <dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>\n"
  }

  /// The names and values of the properties in the node's own namespace.
  fileprivate var properties: [(name: String, value: String)] {
    let properties: [(String, String?)] = [
      ("camera", Self.text(camera)),
      ("comment", comment?.xmlText(maximumCount: Self.maximumTextCount)),
      ("wallTime", (moment?.nanoseconds).map(WallTime.text(nanoseconds:))),
      ("wallClockError", Self.number(timing.wallClockError)),
      ("clockSource", Self.text(timing.clockSource)),
      ("monotonicTime", Self.number(timing.monotonicTime?.nanoseconds)),
      ("epoch", (timing.epoch?.prefix(32)).flatMap { $0.isEmpty ? nil : $0.hexadecimal }),
      ("frameNumber", Self.number(timing.frameNumber)),
      ("timestampMarks", Self.text(timing.timestampMarks)),
      ("earliestStart", Self.number(timing.earliestStart?.nanoseconds)),
      ("latestEnd", Self.number(timing.latestEnd?.nanoseconds)),
      ("deviceTime", Self.number(timing.deviceTime?.nanoseconds)),
      ("deviceClock", Self.text(timing.deviceClock)),
      ("gain", Self.decimal(gain)),
      ("kelvin", Self.decimal(kelvin)),
      ("focus", Self.decimal(focus)),
      ("zoom", Self.decimal(zoom)),
      ("requestID", Self.text(requestID)),
      ("calibrationID", Self.text(calibrationID)),
      ("burstIndex", Self.number(burst?.index)),
      ("burstCount", Self.number(burst?.count)),
      ("mergedFrameCount", Self.number(mergedFrameCount)),
    ]
    return properties.compactMap { name, value in value.map { (name, $0) } }
  }

  private static func text(_ text: String?) -> String? {
    text?.xmlText(maximumCount: maximumNameCount)
  }

  private static func number(_ value: (some BinaryInteger)?) -> String? { value.map { "\($0)" } }

  private static func decimal(_ value: Double?) -> String? {
    guard let value, value.isFinite else { return nil }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
