import ArgumentParser
import CameraClient
import Glibc
import Words

/// Takes photos.
struct CaptureCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Takes photos.",
    discussion: """
      --when says which frame: now (the nearest), next, past:0.2s (that long ago), within:0.5s (the newest \
      if it is no older, else the next), at:+0.5s or at:2026-11-21T09:07:07.25Z. next and within go by the \
      earliest moment at which the exposure may have begun. A duration is \(DurationText.forms). The \
      time until a moment that is still to come does not count against --timeout.
      --tolerance says how far the frame may lie from the moment of --when, before it or after it: if the nearest one \
      is further away, the photo fails and nothing is taken. Of --burst and --count it counts for the first photo, with --interval for \
      each.
      --output is a file, a folder, or - for the standard output. A file's name may have places: %d or %04d for \
      the photo's number, {camera}, {date}, {time}, {number}, {frame}, {request}, and {ext} for the ending of its \
      format. A device or a pipe takes all photos, one after the other. The photo waits for a pipe's reader.
      --format names the files of each photo, all of the same frame: jpeg is the camera's own picture if it \
      delivers JPEG; png and tiff keep all bits; dng has the samples of a Bayer sensor; avif and heic are small and \
      take longer; raw are the bytes that the camera delivered. --rotate, --mirror and --dimensions hold for this \
      photo alone; with --orientation-tag the file says how it is to be turned, and its pixels stay.
      --balanced-priority takes the sharpest of the frame and its two neighbours, --quality-priority merges it with \
      others of four frames, so that it has less noise.
      With --deferred the photo written here is a proxy, a JPEG of the frame of the moment, so --output names a \
      .jpg. The node makes the files of --format afterwards: camctl download --request ID fetches them later, with \
      the id that is printed. With --wait they are waited for and written here, under the names that --output gives \
      them without --deferred, and each proxy beside them as NAME-proxy.jpg. Then --timeout is also how long to \
      wait for each photo's files; default: as long as it takes.
      --flash on fires the camera's flash: the frame is proven to be lit over its whole exposure. auto does so if \
      the scene is dark.
      --burst takes frames that follow each other, under one request: so fast, the camera's rate is the limit.
      --bracket takes a photo for each of its values: -2,0,2 in EV, exposure:1ms,4ms,16ms, or the values of any \
      control, as brightness=10,20,30, or 'point_of_interest=0.2,0.5;0.8,0.5'. Each frame is proven to have its value, \
      and the controls are as before in the end, also after a failure.
      --depth also takes the frame of the depth camera that is nearest to each photo, and writes its distances beside \
      NAME.jpg as NAME.depth.png, 16 bits in millimetres, 0 where they are not known; --matte 0.3-1.2 makes \
      NAME.matte.png of it, white from 0.3 to 1.2 m and black elsewhere. Both show what the depth camera sees.
      --live also writes a movie of what is around each photo, beside NAME.jpg as NAME.mp4. The camera's live photos must be \
      on: camctl configure --live-photos 1.5s.
      The node's library keeps every photo until somebody deletes it. Photos that are taken all the time, as with --count \
      and --interval, fill its disk up to the reserve (64 MiB, or camerad --reserve), and later ones fail. With \
      --transient the library keeps none.
      With --count --when says which frame is the first; each further one is the next that comes when the photo before \
      it is here. Frames that follow each other are a --burst. With --interval it is the frame nearest to its own moment, counted \
      on the node's clock from the first one. A later one that cannot be taken then is told, the others are taken all \
      the same, and the status is 1 in the end. If the first one cannot be taken, or one cannot be written, the series \
      ends.
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp("Which frame: now, next, past:, within: or at:.", valueName: "WHEN"),
    completion: .moments, transform: WhenText.parse
  )
  var when = CaptureTime.now

  @Option(
    help: ArgumentHelp(
      "How far the frame may be from the moment, else fail: such as 20ms.", valueName: "DURATION"),
    transform: DurationText.positive)
  var tolerance: Duration?

  @Option(
    help: ArgumentHelp("How many photos, one after another.", valueName: "N"),
    transform: PositiveCount.parse)
  var count = 1

  @Option(
    help: ArgumentHelp("How long from one photo of --count to the next.", valueName: "DURATION"),
    transform: DurationText.positive)
  var interval: Duration?

  @Option(
    help: ArgumentHelp(
      "How many frames in a row, as one request: 1 to 100.", valueName: "N"))
  var burst: Int?

  @Option(help: ArgumentHelp("Take one of so many frames of a --burst: 1 to 30.", valueName: "K"))
  var every = 1

  @Option(
    help: ArgumentHelp(
      "A photo for each value: -2,0,2 in EV, exposure:1ms,4ms or CONTROL=V,V.",
      valueName: "SHOTS"),
    transform: BracketText.parse)
  var bracket: BracketText?

  @Option(
    help: ArgumentHelp(
      "The files of each photo: jpeg, png, tiff, dng, avif, heic or raw.", valueName: "FORMATS"),
    completion: .list(PhotoFormat.allCases.map(\.rawValue)), transform: PhotoText.formats)
  var format: [[PhotoFormat]] = []

  @Option(
    help: ArgumentHelp(
      "As the stream (the default), or the largest that the camera has, for which it may change its format.",
      valueName: "stream|max"),
    completion: .list(["stream", "max"]), transform: PhotoText.size)
  var size = PhotoSize.stream

  @Option(
    help: ArgumentHelp(
      "Quality 1 to 100 of jpeg, avif and heic, where the node encodes.", valueName: "Q"))
  var quality: Int?

  @Flag(exclusivity: .exclusive) var priority = PriorityFlag.speed

  @Option(
    help: ArgumentHelp(
      "Fire the camera's flash: off (the default), on, or auto, if the scene is dark.",
      valueName: "off|on|auto"),
    completion: .list(FlashMode.allCases.map(\.rawValue)), transform: PhotoText.flash)
  var flash = FlashMode.off

  @Flag(help: "Encode the camera's own JPEG again too, with --quality.")
  var reencode = false

  @Option(
    help: ArgumentHelp(
      "Degrees clockwise by which this photo is turned; default: as configured.",
      valueName: "0|90|180|270"),
    completion: .list(RotationText.values), transform: RotationText.parse)
  var rotate: Int?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Whether left and right change places in this photo.")
  var mirror: Bool?

  @Flag(help: "Let the file say how it is to be turned, instead of turning its pixels.")
  var orientationTag = false

  @Option(
    help: ArgumentHelp("The size that the photo is scaled and cropped to.", valueName: "WxH"),
    transform: PhotoText.dimensions)
  var dimensions: FrameSize?

  @Flag(help: "Take the nearest distances of the depth camera too.")
  var depth = false

  @Option(
    help: ArgumentHelp(
      "With --depth, show what is this far away, in metres, such as 0.3-1.2.",
      valueName: "NEAR-FAR"),
    transform: MatteText.parse)
  var matte: ClosedRange<Double>?

  @Flag(help: "Write a movie of what is around the photo too.")
  var live = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write; default: this folder.", valueName: "PATH"),
    completion: .file())
  var output: String?

  @OptionGroup var existing: OverwriteOption

  @Flag(help: "Write photos to the standard output even if it is a terminal.")
  var force = false

  @OptionGroup var deferral: DeferralOptions
  @OptionGroup var labels: LabelOptions

  @Flag(help: "Do not keep the photos in the node's library.")
  var transient = false

  /// What each photo is to be.
  var settings: PhotoSettings {
    PhotoSettings(
      formats.map { PhotoOutput($0, isReencoded: $0 == .jpeg && reencode) },
      size: size,
      quality: quality,
      prioritization: priority.prioritization,
      flash: flash,
      turn: Turn(rotation: rotate, isMirrored: mirror),
      hasOrientationTag: orientationTag,
      dimensions: dimensions,
      isKept: !transient,
      isDeferred: deferral.deferred,
      depth: depth ? DepthSettings(matte: matte) : nil,
      isLive: live,
      tolerance: tolerance,
      name: labels.name,
      tags: labels.tags)
  }

  func validate() throws {
    try RequestRules.check { () throws(CameraBusError) in
      try CaptureOrder(
        time: when, settings: settings, burst: burst.map { ($0, every) }, bracket: bracket?.outline,
        timeout: options.timeout
      ).request("")
    }
    if burst == nil, every != 1 {
      throw ValidationError("--every is for a burst: give --burst too")
    }
    if burst != nil || bracket != nil, count > 1 {
      throw ValidationError(
        "--burst and --bracket are several photos of one request: leave --count and --interval out")
    }
    if priority != .speed, burst != nil || bracket != nil || size == .maximum {
      throw ValidationError(
        "--\(priority)-priority is for single photos of the stream: leave it out, or --burst, --bracket and --size"
      )
    }
    if flash == .on, priority != .speed {
      throw ValidationError(
        "--flash lights one frame, so there are no others to choose from or to merge: leave --\(priority)-priority out"
      )
    }
    if priority == .quality, formats.allSatisfy({ $0.file.keepsFrame }) {
      throw ValidationError(
        "--quality-priority merges pictures, and dng and raw have the frame itself: add another format"
      )
    }
    if quality != nil, !deferral.deferred, Set(formats).isDisjoint(with: [.jpeg, .avif, .heic]) {
      throw ValidationError("--quality is for jpeg, avif and heic: add one of them to --format")
    }
    if dimensions != nil, formats.allSatisfy({ $0.file.keepsFrame }) {
      throw ValidationError(
        "--dimensions scales pictures, and dng and raw have the frame itself: add another format")
    }
    if formats == [.raw], rotate != nil || mirror != nil || orientationTag {
      throw ValidationError(
        "raw are the camera's own bytes: leave --rotate, --mirror and --orientation-tag out, or add another format"
      )
    }
    if reencode, !formats.contains(.jpeg) {
      throw ValidationError("--reencode is for jpeg: add it to --format")
    }
    if matte != nil, !depth {
      throw ValidationError("--matte shows distances: give --depth too")
    }
    try checkInterval()
    if options.json, OutputPattern.isStandardOutput(output) {
      throw ValidationError("--json and --output - cannot share the standard output: name a file")
    }
  }

  private func checkInterval() throws {
    if count > 1, interval == nil, case .atWall = when {
      throw ValidationError("--when at: is one moment and --count \(count) are many: leave one out")
    }
    guard let interval else { return }
    guard count > 1 else {
      throw ValidationError("--interval is between photos: give --count 2 or more")
    }
    guard interval >= .milliseconds(1) else {
      throw ValidationError("--interval is at least 1ms")
    }
    if size == .maximum || flash != .off {
      throw ValidationError(
        "--interval names moments, and a photo of the largest size or with the flash is of none: leave --size and "
          + "--flash out")
    }
  }

  /// The formats of all `--format` together.
  var formats: [PhotoFormat] { format.isEmpty ? [.jpeg] : format.flatMap(\.self) }
}
