extension Server {
  /// What keeps the answers; `nil` where nothing does.
  public var cache: HTTPCache? { configuration.cache }

  /// Whether nothing about a call says who is asking, as far as can be seen.
  package func isAnonymous(_ call: Call) -> Bool {
    guard configuration.authentication == nil, !configuration.keepsCookies, !core.hasInterceptors,
      transport.identity == nil, case .success(let base) = base
    else { return false }
    let names = (configuration.headers.fields + call.headers.fields).map(\.name)
    let params = (configuration.params.items + call.params.items).map(\.name)
    return !names.contains(where: FieldNames.mayIdentify)
      && !params.contains { SecretNames.usual.containsParameter($0.utf8) }
      && Redaction.usual.url(base) == base.description
      && Redaction.usual.text(call.address) == call.address
      && (call.body?.pieces ?? []).allSatisfy(Redaction.usual.hasNoSecrets)
  }
}

extension Redaction {
  /// Whether nothing in a part of a body has a name like a key. Files are not read.
  fileprivate func hasNoSecrets(_ piece: RequestBody.Piece) -> Bool {
    guard case .bytes(let bytes) = piece else { return false }
    return json(bytes) == bytes && form(bytes) == bytes
  }
}
