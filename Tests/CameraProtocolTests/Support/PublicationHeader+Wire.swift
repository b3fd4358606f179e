import SwiftProtobuf

@testable import CameraProtocol

extension PublicationHeader {
  /// Converts SwiftProtobuf's message. Returns nil if it lacks the epoch or the number, or if its
  /// pixel format is too long.
  init?(_ wire: WireHeader) {
    guard let epoch = Epoch(bytes: wire.epoch), wire.sequence > 0,
      let format = PixelFormatName(wire.frame.pixelFormat)
    else { return nil }
    self.init(
      epoch: epoch, sequence: wire.sequence, sent: Moment(wire.sent),
      frame: wire.hasFrame ? Frame(wire.frame, format) : nil)
  }
}

extension PublicationHeader.Moment {
  init(_ wire: WireTimestamp) {
    self.init(monotonic: wire.monotonicNs, wall: wire.wallNs, wallError: wire.wallErrorNs)
  }

  var wire: WireTimestamp {
    .with {
      $0.monotonicNs = monotonic
      $0.wallNs = wall
      $0.wallErrorNs = wallError
    }
  }
}

extension PublicationHeader.Frame {
  fileprivate init(_ wire: WireFrameHeader, _ format: PixelFormatName) {
    self.init()
    sequence = wire.frameSequence
    timestamp = .init(wire.timestamp)
    (width, height) = (wire.size.width, wire.size.height)
    pixelFormat = format
    bytesPerLine = wire.bytesPerLine
    (dequeued, copied) = (wire.dequeuedNs, wire.copiedNs)
    (encodeStarted, encodeFinished) = (wire.encodeStartedNs, wire.encodeFinishedNs)
    timestampMark = Int32(wire.timestampMark.rawValue)
    (earliestStart, latestEnd) = (wire.earliestStartNs, wire.latestEndNs)
    exposure = wire.exposureNs
    if wire.hasFacts { facts = PublicationHeader.Facts(wire.facts) }
    if wire.hasOrientation {
      orientation = .init(
        rotation: wire.orientation.rotation, isMirrored: wire.orientation.mirrored)
    }
    isKeyPicture = wire.keyPicture
    if wire.hasDeviceTime { deviceTime = PublicationHeader.DeviceTime(wire.deviceTime) }
  }

  var wire: WireFrameHeader {
    .with {
      $0.frameSequence = sequence
      $0.timestamp = timestamp.wire
      $0.size = .with {
        $0.width = width
        $0.height = height
      }
      $0.pixelFormat = pixelFormat.description
      $0.bytesPerLine = bytesPerLine
      ($0.dequeuedNs, $0.copiedNs) = (dequeued, copied)
      ($0.encodeStartedNs, $0.encodeFinishedNs) = (encodeStarted, encodeFinished)
      let number = Int(timestampMark)
      $0.timestampMark = WireTimestampMark(rawValue: number) ?? .UNRECOGNIZED(number)
      ($0.earliestStartNs, $0.latestEndNs) = (earliestStart, latestEnd)
      $0.exposureNs = exposure
      if let facts { $0.facts = facts.wire }
      if let orientation {
        $0.orientation = .with {
          $0.rotation = orientation.rotation
          $0.mirrored = orientation.isMirrored
        }
      }
      $0.keyPicture = isKeyPicture
      if let deviceTime { $0.deviceTime = deviceTime.wire }
    }
  }
}

extension PublicationHeader.DeviceTime {
  fileprivate init(_ wire: WireDeviceTime) {
    self.init()
    (ticks, monotonic, error) = (wire.ticks, wire.monotonicNs, wire.errorNs)
    basis = Int32(wire.basis.rawValue)
  }

  fileprivate var wire: WireDeviceTime {
    .with {
      ($0.ticks, $0.monotonicNs, $0.errorNs) = (ticks, monotonic, error)
      let number = Int(basis)
      $0.basis = WireDeviceTime.Basis(rawValue: number) ?? .UNRECOGNIZED(number)
    }
  }
}

extension PublicationHeader.Facts {
  fileprivate init(_ wire: WireFrameFacts) {
    self.init()
    gain = wire.hasGain ? wire.gain : nil
    focus = wire.hasFocus ? wire.focus : nil
    kelvin = wire.hasKelvin ? wire.kelvin : nil
    zoom = wire.hasZoom ? wire.zoom : nil
    colorRange = Int32(wire.colorRange.rawValue)
    colorMatrix = Int32(wire.colorMatrix.rawValue)
    flash = wire.hasFlash ? wire.flash : nil
  }

  fileprivate var wire: WireFrameFacts {
    .with {
      if let gain { $0.gain = gain }
      if let focus { $0.focus = focus }
      if let kelvin { $0.kelvin = kelvin }
      if let zoom { $0.zoom = zoom }
      let (range, matrix) = (Int(colorRange), Int(colorMatrix))
      $0.colorRange = WireColorRange(rawValue: range) ?? .UNRECOGNIZED(range)
      $0.colorMatrix = WireColorMatrix(rawValue: matrix) ?? .UNRECOGNIZED(matrix)
      if let flash { $0.flash = flash }
    }
  }
}
