import CameraProtocol
import SwiftProtobuf

extension Camera {
  /// Starts to record a movie into the node's library.
  ///
  /// The movie has a life of its own: it goes on when this program ends, until it is stopped or reaches a limit.
  /// - Parameters:
  ///   - quality: JPEG quality 1 to 100 where the node encodes; nil is the node's choice.
  ///   - maximumDuration: The length at which it ends by itself; nil is none.
  ///   - maximumBytes: The size at which it ends by itself; nil is none.
  /// - Throws: `conflict` while another recording of the camera runs; `notRunning`; `storageFull`; `outcomeUnknown` when
  ///   the node restarted meanwhile: what there is of the movie is then made for ``CameraBusError/requestID``.
  public func startRecording(
    quality: Int? = nil,
    maximumDuration: Duration? = nil,
    maximumBytes: UInt64? = nil
  ) async throws(CameraBusError) -> Recording {
    let quality = try jpegQuality(quality)
    let body = WireRecordStartRequest.with {
      $0.camera = name
      $0.quality = quality
      $0.maximumDurationNs = maximumDuration?.wireNanoseconds ?? 0
      $0.maximumBytes = maximumBytes ?? 0
    }
    let id = RequestID.random()
    do throws(CameraBusError) {
      guard
        case .recordStarted(let started) = try await bus.request(
          .recordStart(body), .changing, id: id),
        let recording = Recording(started)
      else { throw .unexpectedReply }
      return recording
    } catch {
      throw error.of(Identifier(id))
    }
  }

  /// Stops the recording and waits until the movie is safe on the node's disk.
  ///
  /// - Throws: `conflict` when none runs; `storageFailed`.
  public func stopRecording() async throws(CameraBusError) -> Movie {
    let body = WireRequest.OneOf_Body.recordStop(.with { $0.camera = name })
    guard case .record(let result) = try await bus.request(body, .changing),
      let movie = Movie(result)
    else { throw .unexpectedReply }
    return movie
  }

  /// The wire's form of a quality.
  func jpegQuality(_ quality: Int?) throws(CameraBusError) -> UInt32 {
    guard let quality else { return 0 }
    guard (1...100).contains(quality) else {
      throw CameraBusError(
        .invalidArgument,
        "quality is 1 to 100, not \(quality)",
        field: "quality"
      )
    }
    return UInt32(quality)
  }
}
