import EventLoop

extension CaptureSession {
  /// Does something on the session's thread and tells the outcome there.
  package nonisolated func perform<R: Sendable>(
    _ body: @escaping @Sendable (isolated CaptureSession) throws(CaptureError) -> R,
    then: @escaping @Sendable (Result<R, CaptureError>) -> Void
  ) {
    loop.perform {
      self.assumeIsolated { session in
        do throws(CaptureError) {
          then(.success(try body(session)))
        } catch {
          then(.failure(error))
        }
      }
    }
  }
}
