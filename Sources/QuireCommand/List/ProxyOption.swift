#if LIBCURL
  internal import Quire

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  extension CurlTransport.Proxy {
    /// Parses the value of `--proxy`. Errors don't repeat it, since it can contain a password.
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
        throw Self.defect("only http, socks5 and socks5h are supported")
      }
      var (user, password) = (String?.none, String?.none)
      if let at = rest.lastIndex(of: "@") {
        let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = try Self.decoded(parts[0])
        if parts.count > 1 { password = try Self.decoded(parts[1]) }
        if parts[0].isEmpty { throw Self.defect("USER is missing") }
        rest = rest[rest.index(after: at)...]
      }
      let address = "\(scheme)://\(try Self.hostAndPort(rest))"
      self =
        scheme == "http"
        ? .http(address, user: user, password: password)
        : .socks5(address, user: user, password: password)
    }

    /// Parses `HOST:PORT`. The port is required: libcurl's default of 1080 surprises most users.
    private static func hostAndPort(_ text: Substring) throws(UsageError) -> String {
      let text = text.last == "/" ? text.dropLast() : text
      if text.contains(where: { "/?#".contains($0) }) { throw defect("nothing can follow PORT") }
      let colon = text.hasSuffix("]") ? nil : text.lastIndex(of: ":")
      let host = text[..<(colon ?? text.endIndex)]
      if host.isEmpty { throw defect("HOST is missing") }
      guard let colon else { throw defect("PORT is missing") }
      guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
        throw defect("PORT must be a number from 1 to 65535")
      }
      do throws(RequestError) {
        return "\(try WebURL("http://\(host):\(port)/").host):\(port)"
      } catch {
        throw defect("HOST is invalid")
      }
    }

    private static func decoded(_ text: Substring) throws(UsageError) -> String {
      guard let plain = percentDecoded(text) else {
        throw defect("USER and PASSWORD must be percent-encoded")
      }
      if plain.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        throw defect("USER and PASSWORD can't contain control characters")
      }
      return plain
    }

    /// Returns `nil` for a percent sign without two hexadecimal digits and for bytes that aren't UTF-8.
    private static func percentDecoded(_ text: Substring) -> String? {
      var bytes: [UInt8] = []
      var rest = text.utf8
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        let digits = rest.prefix(2)
        guard digits.count == 2, !digits.contains(UInt8(ascii: "+")),
          let value = UInt8(Substring(digits), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
      return String(validating: bytes, as: UTF8.self)
    }

    private static func defect(_ reason: String) -> UsageError {
      UsageError(
        "invalid --proxy: \(reason);"
          + " use none or [http://|socks5://|socks5h://][USER:PASSWORD@]HOST:PORT")
    }
  }
#endif
