import CameraClient
import Digest
import Foundation
import Testing

@testable import CameraWeb

@Suite(.timeLimit(.minutes(2)))
struct AssetsTests {
  @Test(arguments: [
    (nil, ByteRange.whole), ("bytes=0-0", .part(0..<1)), ("bytes=2-", .part(2..<10)),
    ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("bytes=9-99", .part(9..<10)),
    ("bytes=3-99999999999999999999999", .part(3..<10)), ("bytes=10-", .outside),
    ("bytes=99999999999999999999999-", .outside), ("bytes=-0", .outside), ("bytes=5-4", .whole),
    ("bytes=-", .whole), ("bytes=a-b", .whole), ("bytes=0-1,3-4", .whole), ("lines=0-1", .whole),
    ("bytes=+1-2", .whole), ("bytes=", .whole), ("bytes= 1-2", .whole),
  ])
  func `A range is what the standard says`(_ header: String?, _ range: ByteRange) {
    #expect(ByteRange(header, of: 10) == range)
  }

  @Test func `Nothing is in an empty document`() {
    for header in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
      #expect(ByteRange(header, of: 0) == .outside)
    }
  }

  @Test func `A place is free again when nobody holds it`() throws {
    let places = Places(1)
    var place: Places.Place? = try places.take()
    #expect(throws: HTTPFailure.self) { try places.take() }
    withExtendedLifetime(place) {}
    place = nil
    _ = try places.take()
    #expect(places.count == 0)
  }

  /// Takes photos of the bus's only camera.
  private func take(_ count: Int, _ web: TestGateway) async throws -> [Photo] {
    var photos: [Photo] = []
    try await withCameraBus(web.controls[0]) { bus in
      let camera = try bus.camera("cam")
      for number in 0..<count {
        photos.append(
          try await camera.capture(.next, PhotoSettings(tags: ["t\(number)"])))
      }
    }
    return photos
  }

  @Test func `The library comes in pages, newest first, and by filters`() async throws {
    try await TestGateway.run { web in
      let photos = try await take(5, web)
      let expected = photos.reversed().compactMap { $0.asset.map { "\($0.id)" } }
      var (ids, page) = ([String](), nil as String?)
      repeat {
        let reply = try await web.ask("GET", "/assets?limit=2\(page.map { "&page=\($0)" } ?? "")")
        #expect(reply.status == 200, "\(reply.text)")
        let assets = try #require(try reply.problem["assets"] as? [[String: Any]])
        #expect(assets.count <= 2)
        ids += assets.compactMap { $0["id"] as? String }
        page = try reply.problem["next"] as? String
      } while page != nil
      #expect(ids == expected)
      func count(_ query: String) async throws -> Int? {
        (try await web.ask("GET", "/assets?\(query)").problem["assets"] as? [Any])?.count
      }
      #expect(try await count("tag=t3") == 1)
      #expect(try await count("kind=movie") == 0)
      #expect(try await count("camera=cam&kind=photo&since=2020-01-01T00:00:00Z") == 5)
      #expect(try await count("until=2020-01-01T00:00:00Z") == 0)
    }
  }

  @Test(arguments: [
    ("limit=0", "limit"), ("limit=1001", "limit"), ("kind=sound", "kind"), ("since=now", "since"),
    ("page=xyz", "page"), ("page=", "page"), ("tags=a", "tags"), ("request=1", "request"),
  ])
  func `A wrong filter is named`(_ query: String, _ field: String) async throws {
    try await TestGateway.run { web in
      let reply = try await web.ask("GET", "/assets?\(query)")
      #expect(reply.status == 400)
      #expect(try reply.problem["field"] as? String == field)
    }
  }

  @Test func `An asset comes whole or in parts, and not again to those that have it`() async throws
  {
    try await TestGateway.run { web in
      let photo = try #require(try await take(1, web).first)
      let (id, bytes) = ("\(try #require(photo.asset).id)", photo.data)
      let whole = try await web.ask("GET", "/assets/\(id)")
      #expect(whole.status == 200)
      #expect(whole.body == bytes)
      #expect(whole.headers["content-type"] == "image/jpeg")
      #expect(whole.headers["etag"] == "\"\(photo.sha256)\"")
      #expect(whole.headers["content-disposition"]?.hasPrefix("inline; filename=\"cam-") == true)
      let part = try await web.ask("GET", "/assets/n0/\(id)", ["Range": "bytes=10-19"])
      #expect(part.status == 206)
      #expect(part.body == Array(bytes[10..<20]))
      #expect(part.headers["content-range"] == "bytes 10-19/\(bytes.count)")
      let outside = try await web.ask(
        "GET", "/assets/\(id)", ["Range": "bytes=\(bytes.count)-"])
      #expect(outside.status == 416)
      #expect(outside.headers["content-range"] == "bytes */\(bytes.count)")
      let other = try await web.ask(
        "GET", "/assets/\(id)", ["Range": "bytes=0-1", "If-Range": "\"other\""])
      #expect(other.status == 200 && other.body == bytes)
      let known = try await web.ask(
        "GET", "/assets/\(id)", ["If-None-Match": "\"x\", \"\(photo.sha256)\""])
      #expect(known.status == 304 && known.body.isEmpty)
      let head = try await web.ask("HEAD", "/assets/\(id)")
      #expect(head.headers["content-length"] == "\(bytes.count)")
      for id in ["0011", String(repeating: "0", count: 32), "nonsense", "..%2f"] {
        #expect([400, 404].contains(try await web.ask("GET", "/assets/\(id)").status))
      }
      while web.gateway.downloads.count > 0 { await Task.yield() }
    }
  }

  @Test func `A movie comes to a slow visitor at his pace, and leaves no trace if he leaves`()
    async throws
  {
    try await TestGateway.run(cameras: ["cam=synthetic:1280x720@30,format=MJPG"]) {
      $0.limits.downloads = 1
    } _: { web in
      let movie = try await withCameraBus(web.controls[0]) { bus in
        let recording = try await bus.camera("cam").startRecording(maximumBytes: 12 << 20)
        return try await recording.movie()
      }
      let asset = movie.asset
      let slow = try web.connect(receiveBuffer: 4096)
      try slow.send(web.request("GET", "/assets/\(asset.id)"))
      #expect(try await slow.head().status == 200)
      let refused = try await web.ask("GET", "/assets/\(asset.id)")
      #expect(refused.status == 503)
      slow.end()
      while web.gateway.downloads.count > 0 { await Task.yield() }
      let whole = try await web.ask("GET", "/assets/\(asset.id)")
      #expect(whole.body.count == Int(asset.byteCount))
      let digest = unsafe SHA256.hash(of: whole.body.span.bytes)
      #expect("\(digest)" == asset.sha256)
      let end = try await web.ask("GET", "/assets/\(asset.id)", ["Range": "bytes=-1000"])
      #expect(end.body == Array(whole.body.suffix(1000)))
    }
  }
}
