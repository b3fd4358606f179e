import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraClient

/// Values read well where they are printed.
struct DescriptionTests {
  private static let time = Timestamp(
    monotonic: .init(nanoseconds: 1), wall: .init(nanoseconds: 1_500_000_000))
  private static let moment = "1970-01-01T00:00:01.500000000Z"

  @Test func `A moment is its wall clock`() {
    #expect("\(Self.time)" == Self.moment)
  }

  @Test func `A status says what its camera does and what is wrong`() {
    var wire = WireCameraStatus.camera("cam", .sessionNotRunning)
    wire.state = .interrupted
    wire.interruption = .deviceDisconnected
    wire.error = WireError(.deviceNotFound, "plug it in")
    let words = "cam is interrupted (deviceDisconnected), sessionNotRunning: plug it in"
    #expect("\(CameraStatus(wire))" == words)
    let node = NodeStatus(
      .with {
        $0.nodeName = "studio"
        $0.cameras = [wire]
      }, epoch: .random())
    #expect("\(node)" == "node studio: \(words)")
    #expect("\(NodeEvent.snapshot(node))" == "snapshot of node studio: \(words)")
  }

  @Test func `An asset names its file, size and length`() throws {
    var wire = WireAsset.asset([1, 2, 3])
    wire.path = "cam/one.jpg"
    wire.size.width = 64
    wire.size.height = 48
    let asset = try #require(Asset(wire))
    #expect("\(asset)" == "cam/one.jpg, 64x48, 3 bytes")
    let movie = Movie(
      .with {
        $0.recording = RequestID.random().data
        $0.asset = wire
        $0.frames = 7
        $0.reason = .limitReached
      })
    #expect(movie?.description == "cam/one.jpg, 7 frames (limitReached)")
  }

  @Test(
    arguments: [
      (.nodeRestarted, "the node was restarted"),
      (.disconnected(nil), "nothing comes from the node"),
      (
        .disconnected(Problem(code: .notAuthorized, message: "ask")),
        "nothing comes from the node: ask"
      ),
      (.reconnected, "the node is back"),
      (.gap(missed: 2, camera: "cam", kind: .capture), "2 capture events of cam are lost"),
    ] as [(NodeEvent, String)])
  func `What happens to the node is a sentence`(event: NodeEvent, words: String) {
    #expect("\(event)" == words)
  }

  @Test func `An event says when, to which camera and what`() throws {
    let id = RequestID.random()
    let header = PublicationHeader(epoch: .random(), sequence: 1, sent: .init())
    func words(_ fill: (inout WireEvent) -> Void) throws -> String {
      let wire = WireEvent.with {
        $0.camera = "cam"
        $0.time.wallNs = Self.time.wall.nanoseconds
        fill(&$0)
      }
      return "\(try #require(CameraEvent(wire, header)))"
    }
    let control = try words {
      $0.control.id = "brightness"
      $0.control.value.integer = 7
    }
    #expect(control == "\(Self.moment) cam: brightness=7")
    let photo = try words {
      $0.capture.requestID = id.data
      $0.capture.failed = WireError(.interrupted, "it was unplugged")
    }
    #expect(photo == "\(Self.moment) cam: photo \(Identifier(id)): failed: it was unplugged")
    let recording = try words {
      $0.recording.requestID = id.data
      $0.recording.started.recording = id.data
      $0.recording.started.camera = "cam"
      $0.recording.started.started.wallNs = Self.time.wall.nanoseconds
    }
    let start = "began at \(Self.moment)"
    #expect(recording == "\(Self.moment) cam: recording \(Identifier(id)): \(start)")
  }

  @Test func `A status of a camera that records says so, and its event has its name once`() throws {
    var wire = WireCameraStatus.camera("cam", .ready)
    wire.recording.requestID = RequestID.random().data
    #expect("\(CameraStatus(wire))" == "cam is running, ready, recording")
    let header = PublicationHeader(epoch: .random(), sequence: 1, sent: .init())
    let event = WireEvent.with {
      $0.camera = "cam"
      $0.time.wallNs = Self.time.wall.nanoseconds
      $0.state = wire
    }
    let words = "\(Self.moment) cam: running, ready, recording"
    #expect("\(try #require(CameraEvent(event, header)))" == words)
  }

