import ArgumentParser

/// Prints completion scripts for shells.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints a completion script.",
    discussion: """
      It completes verbs and options, and with a node's answers cameras, controls and assets too. \
      `Deploy/install` installs it for everybody; here is how to have it for yourself:

        camctl completion bash > ~/.local/share/bash-completion/completions/camctl
        camctl completion zsh > ~/.zfunc/_camctl      # a folder of your fpath
        camctl completion fish > ~/.config/fish/completions/camctl.fish
      """
  )

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "SHELL")) var shell: Shell

  func run() {
    let shell: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    StandardOutput.write(painted: Camctl.completionScript(for: shell))
  }
}
