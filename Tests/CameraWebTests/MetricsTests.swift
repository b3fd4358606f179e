import CameraClient
import Foundation
import Reports
import TestSupport
import Testing

@testable import CameraWeb

@Suite(.timeLimit(.minutes(2)))
struct MetricsTests {
  @Test func `A family has its help, its kind and its samples`() {
    var family = MetricFamily("library_free_bytes", .gauge, "What is free.")
    family.add(UInt64(1 << 40), ["node": "desk"])
    family.add(nil as UInt64?, ["node": "gone"])
    family.add(.milliseconds(1500), ["node": "a\"b\\c\nd"])
    family.add(true, [:])
    #expect(
      family.text == """
        # HELP camerabus_library_free_bytes What is free.
        # TYPE camerabus_library_free_bytes gauge
        camerabus_library_free_bytes{node="desk"} 1099511627776
        camerabus_library_free_bytes{node="a\\"b\\\\c\\nd"} 1.5
        camerabus_library_free_bytes 1

        """)
    #expect(MetricFamily("empty", .counter, "Nothing.").text.isEmpty)
  }

  @Test func `Prometheus has nothing to complain of, and figures are those of the node`()
    async throws
  {
    try await TestGateway.run(nodes: 2) { web in
      let browser = try web.connect()
      try browser.send(web.request("GET", "/stream/n0/cam.mjpg"))
      _ = try await browser.head()
      _ = try await browser.picture()
      _ = try await web.ask("GET", "/nothing")
      try await withCameraBus(web.controls[1]) { bus in
        _ = try await bus.camera("cam").startRecording()
      }
      let reply = try await web.ask("GET", "/metrics")
      #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      let folder = try TemporaryFolder()
      let path = try folder.write(reply.body, to: "metrics")
      let complaints = try output(of: "sh", ["-c", "promtool check metrics <'\(path)' 2>&1"])
      #expect(String(decoding: complaints, as: UTF8.self) == "")
      let samples = Set(reply.text.split(separator: "\n").map(String.init))
      for sample in [
        #"camerabus_node_up{node="n0"} 1"#,
        #"camerabus_camera_state{node="n0",camera="cam",state="running"} 1"#,
        #"camerabus_camera_recording{node="n0",camera="cam"} 0"#,
        #"camerabus_camera_recording{node="n1",camera="cam"} 1"#,
        #"camerabus_stream_subscribers{node="n0",camera="cam",stream="preview"} 1"#,
        #"camerabus_web_stream_viewers{node="n0",camera="cam",stream="preview"} 1"#,
        #"camerabus_web_requests_total{route="unknown",code="404"} 1"#,
      ] {
        #expect(samples.contains(sample), "\(sample)")
      }
    }
  }

  @Test func `A node that does not answer is down, and has no other figures`() {
    let families = NodeMetrics.families(of: [
      ("desk", .failure(CameraBusError(.unreachable, "no node answers")))
    ])
    #expect(
      families.text == """
        # HELP camerabus_node_up Whether the node answers.
        # TYPE camerabus_node_up gauge
        camerabus_node_up{node="desk"} 0

        """)
  }
}
