import CameraNode
import Glibc
import TestSupport
import Testing

/// Mistakes of newcomers with `camctl`. Each prints one line that says what to do, and has the
/// right exit status.
@Suite(.timeLimit(.minutes(5)))
struct CamctlMistakesTests {
  private static let epoch = String(repeating: "0", count: 32)

  @Test(arguments: [
    Mistake("statu", 64, "did you mean 'camctl status'? See camctl --help"),
    Mistake("photo", 64, "there is no 'camctl photo': see camctl --help"),
    Mistake("captrue --output a.jpg", 64, "did you mean 'camctl capture'?"),
    Mistake("session strat", 64, "did you mean 'camctl session start'? See camctl session --help"),
    Mistake("record sotp", 64, "did you mean 'camctl record stop'?"),
    Mistake("controls sett brightness=1", 64, "did you mean 'camctl controls set'?"),
    Mistake("version", 64, "did you mean 'camctl --version'? See camctl --help"),
    Mistake("-V", 64, "did you mean 'camctl --version'?"),
    Mistake("usage", 64, "did you mean 'camctl --help'?"),
    Mistake("help statu", 64, "did you mean 'camctl status'?"),
    Mistake("nodes add desk camerabus://d@h:1?node=0&key=0", 64, "run `camctl nodes add` alone"),
    Mistake("keys change robot", 64, "say what to change"),
    Mistake("keys change robot --camera a --all-cameras", 64, "contradict"),
    Mistake("keys invite robot --expires 1w", 64, "30d, 12h or 10min"),
    Mistake("keys invite robot --camera a,b c", 64, "camctl keys invite --help"),
    Mistake("keys add robot", 64, "did you mean 'camctl keys authorize'?"),
    Mistake("keys delete robot", 64, "did you mean 'camctl keys revoke'?"),
    Mistake("nodes ls", 64, "did you mean 'camctl nodes list'?"),
    Mistake("nodes find", 64, "did you mean 'camctl nodes discover'?"),
    Mistake("nodes rm front", 64, "did you mean 'camctl nodes remove'?"),
    Mistake("keys invite robot --control tcp://front", 64, "write tcp://HOST:PORT"),
    Mistake("keys invite robot --control ipc:///run/control", 64, "write tcp://HOST:PORT"),
    Mistake("keys invite robot --control tcp://0.0.0.0:1 --keys keys", 64, "every address"),
    Mistake("keys invite robot --keys keys", 64, "--control tcp://HOST:PORT"),
    Mistake("keys invite robot --library photos", 64, "--control tcp://HOST:PORT"),
    Mistake(
      "keys invite robot --node a/b --keys keys --control tcp://front:1", 64, "no name for a node"),
    Mistake("nodes add front --node-key KEY --control ipc:///run/control", 64, "tcp://HOST:PORT"),
    Mistake("configure", 64, "say what to change"),
    Mistake("configure --subject-area 2", 64, "0 to 1; 0 switches the events off"),
    Mistake("status --jsn", 64, "did you mean --json? See camctl status --help"),
    Mistake("capture --out a.jpg", 64, "there is no option --out: did you mean --output?"),
    Mistake("capture --foo", 64, "there is no option --foo: see camctl capture --help"),
    Mistake(
      "clock --node tcp://a:1 --node tcp://b:1", 64, "--node takes one value and is given twice"),
    Mistake("clock --node=tcp://a:1 --node tcp://b:1", 64, "leave one out"),
    Mistake("--node tcp://a:1 clock --node tcp://b:1", 64, "--node takes one value"),
    Mistake("status --node a --all", 64, "--node and --all name nodes in two ways"),
    Mistake("events --rig notes.txt --all", 64, "leave one out"),
    Mistake(
      "events --rig notes.txt", 64, "notes.txt:1: there are no keys: write at least 'nodes:'"),
    Mistake("events --rig nowhere", 64, "nowhere: the rig cannot be read: there is no such file"),
    Mistake("status --node tcp://a:1 --node tcp://a:1", 64, "is there twice"),
    Mistake("events --after 12", 64, "'12' is no position: write EPOCH:CAMERA/KIND=N"),
    Mistake("events --after \(Self.epoch) --history", 64, "leave one out"),
    Mistake(
      "events --after \(Self.epoch) --after \(Self.epoch)", 64,
      "of one node --after takes one position"),
    Mistake("events --after n=\(Self.epoch)", 64, "of one node --after takes one position"),
    Mistake(
      "events --node tcp://a:1 --node tcp://b:1 --after \(Self.epoch)", 64, "NODE=\(Self.epoch)"),
    Mistake(
      "events --node tcp://a:1 --node tcp://b:1 --after n=\(Self.epoch) --after n=\(Self.epoch)",
      64,
      "names a node twice"),
    Mistake(
      "events --node tcp://a:1 --node tcp://b:1 --after n=\(Self.epoch)", 64, "no node is called n"),
    Mistake("capture --camera a --camera b", 64, "--camera takes one value"),
    Mistake("capture -o a.jpg -o b.jpg", 64, "-o takes one value"),
    Mistake("capture -o a.jpg --output b.jpg", 64, "-o and --output are the same option"),
    Mistake("record --duration 1s --duration 2s", 64, "--duration takes one value"),
    Mistake("keys invite a --role viewer --role operator", 64, "--role takes one value"),
    Mistake("capture --mirror --no-mirror", 64, "contradict each other: leave one out"),
    Mistake("capture --json=yes", 64, "--json takes no value"),
    Mistake("status --camera", 64, "--camera needs a value, NAME"),
    Mistake(
      "capture --when next --tolerance 20ms", 64, "--tolerance: only the frame nearest a moment"),
    Mistake(
      "capture --flash on --tolerance 20ms", 64,
      "leave the tolerance out, or bracket, flash and size"),
    Mistake("capture --tolerance 0", 64, "200ms"),
    Mistake("status --watch --check", 64, "leave one out"),
    Mistake("capture now", 64, "see camctl capture --help"),
    Mistake("session start --quality 3", 64, "camctl session start --help"),
    Mistake("status --node 127.0.0.1", 64, "tcp://HOST:PORT"),
    Mistake("status --node tcp://127.0.0.1:70000", 64, "tcp://HOST:PORT"),
    Mistake("status --node tcp://127.0.0.1:1", 69, "camerad --camera cam=auto"),
    Mistake("status --node tcp://nosuch.invalid:26000 --timeout 1", 69, "the name nosuch.invalid"),
    Mistake("doctor --node tcp://127.0.0.1:70000", 64, "tcp://HOST:PORT"),
    Mistake("status --timeout never", 64, "5s"),
    Mistake("capture --when yesterday", 64, "past:0.2s"),
    Mistake("capture --when at:noon", 64, "2026-11-21T09:07:07.25Z"),
    Mistake("capture --when past:2days", 64, "0.2s"),
    Mistake("capture --count 0", 64, "above 0"),
    Mistake("capture --count 3 --output one.jpg", 64, "%d"),
    Mistake("capture --count 3 --when at:+1s", 64, "one moment"),
    Mistake("capture --quality 200", 64, "1 to 100, not 200: see camctl capture --help"),
    Mistake("record", 64, "--duration"),
    Mistake("record --duration 0", 64, "5s"),
    Mistake("record --duration 2 --output movie.mp4 --codec mjpeg", 64, "ask for H.264"),
    Mistake("record --duration 2 --output movie.mkv --codec h264 --bit-rate 4X", 64, "4000k or 4M"),
    Mistake("record --duration 2 --size 1KiB", 64, "at least 64 KiB"),
    Mistake("record --duration 2 --size 5", 64, "such as 2GiB"),
    Mistake("record --duration 2 --bit-rate 4M", 64, "--bit-rate: JPEGs have a quality"),
    Mistake("record --duration 2 --codec h264 --key-interval 70s", 64, "--key-interval"),
    Mistake("record --duration 2 --sound-codec opus", 64, "need --sound"),
    Mistake("record --duration 2 --sound --sound-codec mp3", 64, "aac"),
    Mistake("record --duration 2 --sound --sound-bit-rate 1k", 64, "6000 to 512000"),
    Mistake("record --duration 2 --sound=a/b", 64, "letters, digits"),
    Mistake("record --duration 2 --output -", 64, "name one"),
    Mistake("record start --quality 0", 64, "1 to 100"),
    Mistake("download", 64, "--latest"),
    Mistake("assets --limit 0", 64, "above 0"),
    Mistake("assets --since noon", 64, "2h or 7d"),
    Mistake("assets --since 1h --until 2h", 64, "before --until"),
    Mistake("assets --kind sound", 64, "'movie': see camctl assets list --help"),
    Mistake("assets --all --limit 3", 64, "leave one out"),
    Mistake("assets --name=", 64, "--name needs a value"),
    Mistake("assets --tag a,,b", 64, "an empty tag"),
    Mistake("assets tag", 64, "ASSET"),
    Mistake("assets tag 0a1b2c3d", 64, "--name, --add or --remove"),
    Mistake("assets tag 0a1b2c3d --add a --remove a", 64, "--remove: a tag is added or removed"),
    Mistake("assets verify --tag a,,b", 64, "an empty tag"),
    Mistake("assets repair --limit 3", 64, "--limit"),
    Mistake("capture --tag=", 64, "--tag needs a value"),
    Mistake("capture --name \u{7}", 64, "--name: a name is one line"),
    Mistake("record --duration 2 --tag \u{7}", 64, "--tag: a tag is 1 to 64"),
    Mistake("delete", 64, "--until"),
    Mistake("delete --kind photo", 64, "--until"),
    Mistake("delete 0a1b2c3d --missing", 64, "--missing"),
    Mistake("protect", 64, "ASSET"),
    Mistake("download --latest --all", 64, "one of --latest"),
    Mistake("download --all --output -", 64, "name a folder"),
    Mistake("download --since noon", 64, "2h or 7d"),
    Mistake("watch --stream huge", 64, "320x240"),
    Mistake("watch --count many", 64, "whole number"),
    Mistake("configure --format 1280", 64, "1280x720@30"),
    Mistake("controls set", 64, "NAME=VALUE"),
    Mistake("controls set --ramp 1 --stop-ramp", 64, "give zoom=FACTOR"),
    Mistake("completion tcsh", 64, "bash"),
    Mistake("help nosuch", 64, "there is no 'camctl nosuch'"),
    Mistake("status extra", 64, "camctl status --help"),
    Mistake("status --camera=", 64, "camctl status --help"),
    Mistake("status --node", 64, "camctl status --help"),
    Mistake("status --node http://localhost", 64, "tcp://HOST:PORT"),
    Mistake("status --node ipc:///nowhere/control --timeout 1", 69, "is camerad running"),
    Mistake("capture --timeout -1", 64, "5s"),
    Mistake("capture --count -2", 64, "above 0"),
    Mistake("capture --count 100000000000000000000", 64, "at most 1000000000"),
    Mistake("capture --count 1.5", 64, "whole number"),
    Mistake("capture --quality -1", 64, "1 to 100, not -1"),
    Mistake("capture --when past:-1s", 64, "0.2s"),
    Mistake("capture --when at:2026-13-45T99:00:00Z", 64, "2026-11-21T09:07:07.25Z"),
    Mistake("capture --output", 64, "camctl capture --help"),
    Mistake("capture --output=", 64, "camctl capture --help"),
    Mistake("capture --output photo.png", 64, "name it photo.jpg"),
    Mistake("capture --output notes.txt", 1, "replace it with --overwrite"),
    Mistake("capture --output notes.txt/photo.jpg", 1, "is no folder"),
    Mistake("capture --output nowhere/", 1, "make it first"),
    Mistake("capture --deferred --format heic --output a.heic", 64, "a.jpg, or add --wait"),
    Mistake("capture --deferred --wait --output photo.png", 64, "name it photo.jpg"),
    Mistake("capture --deferred --wait --output -", 64, "name one, or a folder"),
    Mistake("capture --deferred --transient", 64, "keep it, or leave `deferred` out"),
    Mistake("capture --wait", 64, "give --deferred too"),
    Mistake("download --latest --wait", 64, "give --request too"),
    Mistake("assets --deferral soon", 64, "camctl assets list --help"),
    Mistake("delete 0a1b2c3d --deferral done", 64, "--deferral"),
    Mistake("record --duration -5", 64, "5s"),
    Mistake("record --duration 2 --output movie.webm", 64, "name it movie.mkv"),
    Mistake("record --duration 2 --output notes.txt", 1, "replace it with --overwrite"),
    Mistake("record stop --output -", 64, "name one"),
    Mistake("record stop --output nowhere/movie.mkv", 1, "make it first"),
    Mistake("watch --count -1", 64, "above 0"),
    Mistake("watch --stream 0x0", 64, "16 to 8192"),
    Mistake("events --count 0", 64, "above 0"),
    Mistake("controls set brightness 100", 64, "write brightness=100"),
    Mistake("controls set brightness=1 contrast=1 brightness=2", 64, "'brightness' is there twice"),
    Mistake("controls set =5", 64, "write NAME=VALUE"),
    Mistake("frames notes.txt", 1, "is no Matroska file and no MP4: name a movie"),
    Mistake("frames nowhere.mkv", 1, "name another file"),
    Mistake("frames older", 1, "name another file"),
    Mistake("frames /dev/zero", 1, "is no Matroska file"),
    Mistake("controls save notes.txt", 1, "replace it with --overwrite"),
    Mistake("controls save nowhere/saved", 1, "make it first"),
    Mistake("controls save older", 1, "name a file in it"),
    Mistake("controls load notes.txt", 1, "line 1 of notes.txt sets no control"),
    Mistake("controls load nowhere", 1, "name another file"),
    Mistake("controls load older", 1, "name another file"),
    Mistake("controls load /dev/zero", 1, "name a file that camctl controls save has made"),
    Mistake("controls load -", 1, "- sets no controls"),
    Mistake("status --camera a/b", 1, "1 to 32 letters"),
    Mistake("record --duration 2 --output /dev/stdout", 64, "name one"),
  ])
  func `A mistake that shows without a node`(mistake: Mistake) async throws {
    let folder = try Self.guardedFolder()
    let contents = try FolderContents(folder.path)
    let arguments = mistake.arguments.split(separator: " ").map(String.init)
    let outcome = try await Program(name: "camctl").run(arguments, in: folder.path)
    outcome.expectOneLine(of: "camctl", status: mistake.status, remedy: mistake.remedy)
    #expect(try FolderContents(folder.path) == contents)
  }

