import CameraClient
import OperatingSystem
import Words

/// The place for files: a file, a folder, a name with places such as `%d` for their numbers, a
/// device or a pipe, or `-` for the standard output.
struct OutputPattern {
  private enum Form {
    case file(String)
    case folder(String)
    case name(OutputName, text: String)
    /// A device or a pipe, which takes all files one after the other.
    case stream(String)
    case standardOutput
  }

  /// How proxies are named.
  private enum Proxies {
    /// By the pattern itself.
    case alone
    /// Beside final photos that have the pattern's names: "photo-proxy.jpg".
    case beside
  }

  /// The room that a disk must have before a photo is taken or a movie recorded. Only its end tells
  /// how large it is.
  private static let leastRoom = 1 << 20

  /// Whether a file that exists is replaced.
  let overwrites: Bool
  private let form: Form
  private let count: Int
  private var kinds: [MediaType]
  private var proxies: Proxies?
  private let parts: [AssetPart]

  /// - Parameters:
  ///   - text: What `--output` says; nil is the current folder.
  ///   - count: How many photos or movies there will be.
  ///   - isOneRequest: Whether one request takes them all.
  ///   - kinds: Of the files of each, if they are known.
  ///   - parts: What files beside each photo's show.
  init(
    _ text: String?, count: Int = 1, isOneRequest: Bool = true, _ kinds: [MediaType] = [],
    parts: [AssetPart] = [], overwrites: Bool
  ) throws {
    let text = text ?? "."
    guard !text.isEmpty else {
      throw CommandFailure.usage("--output is empty: name a file, a folder or -")
    }
    form = try Self.form(text)
    self.count = count
    self.kinds = kinds
    self.parts = parts
    self.overwrites = overwrites
    let isOneName = if case .file = form { true } else { false }
    let name: OutputName? = if case .name(let name, _) = form { name } else { nil }
    if count > 1, isOneName || name?.tellsPhotosApart(isOneRequest: isOneRequest) == false {
      throw CommandFailure.usage(
        "--output \(text) names one file for \(count): put %d into the name, or name a folder"
      )
    }
    if kinds.count > 1, isOneName || name?.tellsKindsApart == false {
      throw CommandFailure.usage(
        "--output \(text) names one file for \(kinds.count) formats: end it in .{ext}, or name a folder"
      )
    }
    if !parts.isEmpty, isStandardOutput || stream != nil {
      throw CommandFailure.usage(
        "--output \(text) takes photos alone, and --depth makes files beside them: name a file or a folder"
      )
    }
    if kinds.count > 1, isStandardOutput || stream != nil {
      throw CommandFailure.usage(
        "--output \(text) takes files of one format, not of \(kinds.count): name a folder")
    }
  }

  /// The place for a movie, which was checked: a movie that cannot be written is not recorded.
  init(movie text: String?, _ kind: MediaType, overwrites: Bool) throws {
    try self.init(text, [kind], overwrites: overwrites)
    if isStandardOutput {
      throw CommandFailure.usage("a movie goes to a file: name one, or a folder")
    }
    try check()
  }

  /// The place for the proxies of photos.
  /// - Parameter isBeside: Whether this is the place for the final photos.
  func forProxies(isBeside: Bool) -> OutputPattern {
    var pattern = self
    pattern.kinds = [.jpeg]
    pattern.proxies = isBeside ? .beside : .alone
    return pattern
  }

  var isStandardOutput: Bool {
    if case .standardOutput = form { true } else { false }
  }

  /// Whether the names of the files say the numbers of frames.
  var namesFrames: Bool {
    if case .name(let name, _) = form { name.has(.frame) } else { false }
  }

  /// The device or pipe that the files go to.
  var stream: String? {
    if case .stream(let path) = form { path } else { nil }
  }

