import Imaging
import OperatingSystem

extension PhotoFacts {
  /// What is known of one file, beside what was known before.
  func filled(
    _ photo: ResolvedPhoto, _ geometry: FileGeometry, of order: PhotoOrder
  ) -> PhotoFacts {
    let (metadata, frame) = (photo.metadata, photo.metadata.facts)
    var facts = self
    let moment = metadata.timestamp.nanoseconds + metadata.wallClock.offset
    facts.moment = Moment(nanoseconds: moment, utcOffset: CalendarTime.utcOffset(at: moment))
    facts.timing.monotonicTime = metadata.timestamp
    facts.timing.frameNumber = metadata.sequence
    facts.timing.timestampMarks = metadata.marks.name
    facts.timing.earliestStart = metadata.exposure.earliestStart
    facts.timing.latestEnd = metadata.exposure.latestEnd
    if metadata.wallClock.error != .max { facts.timing.wallClockError = metadata.wallClock.error }
    if let time = metadata.deviceTime {
      facts.timing.deviceTime = time.time
      facts.timing.deviceClock = time.basis.name
    }
    // A shot of a bracket is taken when it is proven that its settings have taken effect.
    facts.exposureTime = frame.exposure ?? photo.shot?.exposure
    facts.exposureBias = photo.shot?.bias
    facts.gain = frame.gain
    facts.focus = frame.focus
    facts.kelvin = frame.kelvin
    facts.zoom = frame.zoom
    facts.flashFired = photo.flash != nil ? true : frame.flash
    // The frame itself is whole.
    if geometry.keepsFrame, metadata.crop != 1 { facts.zoom = 1 }
    facts.orientation = geometry.tag == .upright ? nil : geometry.tag
    if photo.mergedCount > 1, !geometry.keepsFrame { facts.mergedFrameCount = photo.mergedCount }
    if order.pictures > 1 { facts.burst = Burst(index: photo.picture, count: order.pictures) }
    return facts
  }
}

extension TimestampMark {
  fileprivate var name: String {
    switch self {
    case .exposureStart: "exposureStart"
    case .frameEnd: "frameEnd"
    case .arrival: "arrival"
    case .dequeue: "dequeue"
    }
  }
}

extension DeviceTime.Basis {
  fileprivate var name: String {
    switch self {
    case .usbFrames: "usbFrames"
    case .arrival: "arrival"
    }
  }
}
