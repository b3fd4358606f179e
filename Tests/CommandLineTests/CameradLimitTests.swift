import CameraClient
import Foundation
import TestSupport
import Testing

/// `camerad` where the system gives it little (ulimit).
@Suite(.timeLimit(.minutes(5)))
struct CameradLimitTests {
  @Test func `Hundreds of connections leave room for photos where few files may be open`()
    async throws
  {
    let folder = try TemporaryFolder()
    let control = "ipc://\(folder.path)/ipc/control"
    let node = try Program(name: "camerad").start(
      [String].oneCamera + ["--ipc", "\(folder.path)/ipc", "--library", "\(folder.path)/library"],
      script: "ulimit -n 300; exec \"$@\"")
    try node.waitForOutput()
    let peers = try (0..<400).map { _ in try RawPeer(silent: control) }
    for peer in peers.prefix(300) { await peer.waitForEnd() }
    let photo = try await Program(name: "camctl").run([
      "capture", "--node", control, "--output", "\(folder.path)/photo.jpg",
    ])
    #expect(photo.status == 0, "\(photo.errors)")
    node.interrupt()
    #expect(try await node.outcome().status == 0)
    withExtendedLifetime(peers) {}
  }

  // A sanitizer takes more than all of it for itself.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CAMERABUS_SANITIZER"] == nil))
  func `More cameras than there is memory for end in a sentence`() async throws {
    let folder = try TemporaryFolder()
    let cameras = (0..<300).flatMap { ["--camera", "c\($0)=synthetic:160x120@1"] }
    let outcome = try await Program(name: "camerad").run(
      [String].oneCamera + cameras + ["--library", "\(folder.path)/library"],
      script: "ulimit -v 4000000; exec \"$@\"")
    outcome.expectOneLine(of: "camerad", status: 1, remedy: "fewer cameras")
  }

  @Test func `A limit of file sizes ends a movie and not the node`() async throws {
    let folder = try TemporaryFolder()
    let program = try Program(name: "camerad").start(
      [String].oneCamera + ["--library", "\(folder.path)/library", "--ipc", folder.path],
      script: "ulimit -f 512; exec \"$@\"")
    try program.waitForOutput()
    try await withCameraBus("ipc://\(folder.path)/control") { bus in
      let camera = try await bus.camera()
      let movie = try await camera.startRecording().movie()
      #expect(movie.reason == .storageFailed)
      #expect(movie.frames > 0 && movie.asset.byteCount <= 512 << 10)
      _ = try await camera.capture()
    }
    program.interrupt()
    let outcome = try await program.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("the disk failed"), "\(outcome.errors)")
  }
}
