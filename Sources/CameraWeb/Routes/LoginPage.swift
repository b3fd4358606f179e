import HTTPTypes
import NIOCore

/// Where a browser gets its cookie: a form for a token.
enum LoginPage {
  static func answer(_ exchange: Exchange, _ gateway: WebGateway) throws(HTTPFailure) -> Answer {
    try exchange.target.requireQuery(of: [])
    guard gateway.access.needsTokens else { return .redirection(to: gateway.root) }
    guard exchange.head.method == .post else { return form(gateway) }
    let token = try token(of: String(buffer: exchange.body))
    guard gateway.access.role(ofToken: token) != nil else {
      return form(gateway, .unauthorized, "There is no such token.")
    }
    // A proxy with TLS before the gateway says so. The cookie is then for TLS only.
    let isSecure = exchange.head.headerFields[.unchecked("X-Forwarded-Proto")] == "https"
    let cookie =
      "\(AccessRules.cookie)=\(token); Path=\(gateway.root); HttpOnly; SameSite=Strict; Max-Age=31536000"
    return .redirection(
      to: gateway.root, headers: [.setCookie: cookie + (isSecure ? "; Secure" : "")])
  }

  /// The token in the body of the form.
  private static func token(of form: String) throws(HTTPFailure) -> String {
    let target = try RequestTarget("/?\(form.replacing("+", with: "%20"))")
    let words = (target.query["token"] ?? "").split(separator: " ")
    return words.count == 1 ? String(words[0]) : ""
  }

  private static func form(
    _ gateway: WebGateway, _ status: HTTPResponse.Status = .ok, _ problem: String? = nil
  ) -> Answer {
    let alert = problem.map { "<p role=\"alert\">\($0.html)</p>\n" } ?? ""
    return Page.html(
      """
      <form method="post" action="\(gateway.root)login">
      \(alert)<label for="token">Token</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
      <button>Open</button>
      </form>
      """, root: gateway.root, status: status)
  }
}