  @Test func `Selected events say when, of which camera and what`() {
    let id = Identifier(RequestID.random())
    let problem = Problem(WireError(.interrupted, "it was unplugged"))
    let control = Control(
      .with {
        $0.id = "brightness"
        $0.value.integer = 7
      })
    let change = ControlChange(camera: "cam", time: Self.time, control: control)
    #expect("\(change)" == "\(Self.moment) cam: brightness=7")
    let photo = CaptureReport(
      camera: "cam", time: Self.time, requestID: id, event: .failed(problem))
    #expect("\(photo)" == "\(Self.moment) cam: photo \(id): failed: it was unplugged")
    let movie = RecordingReport(camera: "cam", time: Self.time, id: id, event: .failed(problem))
    #expect("\(movie)" == "\(Self.moment) cam: recording \(id): failed: it was unplugged")
  }

  @Test func `Counters, stages and progress are words`() {
    var losses = LossCounters()
    losses.notPublished = 2
    losses.droppedByClient = 1
    #expect("\(losses)" == "2 not published, 0 lost on the bus, 1 dropped by the client")
    let frames = FrameCounters(
      .with {
        $0.delivered = 150
        $0.lostByCamera = 2
        $0.corrupted = 1
      })
    #expect("\(frames)" == "150 delivered, 2 lost by the camera, 1 dropped by the node")
    #expect("\(DownloadProgress(byteCount: 3, total: 7))" == "3 of 7 bytes")
    let start = MonotonicInstant(nanoseconds: 0)
    let stages = FrameStages(
      exposed: start, dequeued: start + .microseconds(8500),
      copied: start + .nanoseconds(8_600_400),
      encodeStarted: nil, encodeFinished: nil, sent: start + .microseconds(8800),
      received: start + .milliseconds(9))
    #expect(
      "\(stages)"
        == "capture 8.5 ms, copy 0.1 ms, publish 0.2 ms, transport 0.2 ms, total 9.0 ms")
  }

  @Test func `Stages that are further apart than any clock can show do no harm`() {
    let first = MonotonicInstant(nanoseconds: .min)
    let last = MonotonicInstant(nanoseconds: .max)
    let stages = FrameStages(
      exposed: first, dequeued: last, copied: first, encodeStarted: last, encodeFinished: first,
      sent: last, received: first)
    let longest = Duration.nanoseconds(Int64.max) - .nanoseconds(Int64.min)
    let all: [Duration?] = [
      stages.capture, stages.copy, stages.encodeWait, stages.encode, stages.publish,
      stages.transport, stages.total,
    ]
    #expect(
      all == [longest, .zero - longest, longest, .zero - longest, longest, .zero - longest, .zero])
  }

  @Test func `A camera is its name`() throws {
    #expect("\(try CameraBus("tcp://127.0.0.1:1").camera("cam"))" == "cam")
  }

  @Test func `An error of a disk or a socket keeps its cause`() async throws {
    let file = await failure { () throws(CameraBusError) in
      let photo = Photo(
        requestID: Identifier(RequestID.random()), resolved: nil,
        files: [PhotoFile(mediaType: "image/jpeg", data: [1], asset: nil, sha256: "", layout: nil)])
      try await photo.write(to: "/nowhere/photo.jpg")
    }
    #expect(file?.code == .storageFailed)
    let cause = try #require(file?.cause)
    #expect("\(cause)".contains("No such file"))
  }

  @Test func `Errors that say the same are equal, whatever caused them`() {
    let error = CameraBusError(.busy, "wait", cause: CameraBusError(.internal, "full"))
    #expect(error == CameraBusError(.busy, "wait"))
    #expect(error.hashValue == CameraBusError(.busy, "wait").hashValue)
    #expect(error != CameraBusError(.busy, "wait", isRetryable: true))
  }

  @Test func `No message of the library speaks of a command line`() async throws {
    let port = try SilentPort()
    let bus = try CameraBus(port.endpoint, configuration: .init(connectTimeout: .milliseconds(50)))
    let unreachable = await failure { () throws(CameraBusError) in _ = try await bus.status() }
    await bus.close()
    withExtendedLifetime(port) {}
    let malformed = await failure { () throws(CameraBusError) in _ = try CameraBus("camera") }
    for message in [unreachable?.message, malformed?.message] {
      let message = try #require(message)
      #expect(!message.contains("--") && !message.contains("camctl"), "\(message)")
    }
  }
}
