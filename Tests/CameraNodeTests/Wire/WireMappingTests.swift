import CameraProtocol
import Imaging
import MediaLibrary
import OperatingSystem
import Recording
import SwiftProtobuf
import Testing

@testable import CameraNode
@testable import Capture

struct WireMappingTests {
  @Test(arguments: [
    (CaptureError.Part.format, "configure", "configure.pixel_format"),
    (.format, "capture", "capture.size"), (.format, "session_start", ""),
    (.size, "configure", "configure.size"), (.rate, "configure", "configure.maximum_rate"),
    (.rate, "record_start", ""), (.recording, "configure", "configure.end_recording"),
    (.moment, "capture", "capture.when"),
    (.control(ControlID(rawValue: "size")), "configure", "size"),
  ])
  func `A field is a path in the request, or a control's id`(
    part: CaptureError.Part, kind: String, path: String
  ) {
    #expect(WireError(CaptureError(.conflict, "do this", part: part), in: kind).field == path)
  }

  @Test func `A moment of the wall clock is one of the monotonic clock from the beginning`() {
    let timing = PhotoTiming(
      .with { $0.atWallNs = 5_000 }, asked: .now,
      wallClock: WallClockSample(offset: 2_000, error: 1))
    guard case .at(let moment) = timing else {
      Issue.record("\(timing)")
      return
    }
    // No later step of the wall clock moves this.
    #expect(moment == MonotonicTime(nanoseconds: 3_000))
  }

  @Test(arguments: [
    (Readiness.sessionNotRunning, WireReadiness.sessionNotRunning), (.ready, .ready),
    (.notReadyMomentarily, .notReadyMomentarily),
    (.notReadyWaitingForCapture, .notReadyWaitingForCapture),
    (.notReadyWaitingForProcessing, .notReadyWaitingForProcessing),
    (.notReadyStorageFull, .notReadyStorageFull),
    (.notReadyUnsupportedFormat, .notReadyUnsupportedFormat),
    (.notReadyStorageFailed, .notReadyStorageFailed),
    (.notReadyChangingFormat, .notReadyChangingFormat),
  ])
  func `Every readiness maps to its Protobuf value`(readiness: Readiness, wire: WireReadiness) {
    #expect(WireReadiness(readiness) == wire)
  }

  @Test(arguments: [
    (PressureLevel.nominal, WirePressureLevel.nominal), (.fair, .fair), (.serious, .serious),
    (.critical, .critical), (.shutdown, .shutdown),
  ])
  func `Every level of pressure maps to its Protobuf value`(
    level: PressureLevel, wire: WirePressureLevel
  ) {
    #expect(WirePressureLevel(level) == wire)
  }

  @Test(arguments: [
    (TimestampMark.exposureStart, WireTimestampMark.exposureStart), (.frameEnd, .frameEnd),
    (.arrival, .arrival), (.dequeue, .dequeue),
  ])
  func `Every mark of a timestamp maps to its Protobuf value`(
    mark: TimestampMark, wire: WireTimestampMark
  ) {
    #expect(WireTimestampMark(mark) == wire)
  }

  @Test(arguments: [
    (CaptureError.Code.deviceNotFound, WireErrorCode.deviceNotFound, true),
    (.deviceBusy, .deviceBusy, true), (.deviceStalled, .deviceFailed, true),
    (.deviceFailed, .deviceFailed, true), (.permissionDenied, .permissionDenied, false),
    (.unsuitableDevice, .unsuitableDevice, false), (.noBandwidth, .noBandwidth, true),
    (.unsupportedFormat, .unsupportedFormat, false), (.noSuchControl, .noSuchControl, false),
    (.invalidControlValue, .invalidArgument, false), (.invalidArgument, .invalidArgument, false),
    (.controlNotWritable, .controlNotWritable, false), (.notRunning, .notRunning, true),
    (.interrupted, .interrupted, true), (.conflict, .conflict, false),
    (.frameUnavailable, .frameUnavailable, false),
    (.deadlineExceeded, .deadlineExceeded, true), (.cancelled, .cancelled, false),
    (.overloaded, .busy, true), (.encodingFailed, .encodingFailed, false),
    (.storageFull, .storageFull, false), (.storageFailed, .storageFailed, false),
  ])
  func `An error keeps its meaning, its message and its field`(
    code: CaptureError.Code, wire: WireErrorCode, isRetryable: Bool
  ) {
    let error = WireError(CaptureError(code, "do this", part: .moment))
    #expect(error.code == wire)
    #expect(error.message == "do this")
    #expect(error.field == "capture.when")
    #expect(error.retryable == isRetryable)
    #expect(WireError(CaptureError(code, "")).field.isEmpty)
  }

  @Test(arguments: [
    (MovieSummary.EndReason.stopped, WireRecordResult.EndReason.stopped),
    (.limitReached, .limitReached), (.storageFull, .storageFull), (.storageFailed, .storageFailed),
    (.cameraLost, .cameraLost), (.nodeStopped, .nodeStopped),
  ])
  func `Every end of a movie maps to its Protobuf value`(
    reason: MovieSummary.EndReason, wire: WireRecordResult.EndReason
  ) {
    #expect(WireRecordResult.EndReason(reason) == wire)
  }

  @Test func `A lost camera ends a movie with another reason than a stop`() {
    let failure = SessionState.Failure(
      error: CaptureError(.deviceNotFound, ""), attempts: 1, nextAttempt: nil)
    let interruption = SessionState.Interruption(reason: .deviceDisconnected, failure: failure)
    #expect(SessionState.running.endOfRecording == nil)
    #expect(SessionState.stopped.endOfRecording == .stopped)
    #expect(SessionState.starting.endOfRecording == .stopped, "another format")
    #expect(SessionState.interrupted(interruption).endOfRecording == .cameraLost)
    #expect(SessionState.failed(failure).endOfRecording == .cameraLost)
  }

  @Test func `The time of an unsynchronised clock has no error bound`() {
    let time = MonotonicTime(nanoseconds: 5)
    let bounded = WireTimestamp(time, WallClockSample(offset: 10, error: 3))
    #expect((bounded.monotonicNs, bounded.wallNs, bounded.wallErrorNs) == (5, 15, 3))
    #expect(WireTimestamp(time, WallClockSample(offset: 10, error: .max)).wallErrorNs == 0)
  }

  @Test func `A change has only the parts of the format that its request names`() throws {
    let nothing = try SessionConfiguration(WireConfigureRequest())
    #expect(nothing.pixelFormat == nil && nothing.size == nil && nothing.rates == nil)
    let change = try SessionConfiguration(
      .with {
        $0.pixelFormat = "YUYV"
        ($0.size.width, $0.size.height) = (640, 480)
        ($0.minimumRate, $0.maximumRate) = (15, 15)
      })
    #expect(change.pixelFormat == .yuyv && change.rates == 15...15)
    #expect(change.size == ImageSize(width: 640, height: 480))
    let error = try #require(throws: CaptureError.self) {
      try SessionConfiguration(.with { $0.pixelFormat = "?????" })
    }
    #expect(error.code == .unsupportedFormat)
    #expect(error.part == .format)
  }
}
