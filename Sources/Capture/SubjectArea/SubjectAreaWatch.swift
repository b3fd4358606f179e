import Imaging
import OperatingSystem

/// A change of the scene in front of a camera.
package struct SubjectAreaChange: Hashable, Sendable {
  package var threshold: Double
  /// Which part of the picture looks different, 0...1.
  package var change: Double
  /// The frame that shows it.
  package var frame: FrameMetadata
}

/// Looks a few times a second whether the scene in front of a camera has changed, on the encoders'
/// threads and after their other work.
// @unchecked: confined to the frame loop.
package final class SubjectAreaWatch: FrameConsumer, @unchecked Sendable {
  private static let interval = Duration.milliseconds(200)

  private struct Watching {
    var machine: SubjectAreaMachine
    let onChange: (SubjectAreaChange) -> Void
    /// The format of the last frame. Pictures of different ones cannot be compared.
    var format: StreamFormat?
    var nextLook: MonotonicTime?
    var job: LumaGridJob?
  }

  private let pipeline: FramePipeline
  private let encoders: EncoderPool
  private var watching: Watching?

  package init(pipeline: FramePipeline, encoders: EncoderPool) {
    self.pipeline = pipeline
    self.encoders = encoders
  }

  /// Watches anew.
  /// - Parameter threshold: Which part of the picture must look different, above 0 and up to 1.
  package func begin(
    threshold: Double, _ onChange: @escaping @Sendable (SubjectAreaChange) -> Void
  ) {
    end()
    watching = Watching(machine: SubjectAreaMachine(threshold: threshold), onChange: onChange)
    pipeline.add(self)
  }

  package func end() {
    guard let watching = watching.take() else { return }
    pipeline.remove(self)
    if let job = watching.job { _ = encoders.withdraw(job) }
  }

  package func receive(_ frame: Frame) {
    guard frame.layout.pixelFormat.makesPictures, let watching, watching.job == nil,
      frame.metadata.dequeued >= watching.nextLook ?? .distantPast
    else { return }
    if watching.format != pipeline.format {
      self.watching?.format = pipeline.format
      self.watching?.machine = SubjectAreaMachine(threshold: watching.machine.threshold)
    }
    self.watching?.nextLook = frame.metadata.dequeued + Self.interval
    let job = LumaGridJob(frame) { [weak self] job in self?.finish(job) }
    self.watching?.job = job
    encoders.measure(job, .last)
  }

  private func finish(_ job: LumaGridJob) {
    guard watching?.job === job else { return }
    watching?.job = nil
    guard let grid = job.grid, let change = watching?.machine.take(grid), let watching else {
      return
    }
    watching.onChange(
      SubjectAreaChange(
        threshold: watching.machine.threshold, change: change, frame: job.frame.metadata))
  }
}

/// Decides from looks at a camera's pictures whether its scene has changed. Pure.
///
/// It compares with the picture of a settled scene: two looks in a row that are alike. A change is
/// reported once, and the next reference is taken when the scene has settled again.
struct SubjectAreaMachine: Sendable {
  /// Which part of the picture must look different, 0...1.
  let threshold: Double
  private var reference: LumaGrid?
  private var last: LumaGrid?

  init(threshold: Double) {
    self.threshold = threshold
  }

  /// - Returns: Which part of the picture has changed, if that reaches the threshold.
  mutating func take(_ grid: LumaGrid) -> Double? {
    defer { last = grid }
    guard let reference else {
      // A scene in which half of the threshold moves all the time never settles.
      if let last, grid.difference(from: last) < threshold / 2 { self.reference = grid }
      return nil
    }
    let change = grid.difference(from: reference)
    guard change >= threshold else { return nil }
    self.reference = nil
    return change
  }
}
