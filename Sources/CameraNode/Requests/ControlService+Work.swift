import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import OperatingSystem
import SwiftProtobuf

extension ControlService {
  /// Has a camera's session do something for a request, unless that is cancelled or its time is
  /// over before it begins.
  func perform<R: Sendable>(
    _ id: RequestID, on session: CaptureSession, until deadline: MonotonicTime,
    _ body: @escaping @Sendable (isolated CaptureSession) throws(CaptureError) -> R,
    then: @escaping @Sendable (isolated ControlService, Result<R, CaptureError>) -> Void
  ) {
    let work = wait(id, until: deadline)
    session.perform { (session) throws(CaptureError) in
      try work.begin()
      return try body(session)
    } then: { [self] result in
      enter { service in
        service.waitingWork[id] = nil
        then(service, result)
      }
    }
  }

  /// The same with the library.
  func performInLibrary<R: Sendable>(
    _ id: RequestID, until deadline: MonotonicTime,
    _ body: @escaping @Sendable (isolated MediaLibrary) throws(MediaLibraryError) -> R,
    then: @escaping @Sendable (isolated ControlService, Result<R, CaptureError>) -> Void
  ) {
    let work = wait(id, until: deadline)
    library.perform { (library) throws(CaptureError) in
      try work.begin()
      do throws(MediaLibraryError) {
        return try body(library)
      } catch {
        throw CaptureError(error)
      }
    } then: { [self] result in
      enter { service in
        service.waitingWork[id] = nil
        then(service, result)
      }
    }
  }

  private func wait(_ id: RequestID, until deadline: MonotonicTime) -> WaitingWork {
    let work = WaitingWork(until: deadline)
    waitingWork[id] = work
    return work
  }

  /// Gives the outcome of such work as the final reply.
  func answer<R>(
    _ id: RequestID, _ result: Result<R, CaptureError>, _ body: (R) -> WireReply.OneOf_Body
  ) {
    switch result {
    case .success(let value): finish(id, body(value))
    case .failure(let error): fail(id, error)
    }
  }

  func cancel(_ body: WireCancelRequest, id: RequestID) {
    guard let target = RequestID(bytes: body.request) else { return }
    if endDownload(target) { return finish(id, .cancel(.with { $0.outcome = .cancelled })) }
    if let job = captures[target] { return cancel(job, id: id) }
    let outcome: WireCancelReply.Outcome =
      if let work = waitingWork[target] {
        work.cancel() ? .cancelled : .tooLate
      } else {
        knows(target) ? .tooLate : .unknown
      }
    finish(id, .cancel(.with { $0.outcome = outcome }))
  }

  private func cancel(_ job: CaptureJob, id: RequestID) {
    let (pipeline, ticket) = (job.camera.pipeline, job.ticket)
    frameLoop.perform { [self] in
      let outcome: WireCancelReply.Outcome = pipeline.photos.cancel(ticket) ? .cancelled : .tooLate
      enter { $0.finish(id, .cancel(.with { $0.outcome = outcome })) }
    }
  }
}
