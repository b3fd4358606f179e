import Glibc
import Imaging
import OperatingSystem
package import PhotoEncoding

extension EncodingService {
  /// A job that comes sooner finds the memory of the last one and is done faster. To get pages from
  /// the system takes a sixth of the time of an AVIF.
  private static let hurry: Duration = .seconds(1)

  /// With more memory than this after a job, the process gives back what is free at once.
  private static let keptMemory = 128 << 20

  /// Encodes until the standard input closes, or no job has come for a while.
  /// - Returns: The process's exit status.
  package static func run() -> Int32 {
    // The node decides when this ends, also when Ctrl-C and systemd send signals to both.
    for signal in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(signal, SIG_IGN) }
    _ = nice(10)
    preferAsVictim()
    do throws(ImagingError) {
      guard let watch = SystemThread.start({ endWithPeer(of: STDIN_FILENO) }) else {
        throw ImagingError.hasNoThreads
      }
      pthread_detach(watch)
      try serve(STDIN_FILENO)
      return EXIT_SUCCESS
    } catch {
      try? StandardStream.error.write(Array("the encoder of photos: \(error.message)\n".utf8))
      return error.code == .encoderUnavailable ? noThreads : EXIT_FAILURE
    }
  }

  /// Encodes jobs that come in over a socket until its peer closes it, or no job comes.
  /// - Throws: `corrupt` after bytes that are no job, and after a part of one; `encoderUnavailable`
  ///   when the system has no threads for the encoder.
  static func serve(_ socket: Int32, idleTime: Duration = idleTime) throws(ImagingError) {
    let socket = JobSocket(borrowing: socket)
    while let header = try next(socket, idleTime) {
      let job = try body(of: header, socket)
      guard SystemThread.areLeft(HEIFEncoder.threads) else { throw ImagingError.hasNoThreads }
      let (isFile, bytes) = answer(header, job)
      let reply = PhotoReplyHeader(isFile: isFile, count: bytes.count, resident: memory)
      do throws(JobSocket.Failure) {
        try socket.send(reply.bytes, until: .distantFuture)
        try socket.send(bytes, until: .distantFuture)
      } catch {
        return
      }
    }
  }

  /// The bytes that the process has in the machine's memory, without many freed ones, because those
  /// are no growth.
  private static var memory: Int {
    let resident = ProcessMemory.resident ?? 0
    guard resident > keptMemory else { return resident }
    ProcessMemory.trim()
    return ProcessMemory.resident ?? 0
  }

  /// The next job's header; nil when none comes any more.
  private static func next(
    _ socket: borrowing JobSocket, _ idleTime: Duration
  ) throws(ImagingError) -> PhotoJobHeader? {
    if !socket.hasNews(within: hurry) { ProcessMemory.trim() }
    let bytes: [UInt8]
    do throws(JobSocket.Failure) {
      bytes = try socket.receive(PhotoJobHeader.byteCount, until: .now + idleTime)
    } catch {
      return nil
    }
    return try PhotoJobHeader(bytes)
  }

  private static func body(
    of header: PhotoJobHeader, _ socket: borrowing JobSocket
  ) throws(ImagingError) -> (samples: [UInt8], exif: [UInt8], xmp: [UInt8]) {
    do throws(JobSocket.Failure) {
      return (
        try socket.receive(header.sampleCount, until: .distantFuture),
        try socket.receive(header.exifCount, until: .distantFuture),
        try socket.receive(header.xmpCount, until: .distantFuture)
      )
    } catch {
      throw ImagingError(.corrupt, "a job ends before its last byte")
    }
  }

  private static func answer(
    _ header: PhotoJobHeader, _ body: (samples: [UInt8], exif: [UInt8], xmp: [UInt8])
  ) -> (isFile: Bool, bytes: [UInt8]) {
    let picture = PlanarPicture(
      size: header.size, subsampling: header.subsampling, bytes: body.samples)
    do throws(ImagingError) {
      let job = try PhotoJob(
        picture, as: header.format, quality: header.quality, exif: body.exif, xmp: body.xmp)
      return (true, try HEIFEncoder.encode(job))
    } catch {
      return (false, Array(error.message.utf8.prefix(PhotoReplyHeader.maximumReason)))
    }
  }

  /// When the machine has no memory left, the kernel ends this process before the node.
  private static func preferAsVictim() {
    guard let file = try? FileDescriptor("/proc/self/oom_score_adj", O_WRONLY) else { return }
    try? unsafe file.write(Array("500".utf8).span.bytes)
  }

  /// Ends the process as soon as the node has gone, also while an encoder runs.
  ///
  /// PR_SET_PDEATHSIG would end it with the node's thread that started it.
  private static func endWithPeer(of socket: Int32) {
    var peer = pollfd(fd: socket, events: 0, revents: 0)
    while unsafe poll(&peer, 1, -1) != 1 {}
    _exit(EXIT_SUCCESS)
  }
}

extension ImagingError {
  fileprivate static var hasNoThreads: ImagingError {
    ImagingError(.encoderUnavailable, "the system has no thread left for the encoder")
  }
}
