import CameraClient
import Imaging
import OperatingSystem
import Words

/// Draws a camera's frames as they come. The newest one is next; those that come while the terminal
/// is busy are left out.
struct LiveView {
  /// How long a terminal may take to show a picture before the next one is drawn all the same.
  private static let longestWait = Duration.seconds(5)

  private let camera: Camera
  private let stream: FrameStream
  private let options: BusOptions
  /// Whether the terminal answers questions, so that it can say when it has shown a picture.
  private let answersQuestions: Bool
  private let supply: FrameSupplyMonitor
  private let decoder: PictureDecoder
  private var canvas: PictureCanvas
  private var pace = PicturePace()
  private var meter = StreamMeter()
  private var last: (sequence: UInt64, latency: Duration)?
  private var damagedCount = 0

  /// - Parameter status: The camera's, whose size decides which stream suffices.
  init(
    _ camera: Camera, _ status: CameraStatus, on canvas: PictureCanvas, answersQuestions: Bool,
    _ options: BusOptions
  ) throws {
    self.camera = camera
    self.canvas = canvas
    self.options = options
    self.answersQuestions = answersQuestions && canvas.redraws
    decoder = try PictureDecoder()
    stream = Self.stream(
      for: canvas.room, as: canvas.form, of: status.previewSize.map { [$0] } ?? Self.shapes)
    supply = FrameSupplyMonitor(of: stream)
  }

  /// Draws until there were enough frames or the task is cancelled.
  /// - Returns: What the line below the picture says at last.
  mutating func run(frames limit: Int?) async throws -> String {
    let (camera, supply, options, redraws) = (camera, supply, options, canvas.redraws)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      // A note would move the picture away from the line below it.
      group.addTask { await supply.follow(camera, options, writesNotes: !redraws) }
      defer { group.cancelAll() }
      for try await frame in camera.frames(stream, policy: .newest(1)) {
        if try await show(frame), meter.frames == limit { break }
      }
      return forms[0]
    }
  }

  /// - Returns: Whether the frame could be drawn.
  private mutating func show(_ frame: CameraFrame) async throws -> Bool {
    let (room, form, scale) = (canvas.room, canvas.form, pace.scale)
    let picture: RGBPicture
    do throws(ImagingError) {
      picture = try frame.withBytes { (jpeg) throws(ImagingError) in
        try decoder.picture(jpeg) { room.size(of: $0, as: form, scale: scale) }
      }
    } catch {
      damagedCount += 1
      showLine()
      return false
    }
    meter.add(frame)
    last = (frame.sequence, frame.stages.total)
    showLine()
    let start = ContinuousClock.now
    if answersQuestions {
      TerminalMode.shared.willAsk()
      try canvas.draw(picture, asking: TerminalAnswers.lastQuestion)
      _ = await TerminalMode.shared.answers(within: Self.longestWait)
    } else {
      try canvas.draw(picture)
    }
    if canvas.redraws { pace.took(ContinuousClock.now - start) }
    return true
  }

  private func showLine() {
    guard options.isTalkative, canvas.redraws, supply.trouble == nil else { return }
    let forms = forms
    LiveLine.shared.show { columns in
      forms.first { ShownText.columns($0) <= columns } ?? forms[forms.count - 1]
    }
  }

  /// "left 320x240: frame 12, 29.9/s, latency 12.1 ms", and shorter forms for narrow terminals.
  private var forms: [String] {
    let beginning = "\(camera.name) \(stream): "
    let frame = last.map { "frame \($0.sequence)" } ?? "no frame yet"
    let rate = meter.rate.map { "\($0.rounded(to: 1))/s" }
    let latency = last.map { "latency \($0.latency.words)" }
    let damaged = damagedCount > 0 ? "\(damagedCount) damaged" : nil
    let size = pace.percentage.map { "\($0) % of the size" }
    let reason = size.map { "\($0) for a slow terminal" }
    return [
      [frame, rate, latency, damaged, reason], [frame, rate, latency, damaged, size],
      [frame, rate, damaged, size], [frame, damaged, size], [frame],
    ].map { parts in beginning + parts.compactMap(\.self).joined(separator: ", ") }
  }
}

extension LiveView {
  /// The shapes of pictures, where the camera's own is not known.
  private static let shapes = [(16, 9), (4, 3), (1, 1), (3, 4), (9, 16)].map { width, height in
    ImageSize(width: 100 * width, height: 100 * height)
  }

  /// The smallest of a few streams whose frames need not be enlarged. A small one is quick to
  /// encode and to send, and several viewers get the same.
  private static func stream(
    for room: PictureRoom, as form: PictureForm, of pictures: [ImageSize]
  ) -> FrameStream {
    let small = [FrameSize(width: 160, height: 120), FrameSize(width: 320, height: 240)]
    let chosen = small.first { box in
      pictures.allSatisfy { picture in
        let (width, height) = (Double(picture.width), Double(picture.height))
        let factor = min(Double(box.width) / width, Double(box.height) / height)
        let needed = room.size(of: picture, as: form)
        return Double(needed.width) <= factor * width && Double(needed.height) <= factor * height
      }
    }
    return chosen.flatMap(FrameStream.size) ?? .preview
  }
}

extension CameraStatus {
  /// The size of the camera's pictures, as previews are turned; nil if it is not known.
  fileprivate var previewSize: ImageSize? {
    guard let size = format?.size, size.width > 0, size.height > 0 else { return nil }
    let isTurned = configuration.preview.rotation % 180 != 0
    return isTurned
      ? ImageSize(width: size.height, height: size.width)
      : ImageSize(width: size.width, height: size.height)
  }
}
