import Foundation

/// A node in its own process, as users run it, with one camera, `cam`, that plays a picture.
struct Node {
  let child: Child
  let control: String
  let frames: String
  /// The folder of the node's keys; nil without keys.
  let keys: String?
  /// When the process was started.
  let started: Int64
  /// When the node printed that it is ready.
  let ready: Int64

  init(
    _ workplace: Workplace, _ picture: Picture, rate: Int, _ transport: Transport = .tcp,
    library: String? = nil, environment: [String: String] = [:]
  ) throws {
    let camera = "cam=files:\(try workplace.pictures(picture)),\(picture.options(rate: rate))"
    keys = transport == .curve ? "\(workplace.folder)/keys-\(UUID().uuidString.prefix(8))" : nil
    started = Clock.now
    child = try Child(
      workplace.camerad,
      ["--camera", camera, "--library", library ?? workplace.freshLibrary(), "--pressure", "off"]
        + ["control", "events", "frames"].flatMap { name in
          ["--\(name)", transport.endpoint(name, in: workplace.folder)]
        } + (keys.map { ["--keys", $0] } ?? []),
      environment: environment)
    let line = try child.line()
    ready = Clock.now
    func endpoint(_ name: String) throws -> String {
      guard let word = line.split(separator: " ").first(where: { $0.hasPrefix("\(name)=") }) else {
        throw Child.Failure(description: "camerad says \(line)")
      }
      return String(word.dropFirst(name.count + 1))
    }
    control = try endpoint("control")
    frames = try endpoint("frames")
  }
}
