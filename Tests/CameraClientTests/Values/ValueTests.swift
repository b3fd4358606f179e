import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

struct ValueTests {
  @Test func `An identifier survives text and JSON`() throws {
    let text = "00ff102030405060708090a0b0c0d0e0"
    let identifier = try #require(Identifier(text))
    #expect(identifier.description == text)
    #expect(identifier.bytes.prefix(3) == [0, 0xff, 0x10])
    #expect(
      try JSONDecoder().decode([Identifier].self, from: JSONEncoder().encode([identifier])) == [
        identifier
      ])
  }

  @Test(arguments: ["", "00", String(repeating: "g", count: 32), String(repeating: "0", count: 33)])
  func `A text that is no identifier is refused`(text: String) {
    #expect(Identifier(text) == nil)
  }

  @Test(
    arguments: [
      (.integer(-3), "-3"), (.boolean(true), "true"), (.string("a\"b"), "\"a\\\"b\""),
      (.array([1, 2]), "[1,2]"),
      (.point(PointOfInterest(x: 0.25, y: 1)), "{\"x\":0.25,\"y\":1}"),
      (.bytes([0, 255]), "{\"hex\":\"00ff\"}"),
    ] as [(ControlValue, String)])
  func `A control's value has the JSON of its shape, and survives the wire`(
    value: ControlValue, json: String
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(ControlValue.self, from: Data(json.utf8)) == value)
    #expect(ControlValue(value.wire) == value)
  }

  @Test func `A wall clock without a known error has none`() {
    let timestamp = Timestamp(WireTimestamp.with { $0.wallNs = 1_500_000_000 })
    #expect(timestamp.wallError == nil)
    #expect(timestamp.description == "1970-01-01T00:00:01.500000000Z")
    #expect(timestamp.wall.date == Date(timeIntervalSince1970: 1.5))
  }

  @Test(
    arguments: [
      (.ready, .ready), (.sessionNotRunning, .sessionNotRunning),
      (.notReadyMomentarily, .notReadyMomentarily),
      (.notReadyWaitingForCapture, .notReadyWaitingForCapture),
      (.notReadyWaitingForProcessing, .notReadyWaitingForProcessing),
      (.notReadyStorageFull, .notReadyStorageFull),
      (.notReadyUnsupportedFormat, .notReadyUnsupportedFormat),
      (.notReadyStorageFailed, .notReadyStorageFailed),
      (.notReadyChangingFormat, .notReadyChangingFormat),
      (.unspecified, .unknown), (.UNRECOGNIZED(99), .unknown),
    ] as [(WireReadiness, Readiness)])
  func `A camera's readiness is the node's`(wire: WireReadiness, readiness: Readiness) {
    #expect(Readiness(wire) == readiness)
  }

  @Test(
    arguments: [
      (.nominal, .nominal), (.fair, .fair), (.serious, .serious), (.critical, .critical),
      (.shutdown, .shutdown), (.unspecified, .unknown), (.UNRECOGNIZED(99), .unknown),
    ] as [(WirePressureLevel, SystemPressure.Level)])
  func `A machine's pressure is what the node says`(
    wire: WirePressureLevel, level: SystemPressure.Level
  ) {
    let calm = SystemPressure(.with { $0.level = wire })
    #expect(calm.level == level && calm.cause == nil && calm.thinning == 1)
    #expect(calm.description == "the pressure on the machine is \(level)")
    let pressed = SystemPressure(
      .with {
        $0.level = wire
        $0.cause = "it is hot"
        $0.thinning = 4
      })
    #expect(
      pressed.description
        == "the pressure on the machine is \(level): it is hot; encoded streams have one frame in 4"
    )
  }

  @Test(arguments: [(0.64, 64), (1, 100), (-1, 0), (1e9, 100), (.nan, 0), (.infinity, 0)])
  func `A change of the scene is told in percent, whatever a node says`(
    _ change: Double, _ percent: Int
  ) {
    let words = SubjectAreaChange(.with { $0.change = change }).description
    #expect(words == "the scene has changed, in \(percent) % of the picture")
  }

  @Test(
    arguments: [
      (.exposureStart, .exposureStart), (.frameEnd, .frameEnd), (.arrival, .arrival),
      (.dequeue, .dequeue), (.unspecified, .unknown), (.UNRECOGNIZED(9), .unknown),
    ] as [(WireTimestampMark, TimestampMark)])
  func `A photo has the bounds of its exposure, also from the moment asked for`(
    wire: WireTimestampMark, mark: TimestampMark
  ) {
    let resolved = ResolvedCapture(
      .with {
        $0.timestamp.monotonicNs = 1000
        $0.offsetNs = 100
        $0.timestampMark = wire
        $0.earliestStartNs = 850
        $0.latestEndNs = 1020
      })
    #expect(resolved.exposure.timestampMark == mark)
    #expect(resolved.exposure.duration == nil)
    #expect(resolved.offsetBounds == (.nanoseconds(-50), .nanoseconds(120)))
    let known = ResolvedCapture(.with { $0.exposureNs = 5 })
    #expect(known.exposure.duration == .nanoseconds(5))
  }

  @Test func `Bounds that no clock can have do no harm`() {
    let resolved = ResolvedCapture(
      .with {
        $0.timestamp.monotonicNs = .min
        $0.offsetNs = .max
        $0.earliestStartNs = .min
        $0.latestEndNs = .max
      })
    let longest = Duration.nanoseconds(Int64.max) - .nanoseconds(Int64.min)
    #expect(resolved.offsetBounds == (.zero, longest))
  }

  @Test func `Counters whose sum is too large for its type do no harm`() {
    let frames = FrameCounters(
      .with {
        $0.skipped = .max
        $0.poolExhausted = 1
      })
    #expect(frames.droppedByNode == .max)
    var losses = LossCounters()
    losses.notPublished = .max
    losses.lostOnBus = 1
    #expect(losses.total == .max)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `A rate that no camera can have is none, because JSON cannot say it`(rate: Double) throws {
    let format = CameraFormat(.with { $0.frameRates = [30, rate, 15] })
    #expect(format.frameRates == [30, 15])
    let status = CameraStatus(.with { $0.format.frameRate = rate })
    #expect(try #require(status.format).frameRate == nil)
    _ = try JSONEncoder().encode(status)
  }

  @Test func `A configuration that a later node has is unknown, and the rest is read`() throws {
    let configuration = CameraStatus(
      .with {
        $0.configuration.mode = .UNRECOGNIZED(9)
        $0.configuration.preset = .UNRECOGNIZED(99)
        $0.configuration.capture.rotation = 270
        $0.configuration.preview.mirrored = true
        $0.configuration.minimumRate = .nan
        $0.configuration.maximumRate = 12.5
        $0.configuration.streams = [
          .with { ($0.stream, $0.enabled) = ("full", false) }, .with { $0.stream = "later" },
        ]
      }
    ).configuration
    #expect(configuration.mode == .unknown && configuration.preset == .unknown)
    #expect(configuration.capture == Orientation(rotation: 270))
    #expect(configuration.preview == Orientation(isMirrored: true))
    #expect(configuration.minimumRate == nil && configuration.maximumRate == 12.5)
    #expect(configuration.streams == [StreamSettings(.full, isEnabled: false)])
    _ = try JSONEncoder().encode(configuration)
  }

  @Test func `All modes and presets go over the wire and come back`() {
    for mode in CaptureMode.allCases { #expect(mode.wire.map { CaptureMode($0) } == mode) }
    for preset in SessionPreset.allCases {
      #expect(preset.wire.map { SessionPreset($0) } == preset)
    }
    #expect(CaptureMode.unknown.wire == nil && SessionPreset.unknown.wire == nil)
  }

  @Test(arguments: [-90, 45, 360, .max])
  func `A rotation that is no number of quarter turns is refused by its name`(rotation: Int) {
    let error = #expect(throws: CameraBusError.self) {
      try WireConfigureRequest.Turn(Turn(rotation: rotation), "preview")
    }
    #expect(error?.code == .invalidArgument && error?.field == "preview")
  }

  @Test func `Every error of the protocol has its code, sentence and field`() throws {
    #expect(CameraBusError(.with { $0.code = .UNRECOGNIZED(1000) }).code == .internal)
    for code in WireErrorCode.allCases where code != .unspecified {
      let wire = WireError(code, "do this", field: "capture.quality")
      let error = CameraBusError(wire)
      let words = error.code.rawValue.reduce(into: "") { words, character in
        words += character.isUppercase ? "_\(character)" : character.uppercased()
      }
      #expect(try wire.jsonString().contains("\"ERROR_CODE_\(words)\""))
      #expect(error.message == "do this")
      #expect(error.field == "capture.quality")
      #expect(error.isRetryable == code.isRetryable)
    }
  }

  @Test func `An error says which cause of its code it is, where and what was kept`() {
    for reason in WireErrorReason.allCases {
      let name = CameraBusError(WireError(.conflict, "do this", reason: reason)).reason?.rawValue
      #expect(name == (reason == .unspecified ? nil : "\(reason)"))
    }
    let error = CameraBusError(.with { ($0.camera, $0.keptFiles) = ("tof", 3) })
    #expect(error.camera == "tof" && error.keptFiles == 3)
    #expect(CameraBusError(.with { $0.reason = .UNRECOGNIZED(1000) }).reason == nil)
  }

  @Test func `Losses, attempts and recovered movies reach the client's values`() throws {
    let node = NodeStatus(
      .with {
        $0.undeliverableReplies = 3
        $0.eventsDropped = 4
        $0.forbiddenRequests = 9
        $0.refusedConnections = 10
        $0.role = .operator
        $0.roleCameras = ["cam"]
        $0.roleExpiresWallNs = 11
        $0.library.folder = "/photos"
        $0.library.freeBytes = 0
        $0.library.reserveBytes = 2
        $0.library.error.code = .storageFull
        $0.loops = [
          .with {
            $0.name = "control"
            $0.longestTurnNs = 8
          }
        ]
        $0.cameras = [
          .with {
            $0.lastAttempt = "opened /dev/video0"
            $0.lastAttemptMonotonicNs = 7
            $0.streams = [
              .with {
                $0.droppedSlow = 5
                $0.encodingFailed = 6
              }
            ]
          },
          .init(),
        ]
      },
      epoch: .random()
    )
    #expect(node.undeliverableReplies == 3)
    #expect(node.eventsDropped == 4)
    #expect((node.forbiddenRequests, node.refusedConnections) == (9, 10))
    #expect(node.access.role == .operator && node.access.cameras == ["cam"])
    #expect(node.access.expires?.nanoseconds == 11)
    #expect((node.library.folder, node.library.reserveBytes) == ("/photos", 2))
    #expect(node.library.freeBytes == 0 && node.library.error?.code == .storageFull)
    #expect(node.loops.map(\.name) == ["control"] && node.loops[0].longestTurn == .nanoseconds(8))
    #expect(NodeStatus(.init(), epoch: .random()).library.freeBytes == nil)
    #expect(NodeStatus(.init(), epoch: .random()).library.error == nil)
    #expect(node.cameras.map(\.lastAttempt) == ["opened /dev/video0", nil])
    #expect(node.cameras.map(\.lastAttemptTime?.nanoseconds) == [7, nil])
    #expect(node.cameras[0].streams.map(\.droppedSlow) == [5])
    #expect(node.cameras[0].streams.map(\.encodingFailed) == [6])
    let movie = Movie(
      .with {
        $0.recording = RequestID.random().data
        $0.reason = .nodeKilled
        $0.asset.id = RequestID.random().data
        $0.asset.recovered = true
      }
    )
    #expect(movie?.reason == .nodeKilled)
    #expect(movie?.asset.isRecovered == true)
  }

  @Test func `A moment can be given as a text or a date`() {
    #expect(CaptureTime.at("1970-01-01T00:00:01Z") == .atWall(.init(nanoseconds: 1_000_000_000)))
    #expect(
      CaptureTime.at(Date(timeIntervalSince1970: 2)) == .atWall(.init(nanoseconds: 2_000_000_000)))
    #expect(CaptureTime.at("yesterday") == nil)
  }

  @Test(arguments: ["preview", "full", "raw", "320x240"])
  func `A stream is named as the node names it`(name: String) {
    #expect(FrameStream(name)?.description == name)
  }

  @Test(arguments: ["", "previews", "0x0", "8x8", "320X240"])
  func `A name of no stream is refused`(name: String) {
    #expect(FrameStream(name) == nil)
  }
}
