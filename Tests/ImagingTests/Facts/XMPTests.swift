import Foundation
import FoundationXML
import Imaging
import Testing

struct XMPTests {
  @Test func `Everything that is known is written`() throws {
    let texts = try XMPReader(XMP.packet(.example)).texts
    #expect(
      texts == [
        "dc:description": "Straße & Brücke", "camera": "front <left>",
        "comment": "by the third robot",
        "wallTime": "2026-05-04T10:11:12.345678901Z", "wallClockError": "1500",
        "clockSource": "NTP", "monotonicTime": "123456789012", "epoch": "fedcba98",
        "frameNumber": "18446744073709551615", "timestampMarks": "the end of the frame",
        "earliestStart": "123400000000", "latestEnd": "123460000000",
        "deviceTime": "123455000000", "deviceClock": "USB frames", "gain": "0.25",
        "kelvin": "5600", "focus": "0.75", "zoom": "1.5", "requestID": "00112233",
        "burstIndex": "2", "burstCount": "5", "mergedFrameCount": "4",
      ])
  }

  @Test func `Nothing is written if nothing is known`() throws {
    #expect(try XMPReader(XMP.packet(PhotoFacts())).texts == [:])
    var facts = PhotoFacts()
    (facts.gain, facts.focus, facts.camera) = (.nan, .infinity, "\u{1}")
    facts.timing.epoch = []
    #expect(try XMPReader(XMP.packet(facts)).texts == [:])
  }

  @Test func `Keywords are a set of words`() throws {
    var facts = PhotoFacts()
    facts.keywords = ["garden", "a & b", "\u{1}", "<li>"]
    let packet = String(decoding: XMP.packet(facts), as: UTF8.self)
    #expect(
      packet.contains(
        "<dc:subject><rdf:Bag><rdf:li>garden</rdf:li><rdf:li>a &amp; b</rdf:li>"
          + "<rdf:li>&lt;li&gt;</rdf:li></rdf:Bag></dc:subject>"))
    #expect(try XMPReader(XMP.packet(facts)).texts == ["dc:subject": "gardena & b<li>"])
    facts.keywords = []
    #expect(XMP.packet(facts) == XMP.packet(PhotoFacts()))
  }

  @Test func `Hostile texts stay texts`() throws {
    var facts = PhotoFacts()
    facts.camera =
      "a\u{0}\u{1b}\u{9f}\n]]></camerabus:camera>\u{fffe}\u{ffff}<!-- &#0; \"'\u{1f600}"
    facts.description = "</rdf:RDF><?xpacket end=\"w\"?>"
    let texts = try XMPReader(XMP.packet(facts)).texts
    #expect(texts["camera"] == "a]]></camerabus:camera><!-- &#0; \"'\u{1f600}")
    #expect(texts["dc:description"] == facts.description)
  }

  @Test func `Every character of Unicode's first two planes makes a packet that is well-formed`()
    throws
  {
    var facts = PhotoFacts()
    var scalars = String.UnicodeScalarView()
    for value in 0...0x1ffff as ClosedRange<UInt32> {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
      guard scalars.count == 2000 || value == 0x1ffff else { continue }
      facts.description = String(scalars)
      scalars = String.UnicodeScalarView()
      _ = try XMPReader(XMP.packet(facts))
    }
  }

  @Test func `The longest texts leave the packet small enough for a JPEG`() {
    var facts = PhotoFacts.example
    let text = String(repeating: "&", count: 100_000)
    (facts.camera, facts.description, facts.requestID) = (text, text, text)
    facts.comment = text
    (facts.timing.clockSource, facts.timing.deviceClock) = (text, text)
    facts.timing.timestampMarks = text
    facts.timing.epoch = [UInt8](repeating: 0, count: 100_000)
    facts.keywords = Array(repeating: text, count: 100)
    #expect((35_000..<49_152).contains(XMP.packet(facts).count))
  }
}

/// The texts of a packet's properties by their names: without a prefix those of the node.
private struct XMPReader {
  var texts: [String: String] = [:]

  init(_ packet: [UInt8]) throws {
    let parser = XMLParser(data: Data(packet))
    parser.shouldProcessNamespaces = true
    let reader = Reader()
    parser.delegate = reader
    guard parser.parse() else {
      throw TIFFReader.Malformed(reason: "\(parser.parserError.debugDescription)")
    }
    texts = reader.texts
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var texts: [String: String] = [:]
    private var property: String?

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      if namespaceURI == XMP.namespace { property = element }
      if namespaceURI == "http://purl.org/dc/elements/1.1/" { property = "dc:\(element)" }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
      if let property { texts[property, default: ""] += characters }
    }

    func parser(
      _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      if property == element || property == "dc:\(element)" { property = nil }
    }
  }
}
