import CameraClient
import Testing

@testable import CameraWeb

@Suite(.timeLimit(.minutes(2)))
struct StreamTests {
  @Test func `Many browsers show a stream that is subscribed to once`() async throws {
    try await TestGateway.run { web in
      let browsers = try (0..<3).map { _ in try web.connect() }
      for browser in browsers { try browser.send(web.request("GET", "/stream/cam.mjpg")) }
      for browser in browsers {
        let head = try await browser.head()
        #expect(head.status == 200)
        #expect(head.headers["content-type"] == StreamPart.contentType)
        var last = 0
        for _ in 0..<3 {
          let (headers, jpeg) = try await browser.picture()
          #expect(jpeg.starts(with: [0xff, 0xd8]))
          #expect(jpeg.suffix(2) == [0xff, 0xd9])
          let number = Int(headers["camerabus-frame"] ?? "") ?? 0
          #expect(number > last)
          last = number
          #expect(headers["x-timestamp"] != nil)
        }
      }
      try await withCameraBus(web.controls[0]) { bus in
        let status = try await bus.status()
        #expect(status.subscribers("preview") == 1)
      }
      #expect(web.gateway.streams.viewers.values.map(\.self) == [3])
      for browser in browsers { browser.end() }
      // Nothing is encoded for nobody.
      try await web.wait { $0.subscribers("preview") == 0 }
      #expect(web.gateway.streams.viewers.isEmpty)
    }
  }

  @Test func `A browser that takes nothing costs the others no picture`() async throws {
    try await TestGateway.run(cameras: ["cam=synthetic:1280x720@30,format=MJPG"]) { web in
      let slow = try web.connect(receiveBuffer: 4096)
      try slow.send(web.request("GET", "/stream/cam.mjpg?size=full"))
      let quick = try web.connect()
      try quick.send(web.request("GET", "/stream/cam.mjpg?size=full"))
      _ = try await quick.head()
      while web.gateway.streams.replaced < 30 { _ = try await quick.picture() }
      #expect(web.gateway.streams.viewers.values.map(\.self) == [2])
    }
  }

  @Test func `A rate leaves pictures out, and a size makes them smaller`() async throws {
    try await TestGateway.run { web in
      let browser = try web.connect()
      try browser.send(web.request("GET", "/stream/cam.mjpg?rate=5&size=160x120"))
      _ = try await browser.head()
      var numbers: [Int] = []
      for _ in 0..<4 {
        numbers.append(Int(try await browser.picture().headers["camerabus-frame"] ?? "") ?? 0)
      }
      for (left, right) in zip(numbers, numbers.dropFirst()) { #expect(right - left >= 5) }
      try await withCameraBus(web.controls[0]) { bus in
        let status = try await bus.status()
        #expect(status.subscribers("160x120") == 1)
      }
    }
  }

  @Test func `A stream that cannot begin answers with the reason`() async throws {
    try await TestGateway.run {
      $0.limits.streams = 1
    } _: { web in
      #expect(try await web.ask("GET", "/stream/other.mjpg").status == 404)
      #expect(try await web.ask("GET", "/stream/cam.mjpg?size=raw").status == 400)
      #expect(try await web.ask("GET", "/stream/cam.mjpg?rate=0").status == 400)
      let browser = try web.connect()
      try browser.send(web.request("GET", "/stream/cam.mjpg"))
      _ = try await browser.head()
      let refused = try await web.ask("GET", "/stream/cam.mjpg?size=full")
      #expect(refused.status == 503)
      #expect(try refused.problem["code"] as? String == "busy")
    }
  }

  @Test func `A browser that leaves while the camera is stopped is noticed`() async throws {
    try await TestGateway.run { web in
      try await withCameraBus(web.controls[0]) { bus in
        _ = try await bus.camera("cam").stopSession()
      }
      let browser = try web.connect()
      try browser.send(web.request("GET", "/stream/cam.mjpg"))
      try await web.wait { $0.subscribers("preview") == 1 }
      browser.end()
      try await web.wait { $0.subscribers("preview") == 0 }
    }
  }
}
