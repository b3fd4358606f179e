import EventLoop
import Imaging
package import OperatingSystem

extension FramePipeline {
  /// Whether the scene is so dark now that a photo takes the flash. A camera that has just started
  /// is let settle first.
  /// - Parameter deadline: When nobody waits for the photo any more.
  /// - Returns: False if no frame has come by then.
  package func isDark(until deadline: MonotonicTime) async -> Bool {
    let loop = loop
    return await withCheckedContinuation { continuation in
      loop.perform { [self] in
        LightMeter(of: self, until: deadline) { continuation.resume(returning: $0) }.begin()
      }
    }
  }
}

/// Looks at the newest picture, and at further ones until the camera has settled.
private final class LightMeter: FrameConsumer {
  private let pipeline: FramePipeline
  private let deadline: MonotonicTime
  private let onEnd: (Bool) -> Void
  /// The last change of controls before: pictures from before it do not count.
  private let change: UInt64
  private var pictures = SettledPictures()
  private var isMeasuring = false
  private var isOver = false
  private var timer: LoopTimer?

  init(of pipeline: FramePipeline, until deadline: MonotonicTime, _ onEnd: @escaping (Bool) -> Void)
  {
    (self.pipeline, self.deadline, self.onEnd) = (pipeline, deadline, onEnd)
    change = pipeline.effects.lastID
  }

  func begin() {
    pipeline.add(self)
    timer = pipeline.loop.schedule(at: deadline) { [weak self] in self?.end(false) }
    if let newest = pipeline.ring.newest { receive(newest) }
  }

  func receive(_ frame: Frame) {
    guard !isMeasuring, !isOver, let first = pipeline.effects.firstOfNow(after: change),
      frame.metadata.sequence >= first
    else { return }
    isMeasuring = true
    pipeline.encoders.measure(LumaGridJob(frame) { [weak self] in self?.measured($0) }, .first)
  }

  private func measured(_ job: LumaGridJob) {
    isMeasuring = false
    let brightness = job.grid?.brightness
    let hasSettled = pictures.take(brightness)
    guard hasSettled || job.frame.metadata.sequence > SettledPictures.most else { return }
    end(SceneLight(brightness: brightness, facts: job.frame.metadata.facts).isDark)
  }

  private func end(_ isDark: Bool) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    pipeline.remove(self)
    onEnd(isDark)
  }
}

/// How light a scene is, by one picture of it. Pure.
struct SceneLight {
  /// Means of luma, 0 to 255: a picture darker than the first is of a dark scene, and one brighter
  /// than the second is not.
  static let (dark, bright) = (48.0, 128.0)
  /// A camera that amplifies or exposes at least so much has little light, unless its picture is
  /// bright.
  static let (gain, exposure): (Double, Int64) = (0.75, 1_000_000_000 / 15)

  /// The mean brightness; nil for a picture that cannot be read.
  var brightness: Double?
  var facts: FrameFacts

  /// Whether a photo of it takes the flash.
  var isDark: Bool {
    guard let brightness else { return false }
    if brightness < Self.dark { return true }
    let isStrained = (facts.gain ?? 0) >= Self.gain || (facts.exposure ?? 0) >= Self.exposure
    return brightness < Self.bright && isStrained
  }
}
