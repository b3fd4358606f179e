import HTTPTypes
import OperatingSystem

/// Who may ask for what. Pure.
///
/// The browser of a user on this machine reaches the gateway for any page of the internet. What
/// such a page could make it do is refused here: requests from other sites, and names of other
/// sites that lead to this machine (DNS rebinding).
struct AccessRules: Sendable {
  /// The cookie that holds the token of a browser.
  static let cookie = "camweb"

  private let tokens: TokenFile?
  /// Names of the gateway beside addresses and localhost, in lower case.
  private let hosts: Set<String>

  /// - Parameters:
  ///   - tokens: Those that let visitors in; nil lets everybody do everything.
  ///   - hosts: Other names of the gateway, such as those of a proxy.
  init(tokens: TokenFile?, hosts: [String]) {
    self.tokens = tokens
    self.hosts = Set(hosts.map { $0.lowercased() })
  }

  var needsTokens: Bool { tokens != nil }

  /// - Throws: `hostNotAllowed`, `crossSite`.
  func requireOwnSite(_ head: HTTPRequest) throws(HTTPFailure) {
    // A browser sends another site's name only while that leads here, and then no cookie of ours.
    if tokens == nil { try requireKnownHost(head) }
    let site = head.headerFields[.secFetchSite] ?? "none"
    let isReading = head.method == .get || head.method == .head
    // A link on another site may lead to a page here. Its pictures may not be shown there.
    let isLink = isReading && head.headerFields[.secFetchMode] == "navigate"
    guard site == "same-origin" || site == "none" || isLink else { throw .crossSite }
    guard !isReading, let origin = head.headerFields[.origin] else { return }
    guard let authority = head.authority,
      origin.split(separator: "/").last.map(String.init) == authority
    else { throw .crossSite }
  }

  private func requireKnownHost(_ head: HTTPRequest) throws(HTTPFailure) {
    let name = Self.host(of: head.authority ?? "").lowercased()
    let isAddress = IPv6Address(name) != nil || Self.isIPv4(name)
    guard isAddress || name == "localhost" || hosts.contains(name) else {
      throw HTTPFailure(
        .misdirectedRequest, "hostNotAllowed",
        "the gateway is not known by the name in the Host header: start camweb with --host NAME if it should be"
      )
    }
  }

  /// What the visitor may do.
  /// - Throws: `tokenRequired`.
  func role(of head: HTTPRequest) throws(HTTPFailure) -> WebRole {
    guard let tokens else { return .operator }
    guard let token = Self.token(of: head) else { throw .tokenRequired }
    guard let role = tokens.role(of: token) else { throw .wrongToken }
    return role
  }

  /// What a token allows; nil if there is no such token.
  func role(ofToken token: String) -> WebRole? { tokens?.role(of: token) }

  private static func token(of head: HTTPRequest) -> String? {
    if let text = head.headerFields[.authorization] {
      let words = text.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bearer" else { return "" }
      return String(words[1])
    }
    let cookies = (head.headerFields[.cookie] ?? "").split(separator: ";")
    let prefix = "\(cookie)="
    return cookies.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  /// "[::1]:8080" is "::1".
  private static func host(of authority: String) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count <= 3 && part.allSatisfy { ("0"..."9").contains($0) }
          && (Int(part) ?? 256) < 256
      }
  }
}

extension HTTPFailure {
  static let crossSite = HTTPFailure(
    .forbidden, "crossSite", "another site has sent this request: open the gateway's own page")

  static let tokenRequired = HTTPFailure(
    .unauthorized, "tokenRequired",
    "send a token as Authorization: Bearer TOKEN, or open /login in the browser",
    headers: [.wwwAuthenticate: "Bearer realm=\"camweb\""])

  static let wrongToken = HTTPFailure(
    .unauthorized, "wrongToken",
    "the token is none of the gateway's: ask its operator for another",
    headers: [.wwwAuthenticate: "Bearer realm=\"camweb\", error=\"invalid_token\""])

  static let operatorRequired = HTTPFailure(
    .forbidden, "operatorRequired",
    "the token is a viewer's, and this needs an operator's: ask the gateway's operator for one")
}

extension HTTPField.Name {
  static let secFetchSite = unchecked("Sec-Fetch-Site")
  static let secFetchMode = unchecked("Sec-Fetch-Mode")

  /// A name that is a token of RFC 9110.
  static func unchecked(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header") }
    return name
  }
}
