import EventLoop
package import OperatingSystem

extension CaptureSession {
  /// Runs `body` on the session's thread and waits for it, but no longer than the session can wait
  /// for its driver: a call that does not come back is the error. A `body` that has not begun by
  /// then is not run; one that has ends when the driver lets it.
  /// - Throws: what `body` throws; `deviceStalled`.
  package nonisolated func run<R: Sendable>(
    _ body: @escaping @Sendable (isolated CaptureSession) async throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      let answer = FirstAnswer(continuation)
      do throws(CaptureError) {
        let number = try callWatch.add { answer.give(.failure($0)) }
        // A child task could not be left behind.
        Task(executorPreference: loop) {
          await self.answer(answer, body)
          self.callWatch.remove(number)
        }
      } catch {
        answer.give(.failure(error))
      }
    }
  }

  private func answer<R: Sendable>(
    _ answer: FirstAnswer<R, any Error>, _ body: (isolated CaptureSession) async throws -> R
  ) async {
    guard answer.isAwaited else { return }
    do {
      answer.give(.success(try await body(self)))
    } catch {
      answer.give(.failure(error))
    }
  }

  /// The session will be stopped for good. A driver that has not let it stop at that moment is left
  /// alone. Can be called on any thread.
  package nonisolated func giveUp(at moment: MonotonicTime) {
    let pipeline = pipeline
    callWatch.giveUp(at: moment) {
      pipeline.end(CaptureError(.interrupted, "the node stops: ask again when it runs again"))
    }
  }
}