  /// Whether `--output` names the standard output. What else the command prints would get into the
  /// file there, so it is told apart from other devices and pipes.
  static func isStandardOutput(_ text: String?) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(text)
  }

  /// Finds out whether the files could be written, before the work is done that makes them.
  func check() throws {
    switch form {
    case .standardOutput: break
    case .folder(let path):
      // The errors are about what is in the folder.
      try Self.check(path + "/") { () throws(SystemError) in
        try FileWriter.check(folder: path, byteCount: Self.leastRoom)
      }
    case .name(let name, let text):
      guard name.path(1, kinds.first) != nil else {
        let slash = text.lastIndex(of: "/")
        let folder = slash.map { $0 == text.startIndex ? "/" : String(text[..<$0]) } ?? "."
        return try Self.check(folder + "/") { () throws(SystemError) in
          try FileWriter.check(folder: folder, byteCount: Self.leastRoom)
        }
      }
      for number in 1...count {
        for kind in kinds { try check(name.path(number, kind) ?? text, kind) }
      }
    case .file(let path), .stream(let path):
      try check(path, kinds.first)
    }
  }

  private func check(_ path: String, _ kind: MediaType?) throws {
    let path = named(path)
    try kind?.requireExtension(of: path, canChoose: kind?.kind != .movie, isProxy: proxies != nil)
    for path in [path] + parts.map({ $0.path(beside: path) }) {
      try Self.check(path) { () throws(SystemError) in
        try FileWriter.check(path, overwrites: overwrites, byteCount: Self.leastRoom)
      }
    }
  }

  private static func check(_ path: String, _ body: () throws(SystemError) -> Void) throws {
    do throws(CameraBusError) {
      try CameraBusError.writing(path, body)
    } catch {
      guard error.code == .storageFull else { throw error }
      throw CameraBusError(
        .storageFull,
        "the disk of \(path) has less than \(UInt64(leastRoom).byteWords) free, which a photo may need: "
          + "free some, or choose another place")
    }
  }

  /// Calls `write` with the path for a file, and with whether it may replace another.
  /// - Parameter name: The file's name where the pattern is only a folder. If it exists, the new
  ///   one gets a number: "…-2.jpg".
  /// - Returns: The path.
  func write(
    _ facts: OutputName.Facts,
    name: String,
    _ write: (_ path: String, _ overwrites: Bool) async throws -> Void
  ) async throws -> String {
    var attempt = 1
    while true {
      let path = named(
        self.path(facts, name: attempt == 1 ? name : Self.numbered(name, attempt)))
      do {
        try await write(path, overwrites)
        return path
      } catch let error as CameraBusError where error.code == .fileExists {
        guard case .folder = form else { throw error }
        attempt += 1
      }
    }
  }

  private func path(_ facts: OutputName.Facts, name: String) -> String {
    switch form {
    case .file(let path), .stream(let path): return path
    case .folder(let path): return path + "/" + name
    case .name(let pattern, _): return pattern.path(facts)
    case .standardOutput: return "/dev/stdout"
    }
  }

  /// The path that a file really has where the pattern gives it this one.
  private func named(_ path: String) -> String {
    guard proxies == .beside else { return path }
    return "\(path.withoutExtension)-proxy.\(MediaType.jpeg.fileExtension)"
  }

  private static func numbered(_ name: String, _ number: Int) -> String {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }

  private static func form(_ text: String) throws -> Form {
    if isStandardOutput(text) { return .standardOutput }
    if let name = try OutputName(text) { return .name(name, text: text) }
    if text.hasSuffix("/") || Folder.exists(text) {
      return .folder(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
    }
    return (try? FilePlace(text))?.isStream == true ? .stream(text) : .file(text)
  }
}

extension String {
  /// This path without its extension. A dot at the beginning of a name begins none.
  var withoutExtension: Substring {
    let start = lastIndex(of: "/").map { index(after: $0) } ?? startIndex
    guard let dot = self[start...].lastIndex(of: "."), dot > start else { return self[...] }
    return self[..<dot]
  }
}
