import EventLoop
import Imaging
import OperatingSystem

extension ControlAccess {
  /// The search for the effect of one change, while it is made.
  struct EffectHandle {
    let cancel: () -> Void
    let arm: () -> Void
  }

  /// Begins to look for the effect of a change, before it is made.
  /// - Returns: Nil if nobody looks, because no frames come or no frame would show it.
  func beginSearch(for settings: [Setting], _ request: EffectRequest) -> EffectHandle? {
    guard input.format != nil, request.isWanted != false, let meanings else { return nil }
    let changed = settings.map(\.control)
    let saysFacts = input.device.saysFacts
    let needsPicture = meanings.needPicture(
      changed, saysFacts: saysFacts, evenIfUnlikely: request.isWanted == true)
    let changesFacts = !meanings.wanted(after: changed, saysFacts: saysFacts) { _ in nil }.isEmpty
    guard needsPicture || changesFacts else { return nil }
    let before = values(of: changed)
    let pipeline = pipeline
    let (id, frames) = pipeline.loop.performAndWait {
      let id = pipeline.effects.begin(needsPicture: needsPicture, request)
      let frames = needsPicture ? pipeline.ring.newest(PictureChange.most) : []
      // Older ones may look different because of the change before.
      return (id, frames.filter { $0.metadata.sequence >= pipeline.effects.floor })
    }
    let change = PictureChange(since: meter.grids(of: frames))
    guard let id else { return nil }
    return EffectHandle(
      cancel: { pipeline.loop.performAndWait { pipeline.effects.drop(id) } },
      arm: { [self] in
        let isChanged =
          settings.contains { $0.value == .press } || values(of: changed) != before
        let facts = wantedFacts(changed)
        pipeline.loop.performAndWait {
          pipeline.effects.arm(id, facts, change, isChanged: isChanged)
        }
      }
    )
  }

  func wantedFacts(_ changed: [ControlID]) -> [EffectSearch.WantedFact] {
    guard let controls = try? input.device.controls() else { return [] }
    return ControlMeanings(controls).wanted(after: changed, saysFacts: input.device.saysFacts) {
      try? value(of: $0)
    }
  }

  private func values(of controls: [ControlID]) -> [ControlValue?] {
    controls.map { try? value(of: $0) }
  }
}

/// Measures pictures on the session's thread, each once.
final class PictureMeter {
  private var reader: LumaGridReader?
  /// Those of the last call, by the times of the frames. Nil for a picture that cannot be read.
  private var known: [MonotonicTime: LumaGrid?] = [:]

  /// - Returns: The grids of those that can be read.
  func grids(of frames: [Frame]) -> [LumaGrid] {
    var grids: [MonotonicTime: LumaGrid?] = [:]
    for frame in frames {
      let time = frame.metadata.timestamp
      grids[time] = known[time] ?? grid(of: frame)
    }
    known = grids
    return frames.compactMap { grids[$0.metadata.timestamp] ?? nil }
  }

  private func grid(of frame: Frame) -> LumaGrid? {
    if reader == nil { reader = try? LumaGridReader() }
    guard let reader else { return nil }
    return try? frame.withBytes { (bytes) throws(ImagingError) in
      try reader.grid(bytes, layout: frame.layout, size: LumaGrid.fine)
    }
  }
}
