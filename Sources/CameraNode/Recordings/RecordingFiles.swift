import MediaLibrary
import OperatingSystem

/// The files of a recording, of which one is made ahead, because making one waits for the library.
final class RecordingFiles: Sendable {
  private struct State {
    var ready: [AssetDraft]
    var begun: [AssetDraft] = []
  }

  private let state: Mutex<State>

  init(first: AssetDraft) {
    state = Mutex(State(ready: [first]))
  }

  /// The path of the next file; nil if none is ready. Can be called on any thread.
  func take() -> String? {
    state.withLock { state in
      guard !state.ready.isEmpty else { return nil }
      let file = state.ready.removeFirst()
      state.begun.append(file)
      return file.path
    }
  }

  var hasReady: Bool { state.withLock { !$0.ready.isEmpty } }

  func add(_ file: AssetDraft) { state.withLock { $0.ready.append(file) } }

  /// The file at a path, which is closed now.
  func close(_ path: String) -> AssetDraft? {
    state.withLock { state in
      guard let index = state.begun.firstIndex(where: { $0.path == path }) else { return nil }
      return state.begun.remove(at: index)
    }
  }

  /// The files that the recording did not need.
  func closeAll() -> [AssetDraft] {
    state.withLock { state in
      defer { state.ready = [] }
      return state.ready
    }
  }
}
