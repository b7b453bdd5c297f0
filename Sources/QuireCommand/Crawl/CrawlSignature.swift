internal import Quire
internal import Support

/// Identifies a crawl by its address and the options that decide which rows come and how they are
/// written, so that another run can go on where it stopped.
///
/// Values can be secrets. A resume file has only digests of them, and a difference is described by the
/// name of the option.
struct CrawlSignature: Sendable {
  /// An option and its values.
  struct Part: Hashable, Sendable {
    var name: String
    var values: [String]
  }

  private(set) var options: [Part]
  /// Headers and query values that say who is asking. They may change, since they expire while a crawl
  /// is stopped.
  private(set) var credentials: [Part] = []

  init(_ arguments: Arguments, _ call: Call) {
    let url = try? WebURL(call.address)
    options = [Part(name: "the address", values: [url.map { Redaction().url($0) } ?? call.address])]
    for pair in url?.query?.split(separator: "&") ?? [] where Self.isSecret(pair) {
      let name = String(pair.prefix { $0 != "=" })
      Self.add(String(pair), "'\(name)' of the address", to: &credentials)
    }
    let names =
      CrawlCommand.finding.options.map(\.name)
      + ListOptions.asking.options.filter { $0.value != nil }.map(\.name)
      + ["method", "format", "safe-csv"]
    for name in names where arguments.has(name) {
      options.append(Part(name: "--\(name)", values: arguments.all(name)))
    }
    for case .bytes(let bytes) in arguments.has("body") ? call.body?.pieces ?? [] : [] {
      Self.add(String(decoding: bytes, as: UTF8.self), "--body", to: &options)
    }
    for text in arguments.all("header") {
      let name = String(text.prefix { $0 != ":" }.withoutBlanks)
      let value = String(text.dropFirst(text.prefix { $0 != ":" }.count + 1).withoutBlanks)
      if Self.isSecret("\(name)=x") {
        Self.add(value, "--header '\(name)'", to: &credentials)
      } else {
        Self.add(value, "--header '\(name)'", to: &options)
      }
    }
  }

  /// Whether `NAME=VALUE` names a secret.
  private static func isSecret(_ pair: some StringProtocol) -> Bool {
    let bytes = Array(pair.utf8)
    return Redaction().form(bytes) != bytes
  }

  private static func add(_ value: String, _ name: String, to parts: inout [Part]) {
    if let place = parts.firstIndex(where: { $0.key == Part(name: name, values: []).key }) {
      parts[place].values.append(value)
    } else {
      parts.append(Part(name: name, values: [value]))
    }
  }
}

extension CrawlSignature.Part {
  /// The name to compare by. Names of headers are case-insensitive.
  fileprivate var key: String { name.lowercased() }

  /// Returns a digest of name and values.
  fileprivate func digest(_ salt: String) -> String {
    let text = values.map { "\($0.utf8.count):\($0)" }.joined()
    return SHA256.name(of: "\(key)\n\(text)", salt: Array(salt.utf8))
  }
}

/// The digests of a signature, as a resume file keeps them.
struct SignatureDigests: Sendable {
  /// Random, so that no table has the digest of a short password, and equal values differ between files.
  private let salt: String
  private let options: JSONObject
  private let credentials: JSONObject

  /// Makes digests with a new salt.
  init(_ signature: CrawlSignature, using generator: inout some RandomNumberGenerator) {
    let words = [generator.next(), generator.next()] as [UInt64]
    let salt = words.map { String($0, radix: 16) }.joined(separator: "-")
    self.salt = salt
    func digests(_ parts: [CrawlSignature.Part]) -> JSONObject {
      JSONObject(parts.map { ($0.name, .string($0.digest(salt))) })
    }
    (options, credentials) = (digests(signature.options), digests(signature.credentials))
  }

  /// Reads ``json``; `nil` if it is something else.
  init?(_ json: JSONAny?) {
    guard let salt = json?["salt"]?.string, let options = json?["options"]?.object,
      let credentials = json?["credentials"]?.object
    else { return nil }
    (self.salt, self.options, self.credentials) = (salt, options, credentials)
  }

  var json: JSONAny {
    .object([
      "salt": .string(salt), "options": .object(options), "credentials": .object(credentials),
    ])
  }

  /// Returns the options in which a crawl differs, in words; none if it is the same crawl.
  func differences(_ signature: CrawlSignature) -> [String] {
    differences(options, signature.options)
  }

  /// Returns the credentials in which a crawl differs, in words.
  func newCredentials(_ signature: CrawlSignature) -> [String] {
    differences(credentials, signature.credentials)
  }

  private func differences(_ known: JSONObject, _ parts: [CrawlSignature.Part]) -> [String] {
    var rest = known.map { (name: $0.name, digest: $0.value.string) }
    var texts: [String] = []
    for part in parts {
      guard let place = rest.firstIndex(where: { $0.name.lowercased() == part.key }) else {
        texts.append("\(part.name) is new")
        continue
      }
      if rest.remove(at: place).digest != part.digest(salt) { texts.append("\(part.name) differs") }
    }
    return texts + rest.map { "\($0.name) is missing" }
  }
}
