package import Imaging
import OperatingSystem

/// Makes AVIF and HEIC files in a process of its own, because their encoders lose memory with every
/// picture, need much of it, and may crash.
///
/// The process is the program itself, started again, and serves one job after the other. It is
/// renewed after some of them, when its memory has grown, and after a failure. It ends with this
/// object, and with the program, however that ends.
///
/// ``encode(_:)`` waits for the file. Call it on a thread of its own; ``stop()`` may come from any.
package final class PhotoEncoder: Sendable {
  private let settings: PhotoEncoderSettings
  /// What the thread has that makes a file.
  private let worker = Mutex(Worker())
  /// What `stop` needs while a file is made.
  private let state = Mutex(State())

  private struct Worker {
    var process: EncodingProcess?
    var jobCount = 0
    var lastUse = MonotonicTime.distantPast
  }

  private struct State {
    var isStopped = false
    var process: EncodingProcess?
  }

  package init(_ settings: PhotoEncoderSettings) {
    self.settings = settings
  }

  /// Makes a file.
  /// - Throws: `codecFailed` if the encoder refuses the picture; `encoderLost` if its process
  ///   crashed or was silent for too long; `encoderUnavailable` if the system has no process or
  ///   thread for it now; `stopped` after ``stop()``. The next file gets a new process after any of
  ///   them but the first.
  package func encode(_ job: PhotoJob) throws(ImagingError) -> [UInt8] {
    try worker.withLock { (worker) throws(ImagingError) in
      let process = try ready(&worker)
      let reply: Reply
      do throws(ImagingError) {
        reply = try exchange(job, with: process)
      } catch {
        release(&worker)
        throw state.withLock { $0.isStopped } ? Self.stopped : error
      }
      worker.jobCount += 1
      worker.lastUse = .now
      if worker.jobCount >= settings.maximumJobs || reply.header.resident > settings.maximumMemory {
        release(&worker)
      }
      guard reply.header.isFile else {
        throw ImagingError(.codecFailed, String(decoding: reply.bytes, as: UTF8.self))
      }
      return reply.bytes
    }
  }

  /// Ends the process and the job that it works on, which fails. So do all later ones.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      state.process?.kill()
    }
  }

  /// The process that has encoded the last file, or encodes now; nil if there is none.
  var processID: Int32? { state.withLock { $0.process }?.processID }

  private static let stopped = ImagingError(.stopped, "the encoder of photos was stopped")

  // MARK: The process

  /// The process for the next job: the present one, or a new one.
  private func ready(_ worker: inout Worker) throws(ImagingError) -> EncodingProcess {
    if let process = worker.process, !process.socket.hasNews(),
      MonotonicTime.now - worker.lastUse < settings.longestPause
    {
      return process
    }
    release(&worker)
    let process = try EncodingProcess(settings.program, settings.arguments)
    try state.withLock { (state) throws(ImagingError) in
      guard !state.isStopped else { throw Self.stopped }
      state.process = process
    }
    worker = Worker(process: process)
    return process
  }

  private func release(_ worker: inout Worker) {
    state.withLock { $0.process = nil }
    _ = worker.process?.end()
    worker = Worker()
  }

  // MARK: A job

  private struct Reply {
    var header: PhotoReplyHeader
    var bytes: [UInt8]
  }

  private func exchange(
    _ job: PhotoJob, with process: EncodingProcess
  ) throws(ImagingError) -> Reply {
    let header = PhotoJobHeader(job)
    let patience = settings.patience(for: header.size)
    let end = MonotonicTime.now + patience
    func call<R>(
      _ body: (borrowing JobSocket) throws(JobSocket.Failure) -> R
    ) throws(ImagingError) -> R {
      do throws(JobSocket.Failure) {
        return try body(process.socket)
      } catch {
        throw Self.loss(error, of: process, after: patience)
      }
    }
    let head = try call { (socket) throws(JobSocket.Failure) in
      for part in [header.bytes, job.picture.bytes, job.exif, job.xmp] {
        try socket.send(part, until: end)
      }
      return try socket.receive(PhotoReplyHeader.byteCount, until: end)
    }
    let reply = try PhotoReplyHeader(head, of: header)
    let bytes = try call { (socket) throws(JobSocket.Failure) in
      try socket.receive(reply.count, until: end)
    }
    return Reply(header: reply, bytes: bytes)
  }

  private static func loss(_ end: EncodingProcess.End?) -> ImagingError {
    if end?.lacksThreads == true {
      return ImagingError(
        .encoderUnavailable,
        "the process that encodes photos has no thread left: try again, or ask for JPEG")
    }
    return ImagingError(
      .encoderLost,
      "the process that encodes photos \(end?.words ?? "ended") before the file was complete")
  }

  private static func loss(
    _ failure: JobSocket.Failure, of process: EncodingProcess, after patience: Duration
  ) -> ImagingError {
    switch failure {
    case .late:
      ImagingError(
        .encoderLost,
        "the process that encodes photos was silent for \(patience.components.seconds) s")
    case .closed: loss(process.end())
    }
  }
}
