import CameraProtocol
import SwiftProtobuf

/// A photo with all its replies.
struct Photo: Sendable {
  var steps: [WireCaptureProgress]
  var result: WireCaptureResult
  /// The JPEG, if it was attached.
  var jpeg: [UInt8]?

  init(_ replies: [Reply]) throws {
    steps = []
    for reply in replies.dropLast() {
      guard case .captureProgress(let progress)? = reply.wire.body else { throw Unexpected(reply) }
      steps.append(progress)
    }
    guard let final = replies.last?.wire, case .capture(let result)? = final.body else {
      throw Unexpected(replies.last)
    }
    self.result = result
    jpeg = replies.compactMap(\.attachment).first
  }
}

extension WireCaptureRequest {
  /// A photo that is attached and not stored, unless `edit` says otherwise.
  static func inline(_ edit: (inout WireCaptureRequest) -> Void = { _ in }) -> WireCaptureRequest {
    .with {
      $0.inlineLimit = 1 << 20
      $0.transient = true
      edit(&$0)
    }
  }

  /// A photo of the camera `cam` with depth, unless `edit` says otherwise.
  static func pair(_ edit: (inout WireCaptureRequest) -> Void = { _ in }) -> WireCaptureRequest {
    .with {
      $0.camera = "cam"
      $0.depth.matte = .with { ($0.nearM, $0.farM) = (0.5, 2) }
      edit(&$0)
    }
  }
}

extension TestClient {
  func photo(
    _ request: WireCaptureRequest = .inline(), id: RequestID = .random()
  ) async throws -> Photo {
    try Photo(try await ask(.capture(request), id: id))
  }

  /// Waits until the camera has exposed `frames` more frames.
  func letPass(frames: Int, of camera: String = "") async throws {
    for _ in 0..<frames {
      _ = try await photo(
        .inline {
          $0.next = WireCaptureRequest.Next()
          $0.camera = camera
        })
    }
  }

  /// Requests the status once a frame until it satisfies `condition`.
  func camera(
    when condition: (WireCameraStatus) -> Bool
  ) async throws -> WireCameraStatus {
    while true {
      let status = try await camera()
      if condition(status) { return status }
      try await letPass(frames: 1)
    }
  }

  /// Takes a photo that is stored and attached.
  func storedPhoto() async throws -> Photo {
    try await photo(.with { $0.inlineLimit = 1 << 20 })
  }
}

extension WireReply.OneOf_Body {
  /// The step of a progress reply.
  var captureStep: WireCaptureProgress.Step? {
    if case .captureProgress(let progress) = self { progress.step } else { nil }
  }
}
