extension Server {
  /// What keeps the answers; `nil` where nothing does.
  public var cache: HTTPCache? { configuration.cache }
}
