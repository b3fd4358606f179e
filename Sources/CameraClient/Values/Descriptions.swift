import OperatingSystem

// How values read where they are printed: short, one line.

extension NodeStatus: CustomStringConvertible {
  /// "node studio: cam is running, ready".
  public var description: String {
    let cameras = cameras.map(\.description).joined(separator: "; ")
    return "node \(name): \(cameras.isEmpty ? "no cameras" : cameras)"
  }
}

extension CameraStatus: CustomStringConvertible {
  /// "cam is interrupted (deviceDisconnected), sessionNotRunning: there is no /dev/video0".
  public var description: String { "\(name) is \(words)" }

  /// The description without the camera's name: "running, ready, recording".
  var words: String {
    let reason = interruption.map { " (\($0))" } ?? ""
    let recording = recording == nil ? "" : ", recording"
    let problem = error.map { ": \($0)" } ?? ""
    return "\(state)\(reason), \(readiness)\(recording)\(problem)"
  }
}

extension Camera: CustomStringConvertible {
  /// The camera's name.
  public var description: String { name }
}

extension FrameCounters: CustomStringConvertible {
  /// "150 delivered, 2 lost by the camera, 0 dropped by the node".
  public var description: String {
    "\(delivered) delivered, \(lostByCamera) lost by the camera, \(droppedByNode) dropped by the node"
      + (thinned > 0 ? ", \(thinned) left out" : "")
  }
}

extension LossCounters: CustomStringConvertible {
  /// "2 not published, 0 lost on the bus, 1 dropped by the client".
  public var description: String {
    "\(notPublished) not published, \(lostOnBus) lost on the bus, \(droppedByClient) dropped by the client"
  }
}

extension FrameStages: CustomStringConvertible {
  /// "capture 8.5 ms, copy 0.1 ms, publish 0.2 ms, transport 0.3 ms, total 9.1 ms".
  public var description: String {
    let stages: [(name: String, duration: Duration?)] = [
      ("capture", capture), ("copy", copy), ("encode wait", encodeWait), ("encode", encode),
      ("publish", publish), ("transport", transport), ("total", total),
    ]
    return stages.compactMap { stage in
      stage.duration.map { duration in
        "\(stage.name) \((duration / .microseconds(1)).rounded() / 1000) ms"
      }
    }.joined(separator: ", ")
  }
}

extension DownloadProgress: CustomStringConvertible {
  /// "65536 of 345678 bytes".
  public var description: String { "\(byteCount) of \(total) bytes" }
}

extension Device: CustomStringConvertible {
  /// "Logitech Webcam C270 at /dev/video0".
  public var description: String { "\(model) at \(location)" }
}

extension CameraFormat: CustomStringConvertible {
  /// "1280x720 MJPG at 30.0, 15.0/s".
  public var description: String {
    let rates = frameRates.map { "\($0)" }.joined(separator: ", ")
    return "\(size) \(pixelFormat)" + (rates.isEmpty ? "" : " at \(rates)/s")
  }
}

extension StreamFormat: CustomStringConvertible {
  /// "1280x720 YUYV at 30.0/s".
  public var description: String {
    "\(size) \(pixelFormat)" + (frameRate.map { " at \($0)/s" } ?? "")
  }
}

extension Control: CustomStringConvertible {
  /// "brightness=128".
  public var description: String { "\(id)=\(value?.description ?? "")" }
}

extension RecordingStart: CustomStringConvertible {
  /// "cam records since 2026-11-21T09:07:07.123456789Z".
  public var description: String { "\(camera) records since \(started)" }
}

extension RecordingStatus: CustomStringConvertible {
  /// "150 frames, 4567890 bytes since 2026-11-21T09:07:07.123456789Z".
  public var description: String { "\(frames) frames, \(bytes) bytes since \(started)" }
}

extension ResolvedCapture: CustomStringConvertible {
  /// "frame 12 at 2026-11-21T09:07:07.123456789Z, -5 ns off, exposed between -40 and 3 ns".
  public var description: String {
    let (earliest, latest) = offsetBounds
    return "frame \(frameSequence) at \(timestamp), \(offset.wholeNanoseconds) ns off, "
      + "exposed between \(earliest.wholeNanoseconds) and \(latest.wholeNanoseconds) ns"
  }
}

extension Photo: CustomStringConvertible {
  /// "345678 bytes, frame 12 at …".
  public var description: String {
    let origin = resolved?.description ?? asset?.description
    return "\(data.count) bytes" + (origin.map { ", \($0)" } ?? "")
  }
}

extension CameraFrame: CustomStringConvertible {
  /// "frame 12, 640x360 JPEG, 34567 bytes, at 2026-11-21T09:07:07.123456789Z".
  public var description: String {
    "frame \(sequence), \(size) \(pixelFormat), \(byteCount) bytes, at \(timestamp)"
  }
}
