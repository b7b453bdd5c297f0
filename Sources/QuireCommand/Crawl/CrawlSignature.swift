internal import Quire
internal import Support

/// Identifies a crawl by its address and the options that decide which rows it reads and how it writes
/// them, so that another run can continue where it stopped.
///
/// Values can be secrets, so a resume file has only their digests, and a difference is described by the name
/// of the option.
struct CrawlSignature: Sendable {
  /// An option and its values.
  struct Part: Hashable, Sendable {
    var name: String
    var values: [String]
  }

  private(set) var options: [Part]
  /// Headers and query values that authenticate the user. They may change, since they can expire while a
  /// crawl is stopped.
  private(set) var credentials: [Part] = []

  init(_ arguments: Arguments, _ call: Call) {
    let url = try? WebURL(call.address)
    options = [Part(name: "the address", values: [url.map { Redaction().url($0) } ?? call.address])]
    for pair in url?.query?.split(separator: "&") ?? [] where Self.isSecret(pair) {
      let name = String(pair.prefix { $0 != "=" })
      Self.add(String(pair), "'\(name)' of the address", to: &credentials)
    }
    let names =
      CrawlCommand.rows.options.map(\.name)
      + ListOptions.paging.options.filter(\.takesValue).map(\.name)
      + ["method", "format", "safe-csv", "version-at"]
    for name in names where arguments.has(name) {
      options.append(Part(name: "--\(name)", values: arguments.all(name)))
    }
    for case .bytes(let bytes) in arguments.has("body") ? call.body?.pieces ?? [] : [] {
      Self.add(String(decoding: bytes, as: UTF8.self), "--body", to: &options)
    }
    // An error of a file was already reported.
    for text in (try? ListOptions.headers(arguments)) ?? [] {
      let name = String(text.prefix { $0 != ":" }.withoutBlanks)
      let value = String(text.dropFirst(text.prefix { $0 != ":" }.count + 1).withoutBlanks)
      add(value, "--header", name)
    }
    for field in (try? ListOptions.formFields(arguments)) ?? [] {
      add(field.value, "--form", field.name)
    }
  }

  /// Adds a header or a field, which may be a credential.
  private mutating func add(_ value: String, _ option: String, _ name: String) {
    if Self.isSecret("\(name)=x") {
      Self.add(value, "\(option) '\(name)'", to: &credentials)
    } else {
      Self.add(value, "\(option) '\(name)'", to: &options)
    }
  }

  /// Whether the name in `NAME=VALUE` is that of a secret.
  private static func isSecret(_ pair: some StringProtocol) -> Bool {
    let bytes = Array(pair.utf8)
    return Redaction().form(bytes) != bytes
  }

  private static func add(_ value: String, _ name: String, to parts: inout [Part]) {
    if let index = parts.firstIndex(where: { $0.key == Part(name: name, values: []).key }) {
      parts[index].values.append(value)
    } else {
      parts.append(Part(name: name, values: [value]))
    }
  }
}

extension CrawlSignature.Part {
  /// The name for comparisons. Header names are case-insensitive.
  fileprivate var key: String { name.lowercased() }

  /// Returns a digest of the name and the values.
  fileprivate func digest(_ salt: String) -> String {
    let text = values.map { "\($0.utf8.count):\($0)" }.joined()
    return SHA256.name(of: "\(key)\n\(text)", salt: Array(salt.utf8))
  }
}

/// The digests of a signature in a resume file.
struct SignatureDigests: Sendable {
  /// Random, so that no precomputed table contains the digest of a short password, and equal values have
  /// different digests in different files.
  private let salt: String
  private let options: JSONAny.Object
  private let credentials: JSONAny.Object

  /// Creates digests with a new salt.
  init(_ signature: CrawlSignature, using generator: inout some RandomNumberGenerator) {
    let words = [generator.next(), generator.next()] as [UInt64]
    let salt = words.map { String($0, radix: 16) }.joined(separator: "-")
    self.salt = salt
    func digests(_ parts: [CrawlSignature.Part]) -> JSONAny.Object {
      JSONAny.Object(parts.map { ($0.name, .string($0.digest(salt))) })
    }
    (options, credentials) = (digests(signature.options), digests(signature.credentials))
  }

  /// Creates digests from their JSON form; `nil` if it has another shape.
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

  /// Returns a description of each option that differs; empty if it is the same crawl.
  func differences(_ signature: CrawlSignature) -> [String] {
    differences(options, signature.options)
  }

  /// Returns a description of each credential that differs.
  func changedCredentials(_ signature: CrawlSignature) -> [String] {
    differences(credentials, signature.credentials)
  }

  private func differences(_ known: JSONAny.Object, _ parts: [CrawlSignature.Part]) -> [String] {
    var rest = known.map { (name: $0.name, digest: $0.value.string) }
    var texts: [String] = []
    for part in parts {
      guard let index = rest.firstIndex(where: { $0.name.lowercased() == part.key }) else {
        texts.append("\(part.name) is new")
        continue
      }
      if rest.remove(at: index).digest != part.digest(salt) { texts.append("\(part.name) differs") }
    }
    return texts + rest.map { "\($0.name) is missing" }
  }
}
