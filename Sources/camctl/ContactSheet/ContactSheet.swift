import CameraClient
import CameraRig
import FoundationEssentials
import Imaging
import OperatingSystem
import Words

/// The pictures of a shot as one picture for people: a tile for each camera, with its name and how
/// far from the moment its exposure began.
struct ContactSheet {
  /// Its name in the folder of the shot.
  static let name = "contact-sheet.jpg"

  private static let background: SheetPainting.Color = (24, 24, 24)
  private static let plain: SheetPainting.Color = (64, 64, 64)
  private static let text: SheetPainting.Color = (235, 235, 235)
  private static let bad: SheetPainting.Color = (255, 176, 128)

  private let layout: SheetLayout
  private var painting: SheetPainting

  /// Writes the sheet of a shot into the shot's folder, unless no camera took a picture.
  ///
  /// It reads one picture at a time, and decodes it not much larger than its tile.
  /// - Returns: Whether there is one.
  /// - Throws: `fileExists`, `storageFull`, `permissionDenied`, `storageFailed`; `cancelled` when
  ///   the task is.
  static func write(_ shot: RigShot, into folder: String) async throws(CameraBusError) -> Bool {
    guard shot.parts.contains(where: { $0.picture != nil }) else { return false }
    var sheet = ContactSheet(shot)
    for (index, part) in shot.parts.prefix(SheetLayout.tileLimit).enumerated() {
      try await sheet.add(part, in: folder, at: index)
    }
    let left = shot.parts.count - SheetLayout.tileLimit
    if left > 0 { sheet.end(left) }
    let jpeg: [UInt8]
    do throws(ImagingError) {
      jpeg = try sheet.painting.jpeg(quality: 85)
    } catch {
      throw CameraBusError(.internal, "the contact sheet cannot be encoded: \(error.message)")
    }
    let path = "\(folder)/\(name)"
    // A link in a stranger's folder may lead anywhere.
    guard (try? FileStatus(at: path, followsLinks: false)) == nil else {
      throw CameraBusError(.fileExists, "there is something at \(path): remove it")
    }
    try await FileWriter.write(jpeg, to: path, overwrites: false)
    return true
  }

  private init(_ shot: RigShot) {
    layout = SheetLayout(tiles: min(shot.parts.count, SheetLayout.tileLimit))
    painting = SheetPainting(layout.size, Self.background)
    let count = shot.parts.count { $0.picture != nil }
    let words = [
      shot.rig, shot.wall.words, "\(count) of \(shot.parts.count.counted("picture"))",
      shot.skew.map { "began \($0.least.words) to \($0.most.words) apart" },
    ]
    painting.write(
      words.compactMap(\.self).joined(separator: ", "), into: layout.title, dot: 3, Self.text)
  }

  private mutating func add(
    _ part: RigShot.Part, in folder: String, at index: Int
  ) async throws(CameraBusError) {
    let area = layout.picture(index)
    painting.write(part.camera, into: layout.line(0, of: index), dot: layout.dot, Self.text)
    guard let picture = part.picture else {
      note(part.problem?.code.rawValue ?? "no picture", at: index)
      let step = part.failedStep.map { "at \($0.rawValue)" } ?? ""
      return painting.write(step, into: layout.line(1, of: index), dot: layout.dot, Self.bad)
    }
    painting.write(
      picture.offset?.tenthsOfMilliseconds ?? "clock not known", into: layout.line(1, of: index),
      dot: layout.dot, picture.offset == nil ? Self.bad : Self.text)
    switch await drawn(picture, in: folder, area) {
    case .success(let picture): painting.put(picture, into: area)
    case .failure(let reason): note(reason.words, at: index)
    }
    if Task.isCancelled {
      throw CameraBusError(.cancelled, "the contact sheet was given up", cause: CancellationError())
    }
  }

  /// Paints a plain tile with a few words.
  private mutating func note(_ words: String, at index: Int) {
    var area = layout.picture(index)
    painting.fill(area, Self.plain)
    area.x += area.width / 16
    area.width -= area.width / 8
    painting.write(words, into: area, dot: layout.dot, Self.bad)
  }

  /// Lets the last tile say how many have no room.
  private mutating func end(_ left: Int) {
    let last = SheetLayout.tileLimit - 1
    for line in 0..<2 { painting.fill(layout.line(line, of: last), Self.background) }
    note("and \(left + 1) more", at: last)
  }

  private struct Omission: Error {
    /// "damaged": a few words, for a tile.
    var words: String
  }

  private func drawn(
    _ picture: RigShot.Picture, in folder: String, _ area: SheetArea
  ) async -> Result<RGBPicture, Omission> {
    // A JPEG is decoded no larger than its tile.
    let drawn = [MediaType.jpeg, .png].lazy.compactMap { type in
      picture.files.first { $0.mediaType == type.rawValue }
    }
    guard let file = drawn.first else {
      let type = picture.files.first?.mediaType
      let name = type.map { MediaType(rawValue: $0)?.fileExtension ?? $0 } ?? "no file"
      return .failure(Omission(words: "\(name) not shown"))
    }
    guard let name = file.name, !name.contains("/") else {
      return .failure(Omission(words: "not in this folder"))
    }
    guard FileStatus.isOwnFile(at: "\(folder)/\(name)") else {
      return .failure(Omission(words: "no file"))
    }
    let shown: ShownFile
    do {
      shown = try await ShownFile(at: "\(folder)/\(name)")
    } catch {
      return .failure(Omission(words: "file unreadable"))
    }
    do {
      return .success(
        try shown.anyPicture { full in
          let scale = min(
            Double(area.width) / Double(full.width), Double(area.height) / Double(full.height))
          return ImageSize(
            width: min(area.width, max(1, Int((Double(full.width) * scale).rounded()))),
            height: min(area.height, max(1, Int((Double(full.height) * scale).rounded()))))
        })
    } catch {
      return .failure(Omission(words: "cannot be decoded"))
    }
  }
}

extension RigShot.Bounds {
  /// "+12.3 ± 4.1 ms". The bound covers the rounding too.
  var tenthsOfMilliseconds: String {
    let (middle, error) = (middle / .milliseconds(1), error / .milliseconds(1))
    let shown = middle.rounded(to: 1)
    let bound = ((error + abs(middle - shown)) * 10 - 1e-6).rounded(.up) / 10
    return "\(shown < 0 ? "-" : "+")\(abs(shown)) ± \(bound > 0 ? bound : 0) ms"
  }
}

extension FileStatus {
  /// Whether there is a file at the path itself: no link to one, no pipe and no device.
  static func isOwnFile(at path: String) -> Bool {
    (try? FileStatus(at: path, followsLinks: false))?.isRegularFile ?? false
  }
}