  /// A folder of things that no mistake may change.
  private static func guardedFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "notes.txt")
    try folder.write("half a photo", to: "photo.jpg.camerabus.part")
    try folder.write("mine", to: "older/photo.jpg")
    try folder.link("latest.jpg", to: "older/photo.jpg")
    return folder
  }

  @Test func `An empty value of an option is a mistake`() async throws {
    let camera = try await Program(name: "camctl").run(["status", "--camera", ""])
    camera.expectOneLine(of: "camctl", status: 64, remedy: "name a camera, or leave it out")
    let output = try await Program(name: "camctl").run(["capture", "--output", ""])
    output.expectOneLine(of: "camctl", status: 64, remedy: "name a file, a folder or -")
  }

  @Test func `A mistake that shows only with a node`() async throws {
    try await withNode { node, _ in
      let folder = try Self.guardedFolder()
      let contents = try FolderContents(folder.path)
      _ = try await camctl(node.control, "session", "stop", "--camera", "right")
      for mistake in [
        Mistake("capture", 64, "choose one of left, right with --camera"),
        Mistake("capture --camera front", 1, "left, right"),
        Mistake("capture --camera left --output /nowhere/a.jpg", 1, "make it first"),
        Mistake("capture --camera left --when at:2099-01-01T00:00:00Z", 1, "--timeout"),
        Mistake("doctor --camera front", 1, "left, right"),
        Mistake("capture --camera left --when past:59min", 1, "later moment"),
        Mistake("capture --camera right", 1, "camctl session start --camera right"),
        Mistake("record start --camera right", 1, "camctl session start --camera right"),
        Mistake("watch --camera right", 1, "camctl session start --camera right"),
        Mistake("watch --camera front", 1, "left, right"),
        Mistake("controls get --camera left brightnes", 1, "brightnes"),
        Mistake("controls set --camera left brightness", 64, "brightness=VALUE"),
        Mistake("controls set --camera left brightness=bright", 64, "from 0 to 255"),
        Mistake("controls set --camera left brightness=900", 1, "0 to 255"),
        Mistake("controls set --camera left test_pattern=Fog", 64, "Grey Ramp"),
        Mistake("record stop --camera left", 1, "start"),
        Mistake("record stop --camera left --recording 12", 64, "32 hexadecimal digits"),
        Mistake(
          "record stop --camera left --recording 00000000000000000000000000000000", 1, "no longer"),
        Mistake("configure --camera left --format 321x240", 1, "321x240"),
        Mistake("configure --camera left --format format=ABCD", 1, "MJPG, YUYV"),
        Mistake("download 00000000000000000000000000000000", 1, "camctl assets"),
        Mistake("download photo.jpg", 64, "camctl assets"),
        Mistake("delete 00000000", 1, "camctl assets"),
        Mistake("protect 012", 64, "camctl assets"),
        Mistake("assets --camera front", 1, "left, right"),
        Mistake("events --camera front", 1, "left, right"),
      ] {
        let arguments = mistake.arguments.split(separator: " ").map(String.init)
        let outcome = try await Program(name: "camctl").run(
          arguments, environment: ["CAMERABUS_NODE": node.control], in: folder.path)
        outcome.expectOneLine(of: "camctl", status: mistake.status, remedy: mistake.remedy)
      }
      #expect(try FolderContents(folder.path) == contents)
    }
  }

  @Test func `The frames and events endpoints are refused as control endpoints`() async throws {
    try await withNode { node, _ in
      for endpoint in [node.frames, node.events] {
        let outcome = try await camctl(endpoint, "status")
        outcome.expectOneLine(of: "camctl", status: 69, remedy: "control=")
      }
    }
  }

  @Test func `Requests to an unplugged camera name the cause and may be tried again`() async throws
  {
    try await withNode { node, _ in
      _ = try await camctl(node.control, "controls", "set", "--camera", "left", "disconnect=true")
      for arguments in [["capture"], ["record", "start"], ["session", "start"]] {
        let outcome = try await Program(name: "camctl").run(
          arguments + ["--camera", "left"], environment: ["CAMERABUS_NODE": node.control])
        outcome.expectOneLine(of: "camctl", status: 75, remedy: "is unplugged")
      }
    }
  }

  @Test func `A format of which no JPEG can be made is refused where one is needed`() async throws {
    try await withNode { node, _ in
      _ = try await camctl(
        node.control, "configure", "--camera", "left", "--format", "format=RGBP")
      for arguments in [["capture"], ["record", "start"], ["watch"]] {
        let outcome = try await Program(name: "camctl").run(
          arguments + ["--camera", "left"], environment: ["CAMERABUS_NODE": node.control])
        outcome.expectOneLine(of: "camctl", status: 1, remedy: "raw")
      }
      let raw = try await camctl(
        node.control, "watch", "--camera", "left", "--stream", "raw", "--count", "2")
      #expect(raw.status == 0)
    }
  }

  @Test func `A format that would end a movie needs a word`() async throws {
    try await withNode { node, _ in
      _ = try await camctl(node.control, "record", "start", "--camera", "left")
      let change = ["configure", "--camera", "left", "--format", "640x480"]
      let environment = ["CAMERABUS_NODE": node.control]
      let refused = try await Program(name: "camctl").run(change, environment: environment)
      refused.expectOneLine(of: "camctl", status: 1, remedy: "--end-recording")
      let changed = try await Program(name: "camctl").run(
        change + ["--end-recording"], environment: environment)
      #expect(changed.status == 0)
      #expect(changed.output.contains("640x480"))
    }
  }

  @Test func `A node that is frozen is not called a stranger`() async throws {
    let folder = try TemporaryFolder()
    let node = try Program(name: "camerad").start([
      "--camera", "cam=synthetic:320x240@10", "--library", "\(folder.path)/library",
      "--control", "ipc://\(folder.path)/control", "--events", "ipc://\(folder.path)/events",
      "--frames", "ipc://\(folder.path)/frames",
    ])
    try node.waitForOutput()
    try #require(kill(node.processID, SIGSTOP) == 0)
    let outcome = try await camctl("ipc://\(folder.path)/control", "status", "--timeout", "1")
    outcome.expectOneLine(of: "camctl", status: 69, remedy: "kill -CONT continues it")
    kill(node.processID, SIGCONT)
    node.interrupt()
    #expect(try await node.outcome().status == 0)
  }

  @Test func `With --json an error is an object`() async throws {
    let outcome = try await Program(name: "camctl").run([
      "status", "--json", "--node", "tcp://127.0.0.1:1",
    ])
    let report = try outcome.errors.decoded(as: ErrorReport.self)
    #expect(report.error.code == "unreachable")
    #expect(report.error.isRetryable)
    #expect(report.error.message.contains("camerad"))
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
    let mixed = try await Program(name: "camctl").run(["capture", "--json", "--output", "-"])
    #expect(try mixed.errors.decoded(as: ErrorReport.self).error.code == "usage")
    #expect(mixed.status == 64)
    let misspelt = try await Program(name: "camctl").run(["captrue", "--json"])
    #expect(try misspelt.errors.decoded(as: ErrorReport.self).error.message.contains("capture"))
  }

  private struct ErrorReport: Decodable {
    struct Contents: Decodable {
      var code: String
      var message: String
      var isRetryable: Bool
    }
    var error: Contents
  }
}
