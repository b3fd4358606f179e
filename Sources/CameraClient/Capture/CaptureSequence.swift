import CameraProtocol
import Digest
import OperatingSystem
import ZeroMQ

/// The steps of one photo, for one reader. A reader that stops before the end cancels the photo.
///
/// Policy: nothing is dropped; the steps are few.
public struct CaptureSequence: AsyncSequence, Sendable {
  /// A step of the photo.
  public typealias Element = CaptureStep
  /// Why there is no photo.
  public typealias Failure = CameraBusError

  /// Names the photo, as the node's events do.
  public let requestID: Identifier
  private let camera: Camera
  private let isKept: Bool
  private let outcomes: Result<AsyncStream<ControlConnection.Outcome>, CameraBusError>

  init(_ order: CaptureOrder, of camera: Camera) {
    self.camera = camera
    isKept = order.isKept
    let id = RequestID.random()
    requestID = Identifier(id)
    do throws(CameraBusError) {
      let request = try order.request(camera)
      let (readiness, name) = (camera.bus.readiness, camera.name)
      readiness.sent(id, to: name)
      outcomes = .success(
        camera.bus.connection.outcomes(
          of: request,
          .init(timeout: order.wait, resending: .changing),
          id: id,
          isEndedWithCaller: true
        ) {
          // It captures the board and not the camera, because that would keep the bus alive from
          // its own thread.
          readiness.answered(id, by: name)
        }
      )
    } catch {
      outcomes = .failure(error)
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      camera: camera,
      requestID: requestID,
      isKept: isKept,
      outcomes: outcomes.map { $0.makeAsyncIterator() }
    )
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    let camera: Camera
    let requestID: Identifier
    let isKept: Bool
    var outcomes: Result<AsyncStream<ControlConnection.Outcome>.Iterator, CameraBusError>
    /// The picture that came with a step. It is digested at once, while the node still stores it.
    private var picture: (data: [UInt8], sha256: SHA256Digest)?
    private var isFinished = false

    init(
      camera: Camera,
      requestID: Identifier,
      isKept: Bool,
      outcomes: Result<AsyncStream<ControlConnection.Outcome>.Iterator, CameraBusError>
    ) {
      self.camera = camera
      self.requestID = requestID
      self.isKept = isKept
      self.outcomes = outcomes
    }

    /// The next step; nil after the last.
    public mutating func next() async throws(CameraBusError) -> CaptureStep? {
      try await next(isolation: #isolation)
    }

    /// The next step; nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> CaptureStep? {
      guard !isFinished else { return nil }
      do throws(CameraBusError) {
        return try await step(isolation: actor)
      } catch {
        isFinished = true
        let error = error.of(requestID)
        guard error.code == .outcomeUnknown else { throw error }
        return .didFinish(try await LostPhoto(requestID, of: camera, isKept: isKept).find(error))
      }
    }

    private mutating func step(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> CaptureStep? {
      var outcomes = try self.outcomes.get()
      defer { self.outcomes = .success(outcomes) }
      while let outcome = await outcomes.next(isolation: actor) {
        switch outcome {
        case .progress(.captureProgress(let progress), let attachment):
          if let attachment {
            picture = (attachment.bytes, attachment.withBytes { SHA256.hash(of: $0) })
          }
          return CaptureStep(progress)
        case .finished(.capture(let result), _):
          isFinished = true
          return .didFinish(try await photo(result))
        case .progress, .finished: throw .unexpectedReply
        case .failed(let error): throw error
        }
      }
      throw .endedEarly
    }

    private func photo(_ result: WireCaptureResult) async throws(CameraBusError) -> Photo {
      let asset = result.hasAsset ? Asset(result.asset) : nil
      let sha256 = Array(result.sha256).hexadecimal
      if result.hasAsset {
        guard let asset, asset.requestID == requestID, asset.camera == camera.name,
          asset.sha256 == sha256
        else { throw .unexpectedReply }
      }
      let data: [UInt8]
      if let picture {
        guard picture.sha256.description == sha256 else {
          throw .hashMismatch("the photo")
        }
        data = picture.data
      } else if let asset {
        data = try await camera.bus.picture(of: asset)
      } else {
        throw .protocolViolation("the node sent a photo without its bytes")
      }
      return Photo(
        requestID: requestID,
        data: data,
        resolved: ResolvedCapture(result.resolved),
        asset: asset,
        sha256: sha256
      )
    }
  }
}

extension CaptureStep {
  fileprivate init(_ wire: WireCaptureProgress) {
    let resolved = ResolvedCapture(wire.resolved)
    switch wire.step {
    case .willBegin: self = .willBegin
    case .willCapture: self = .willCapture
    case .didCapture: self = .didCapture(resolved)
    case .didProcess: self = .didProcess(resolved, byteCount: Int(clamping: wire.byteCount))
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}
