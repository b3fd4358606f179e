import CameraClient
import OperatingSystem
import Words

// Numbers and names as people read them.

extension Duration {
  /// "1.25 ms"; the unit fits the size.
  var words: String {
    let seconds = self / .seconds(1)
    return switch abs(seconds) {
    case 0: "0 s"
    case ..<1e-7: "\((seconds * 1e9).words(to: 0)) ns"
    case ..<1e-3: "\((seconds * 1e6).words(to: 1)) us"
    case ..<1: "\((seconds * 1e3).words(to: 2)) ms"
    case ..<120: "\(seconds.words(to: 2)) s"
    case ..<7200: "\((seconds / 60).words(to: 1)) min"
    default: "\((seconds / 3600).words(to: 1)) h"
    }
  }

  /// "1.2 s", for a time that runs.
  var inTenths: String {
    let tenths = Int(self / .milliseconds(100))
    return self < .seconds(120) ? "\(tenths / 10).\(tenths % 10) s" : words
  }
}

extension SessionState {
  var words: String { rawValue.separated }

  var style: Style {
    switch self {
    case .running: .good
    case .starting: .warning
    case .stopped, .idle: .faint
    default: .bad
    }
  }
}

extension Readiness {
  /// "ready", "not ready, waiting for capture", "session not running".
  var words: String {
    let words = rawValue.separated
    let beginning = "not ready "
    return words.hasPrefix(beginning) ? "not ready, \(words.dropFirst(beginning.count))" : words
  }

  var style: Style { self == .ready ? .good : .warning }
}

extension InterruptionReason {
  var words: String { rawValue.separated }
}

extension SystemPressure.Level {
  var style: Style {
    switch self {
    case .nominal: .plain
    case .fair, .serious: .warning
    default: .bad
    }
  }
}

extension Control.Kind {
  var words: String { rawValue.separated }
}

extension RecordingStatus {
  /// "150 frames, 3.4 MiB, paused".
  var words: String {
    let words = "\(frames.counted("frame")), \(bytes.byteWords)"
    return pause == nil ? words : words + ", paused"
  }
}

extension LibraryStatus {
  /// "/var/lib/camerabus, 75.9 GiB free".
  var words: String {
    let words = freeBytes.map { "\(folder), \($0.byteWords) free" } ?? folder
    return error.map { "\(words), and photos cannot be kept: \($0.message)" } ?? words
  }

  /// "2 files are not in its index: camctl assets repair"; nil if all are.
  var unlistedWords: String? {
    let damage = damagedIndex.map { "its index was damaged and is kept as \($0)" }
    let files =
      unlistedFiles == 0
      ? nil
      : "\(Int(clamping: unlistedFiles).counted("file")) in its folders not listed: camctl assets repair"
    let words = [damage, files].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// "3 photos to be finished, which take 12.4 MiB"; nil if there are none.
  var deferredWords: String? {
    guard deferredPhotos > 0 else { return nil }
    return
      "\(deferredPhotos.counted("photo")) to be finished, which take \(deferredBytes.byteWords)"
  }
}

extension Movie.EndReason {
  var words: String { rawValue.separated }
}

extension Timestamp {
  /// UTC to the millisecond.
  var words: String { wall.words }

  /// "off by at most 1.2 ms".
  var clockWords: String { wallError.map { "off by at most \($0.words)" } ?? "error unknown" }

  /// How long ago another moment was, on the same node's clock.
  func age(of moment: Timestamp) -> String { age(of: moment.monotonic) }

  /// The same for a moment of which only the monotonic clock is known.
  func age(of moment: MonotonicInstant) -> String { max(.zero, monotonic - moment).words }
}

extension WallInstant {
  /// UTC to the millisecond.
  var words: String { String(description.dropLast(7)) + "Z" }
}

extension StreamFormat {
  /// "1280x720 YUYV 30/s", "1280x720 YUYV 10/s (of 30/s)".
  var words: String {
    var rate = frameRate.map { " \($0.words(to: 2))/s" } ?? ""
    if let frameRate, let deviceFrameRate, deviceFrameRate > frameRate {
      rate += " (of \(deviceFrameRate.words(to: 2))/s)"
    }
    let device = devicePixelFormat == pixelFormat ? "" : " (from \(devicePixelFormat))"
    let turn = orientation == Orientation() ? "" : " (to be turned by \(orientation))"
    return "\(size) \(pixelFormat)\(rate)\(device)\(turn)"
  }
}

extension CameraConfiguration {
  /// "turns photos and movies by 90°, previews by 0°, mirrored"; nil if it turns nothing.
  var orientationWords: String? {
    guard capture != Orientation() || preview != Orientation() else { return nil }
    return "turns photos and movies by \(capture), previews by \(preview)"
  }

  /// "sends full not at all, preview with at most 5 frames a second in quality 60"; nil if no
  /// stream has settings.
  var streamWords: String? {
    guard !streams.isEmpty else { return nil }
    return "sends "
      + streams.map { stream in
        let rate = stream.maximumRate.map { " with at most \($0.words(to: 3)) frames a second" }
        let quality = stream.quality.map { " in quality \($0)" }
        let settings = (rate ?? "") + (quality ?? "")
        guard stream.isEnabled == false else { return "\(stream.stream)\(settings)" }
        return "\(stream.stream) not at all"
          + (settings.isEmpty ? "" : " (\(settings.dropFirst()))")
      }.joined(separator: ", ")
  }

  /// "is configured for video, preset hd1280x720, 10 to 20 frames a second"; nil if nobody has
  /// said anything.
  var purposeWords: String? {
    let isChosen = mode != .photo || preset != .inputPriority || minimumRate != nil
    guard isChosen || maximumRate != nil else { return nil }
    var words = "is configured for \(mode.rawValue)"
    if preset != .inputPriority { words += ", preset \(preset.rawValue)" }
    if let maximumRate {
      let lowest = minimumRate.flatMap { $0 == maximumRate ? nil : $0.words(to: 2) }
      words += lowest.map { $0 == "0" ? ", at most " : ", \($0) to " } ?? ", "
      words += "\(maximumRate.words(to: 2)) frames a second"
    }
    return words
  }
}

extension ResolvedCapture {
  /// "frame 12, 3 ms before the moment asked for, exposed between 36 ms before and 2 ms after it".
  /// - Parameter isMerged: Whether what it is said of may be made of several frames.
  func words(isMerged: Bool = true) -> String {
    let (earliest, latest) = offsetBounds
    let merged = isMerged && mergedFrames > 1 ? ", merged of \(mergedFrames) frames" : ""
    let lit = flash.map { ", lit by the flash (\($0))" } ?? ""
    return
      "frame \(frameSequence)\(merged)\(lit), \(Self.side(offset)) the moment asked for, "
      + "exposed between \(Self.side(earliest)) and \(Self.side(latest)) it"
      + (startDelay > .zero ? ", after the camera had started in \(startDelay.words)" : "")
      + (gap > .zero ? ", in another format: without frames for \(gap.words)" : "")
  }

  private static func side(_ offset: Duration) -> String {
    offset < .zero ? "\((.zero - offset).words) before" : "\(offset.words) after"
  }
}
