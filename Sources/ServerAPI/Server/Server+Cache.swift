extension Server {
  /// What keeps the answers; `nil` where nothing does.
  public var cache: HTTPCache? { configuration.cache }

  /// Whether nothing about a call says who is asking, as far as can be seen.
  package func isAnonymous(_ call: Call) -> Bool {
    guard configuration.authentication == nil, !configuration.keepsCookies, !core.hasInterceptors
    else { return false }
    let names = (configuration.headers.fields + call.headers.fields).map(\.name)
    let params = (configuration.params.items + call.params.items).map(\.name)
    return !names.contains { SecretNames.usual.contains($0.utf8) }
      && !params.contains { SecretNames.usual.containsParameter($0.utf8) }
  }
}
