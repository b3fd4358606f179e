import CameraClient
import HTTPTypes

/// The page that a browser sees first: the live pictures of all cameras.
enum Page {
  static func answer(_ exchange: Exchange, _ gateway: WebGateway) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let statuses = await gateway.nodes.statuses()
    let root = gateway.root
    var (figures, problems) = ("", "")
    let cameras = statuses.reduce(0) { $0 + ((try? $1.status.get())?.cameras.count ?? 0) }
    for (node, status) in statuses {
      switch status {
      case .success(let status):
        for camera in status.cameras {
          let path = "\(node.pathComponent)/\(camera.name.pathComponent)"
          let name = (statuses.count > 1 ? "\(node) \(camera.name)" : camera.name).html
          let (snapshot, live) = ("\(root)snapshot/\(path).jpg", "\(root)stream/\(path).mjpg")
          let picture = cameras > mostLive ? snapshot : live
          figures += """
            <figure>
            <img src="\(picture)" alt="picture of \(name)">
            <figcaption>\(name): <a href="\(live)">live</a>, <a href="\(snapshot)">snapshot</a></figcaption>
            </figure>

            """
        }
      case .failure(let error):
        problems += "<p role=\"alert\">\(node.html): \(error.message.html)</p>\n"
      }
    }
    if figures.isEmpty, problems.isEmpty { problems = "<p>The node has no camera.</p>\n" }
    return html("<main>\n\(figures)</main>\n\(problems)", root: root)
  }

  /// Browsers have six connections to a server, and each live picture takes one. With more cameras
  /// the page shows snapshots.
  private static let mostLive = 4

  /// - Parameter root: The path of the gateway's first page.
  static func html(
    _ body: String, root: String, status: HTTPResponse.Status = .ok
  ) -> Answer {
    var answer = Answer(
      status: status, type: "text/html; charset=utf-8",
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>CameraBus</title>
      <link rel="stylesheet" href="\(root)page.css">
      \(body)
      </html>

      """)
    answer.headers[.contentSecurityPolicy] =
      "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; "
      + "frame-ancestors 'none'"
    return answer
  }

  static let style: Answer = {
    var answer = Answer(
      type: "text/css",
      """
      :root { color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif; }
      body { margin: 1rem; }
      main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
      figure { margin: 0; }
      img { background: #8884; border-radius: .25rem; display: block; min-height: 8rem; width: 100%; }
      figcaption { padding: .25rem 0; }
      form { display: grid; gap: .5rem; margin: 20vh auto; max-width: 20rem; }
      input, button { font: inherit; padding: .5rem; }

      """)
    answer.headers[.cacheControl] = "max-age=3600"
    return answer
  }()
}

extension WebGateway {
  /// The path of the gateway's first page, with a slash at its end.
  var root: String {
    configuration.prefix.reduce("/") { "\($0)\($1.pathComponent)/" }
  }
}

extension String {
  /// The text in HTML.
  var html: String {
    reduce(into: "") { text, letter in
      switch letter {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.append(letter)
      }
    }
  }

  /// The text as a part of a path.
  var pathComponent: String {
    utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.unicodeScalars.append(UnicodeScalar(byte))
      case let byte where "-._~:@".utf8.contains(byte):
        text.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + String(repeating: "0", count: 2 - digits.count) + digits
      }
    }
  }
}
