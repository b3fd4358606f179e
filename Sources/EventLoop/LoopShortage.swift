/// Why a loop could not be started.
package struct LoopShortage: Error, Sendable {
  /// What the system has none left of.
  package enum Missing: Sendable {
    case thread, descriptor
  }

  package var name: String
  package var what: Missing

  package init(name: String, what: Missing) {
    self.name = name
    self.what = what
  }

  package var message: String {
    switch what {
    case .thread:
      "the thread '\(name)' cannot be started: allow more threads and memory (ulimit -u and -v, TasksMax), "
        + "or use fewer cameras"
    case .descriptor:
      "the thread '\(name)' needs a descriptor and none is left: raise the limit of open files "
        + "(ulimit -n, LimitNOFILE), or use fewer cameras"
    }
  }
}
