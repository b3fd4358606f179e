import ArgumentParser
import CameraClient
import CameraRig
import FoundationEssentials

/// Words that the shell asks a node for. Without an answer soon there are none, and no error.
extension CompletionKind {
  /// The names of the node's cameras.
  static var cameras: CompletionKind {
    askingNode { bus, _, _ in try await bus.cameras().map(\.name) }
  }

  /// The ids of the camera's controls.
  static var controls: CompletionKind {
    askingNode { bus, line, _ in try await line.camera(of: bus).controls().map(\.id) }
  }

  /// `NAME=VALUE` with the present value for each control that can be set; behind `NAME=` the
  /// values of a menu or a switch.
  ///
  /// The present value is there because shells put a space behind a completed word, and
  /// `NAME= VALUE` is wrong.
  static var settings: CompletionKind {
    askingNode { bus, line, prefix in
      let controls = try await line.camera(of: bus).controls()
      guard let assigned = line.assignedName(before: prefix) else {
        return controls.filter { !$0.isReadOnly }
          .map(\.assignment)
      }
      let values = controls.first { $0.id == assigned.name }?.completions ?? []
      return assigned.isSplit ? values : values.map { "\(assigned.name)=\($0)" }
    }
  }

  /// The ids of the newest assets.
  static var assets: CompletionKind {
    askingNode { bus, line, _ in
      try await bus.assets(AssetFilter(camera: line.value(of: "--camera")), limit: 50)
        .map { "\($0.id)" }
    }
  }

  /// Each way to say which frame a photo is.
  static var moments: CompletionKind {
    .custom { _, _, _ in escaped(["now", "next", "past:0.2s", "within:0.5s", "at:+0.5s"]) }
  }

  /// How long ago a moment was, for the options that also take a date.
  static var ages: CompletionKind { .list(["10min", "1h", "24h", "7d"]) }

  private static func askingNode(
    _ words:
      @escaping @Sendable (CameraBus, CompletionLine, _ prefix: String) async throws
      -> [String]
  ) -> CompletionKind {
    .custom { arguments, index, prefix in
      let line = CompletionLine(arguments, at: index)
      let answer = try? await ask(line) { bus in try await words(bus, line, prefix) }
      return escaped((answer ?? []).filter(isHarmless))
    }
  }

  /// What has no meaning of its own inside of a word, besides letters.
  private static let harmless = Set("0123456789 -_.:,=+/%@".unicodeScalars)

  /// Whether a word means the same to every shell as it looks.
  ///
  /// A node may be anybody's, and bash carries out what it finds in the words that a script offers:
  /// `$(…)`, for example.
  private static func isHarmless(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first, first != "=", first != "-" else { return false }
    return word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || harmless.contains($0)
    }
  }

  /// Zsh takes what follows a colon as the description of the word in front of it.
  private static func escaped(_ words: [String]) -> [String] {
    guard CompletionShell.requesting == .zsh else { return words }
    return words.map { $0.replacing(":", with: "\\:") }
  }

  private static func ask(
    _ line: CompletionLine, _ body: (CameraBus) async throws -> [String]
  ) async throws -> [String] {
    let patience = Duration.milliseconds(700)
    let choice = try NodeChoice(line.value(of: "--node"))
    return try await choice.withBus(
      .init(connectTimeout: patience, requestTimeout: patience), body)
  }
}

extension CompletionLine {
  fileprivate func camera(of bus: CameraBus) async throws -> Camera {
    if let name = value(of: "--camera") { return try bus.camera(name) }
    return try await bus.camera()
  }
}

extension Control {
  /// The values that can be named.
  fileprivate var completions: [String] {
    switch kind {
    case .menu, .integerMenu: menu.map(\.name)
    case .boolean: ["true", "false"]
    default: []
    }
  }
}
