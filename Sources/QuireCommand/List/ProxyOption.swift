internal import Foundation
internal import Quire

extension CurlTransport.Proxy {
  /// Reads the value of `--proxy`. Errors don't repeat it, since it can have a password.
  init(option text: String) throws(UsageError) {
    if text == "none" {
      self = .none
      return
    }
    if text.isEmpty { throw Self.defect("it is empty") }
    let whole = text.contains("://") ? text : "http://" + text
    let scheme = whole.prefix { $0 != ":" }.lowercased()
    var rest = whole.dropFirst(scheme.count + "://".count)
    guard ["http", "socks5", "socks5h"].contains(scheme) else {
      throw Self.defect("only http, socks5 and socks5h are known")
    }
    var (user, password) = (String?.none, String?.none)
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = try Self.decoded(parts[0])
      if parts.count > 1 { password = try Self.decoded(parts[1]) }
      if parts[0].isEmpty { throw Self.defect("USER is missing") }
      rest = rest[rest.index(after: at)...]
    }
    let address = "\(scheme)://\(try Self.place(rest))"
    self =
      scheme == "http"
      ? .http(address, user: user, password: password)
      : .socks5(address, user: user, password: password)
  }

  /// Checks `HOST:PORT`. The port is required: libcurl's default of 1080 surprises most users.
  private static func place(_ text: Substring) throws(UsageError) -> String {
    let text = text.last == "/" ? text.dropLast() : text
    if text.contains(where: { "/?#".contains($0) }) { throw defect("nothing stands behind PORT") }
    let colon = text.hasSuffix("]") ? nil : text.lastIndex(of: ":")
    let host = text[..<(colon ?? text.endIndex)]
    if host.isEmpty { throw defect("HOST is missing") }
    guard let colon else { throw defect("PORT is missing") }
    guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      throw defect("PORT is a number from 1 to 65535")
    }
    do throws(RequestError) {
      return "\(try WebURL("http://\(host):\(port)/").host):\(port)"
    } catch {
      throw defect("HOST can't be read")
    }
  }

  private static func decoded(_ text: Substring) throws(UsageError) -> String {
    guard let plain = text.removingPercentEncoding else {
      throw defect("USER and PASSWORD are percent-encoded")
    }
    if plain.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw defect("USER and PASSWORD have no control characters")
    }
    return plain
  }

  private static func defect(_ reason: String) -> UsageError {
    UsageError(
      "--proxy can't be read: \(reason);"
        + " write none or [http://|socks5://|socks5h://][USER:PASSWORD@]HOST:PORT")
  }
}
