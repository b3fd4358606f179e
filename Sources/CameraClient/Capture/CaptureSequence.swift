import CameraProtocol
import Digest
import OperatingSystem
import ZeroMQ

/// The steps of a request for photos, for one reader. A reader that stops before the end cancels
/// them, if it is not too late. Each photo is fetched when the reader asks for it.
///
/// Policy: nothing is dropped; the steps are few. A second reader gets `conflict`, also after the
/// first one.
public struct CaptureSequence: AsyncSequence, Sendable {
  /// A step of the photo.
  public typealias Element = CaptureStep
  /// Why there is no photo.
  public typealias Failure = CameraBusError

  /// Names the photo, as the node's events do.
  public let requestID: Identifier
  private let camera: Camera
  private let order: CaptureOrder
  private let place = ReaderPlace(isGivenBack: false)
  private let outcomes: Result<AsyncStream<ControlConnection.Outcome>, CameraBusError>

  init(_ order: CaptureOrder, of camera: Camera) {
    self.camera = camera
    self.order = order
    let id = RequestID.random()
    requestID = Identifier(id)
    do throws(CameraBusError) {
      let request = try order.request(camera.name)
      let (readiness, name) = (camera.bus.readiness, camera.name)
      readiness.sent(id, to: name, files: order.pictures * order.settings.totalFileCount)
      outcomes = .success(
        camera.bus.connection.outcomes(
          of: request,
          .init(timeout: order.wait, resending: .changing, stepTimeout: order.stepWait),
          id: id, under: order.shot?.lease,
          isEndedWithCaller: true,
          // They capture the board and not the camera, because that would keep the bus alive from
          // its own thread.
          onAnswer: { readiness.take($0, of: id, by: name) },
          onAbandoned: { readiness.abandoned(id, by: name) }
        )
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
      order: order,
      outcomes: outcomes.map { $0.makeAsyncIterator() },
      place: place.makeReader()
    )
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    let camera: Camera
    let requestID: Identifier
    let order: CaptureOrder
    let place: ReaderPlace.Reader
    var outcomes: Result<AsyncStream<ControlConnection.Outcome>.Iterator, CameraBusError>
    /// The picture that came with a step. It is digested at once, while the node still stores it.
    private var picture: (data: [UInt8], sha256: SHA256Digest)?
    /// The photos that are finished and that the reader has not asked for yet, in their order.
    private var finished: ArraySlice<FinishedPhoto>?
    private var isOver = false

    init(
      camera: Camera,
      requestID: Identifier,
      order: CaptureOrder,
      outcomes: Result<AsyncStream<ControlConnection.Outcome>.Iterator, CameraBusError>,
      place: ReaderPlace.Reader
    ) {
      self.camera = camera
      self.requestID = requestID
      self.order = order
      self.outcomes = outcomes
      self.place = place
    }

    /// The next step; nil after the last.
    public mutating func next() async throws(CameraBusError) -> CaptureStep? {
      try await next(isolation: #isolation)
    }

    /// The next step; nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> CaptureStep? {
      guard !isOver else { return nil }
      try place.takePlace()
      do throws(CameraBusError) {
        if finished == nil, let step = try await step(isolation: actor) { return step }
        guard let photo = finished?.popFirst() else {
          isOver = true
          return nil
        }
        return .didFinish(try await photo.fetch(from: camera.bus, picture))
      } catch {
        isOver = true
        throw error.of(requestID)
      }
    }

    /// The next step before the end; nil when the photos are finished.
    private mutating func step(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> CaptureStep? {
      do throws(CameraBusError) {
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
            finished = try FinishedPhoto.all(result, requestID, order, of: camera)[...]
            return nil
          case .progress, .finished: throw .unexpectedReply
          case .failed(let error): throw error
          }
        }
        throw .endedEarly
      } catch {
        guard error.code == .outcomeUnknown else { throw error }
        finished = try await LostPhotos(requestID, of: camera, order).find(error.of(requestID))[...]
        return nil
      }
    }
  }
}

extension CaptureStep {
  fileprivate init(_ wire: WireCaptureProgress) {
    let resolved = ResolvedCapture(wire.resolved, picture: wire.picture)
    switch wire.step {
    case .willBegin: self = .willBegin(CaptureSettings(wire.settings))
    case .willCapture: self = .willCapture
    case .didCapture: self = .didCapture(resolved)
    case .didProcess: self = .didProcess(resolved, ProcessedFile(wire))
    case .didRecordMovie: self = .didRecordMovie(resolved)
    case .unspecified, .UNRECOGNIZED: self = .unknown
    }
  }
}
