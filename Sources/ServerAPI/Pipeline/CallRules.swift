/// The rules of one call: its own where it has some, else those of the server.
struct CallRules: Hashable, Sendable {
  let content: ContentPolicy
  let retry: RetryPolicy
  let redirects: RedirectPolicy
  var cache: CacheMode
  let takesAnyStatus: Bool
  /// Whether the call goes without anything that says who is asking.
  let isForeign: Bool

  init(_ call: Call, _ configuration: Server.Configuration) {
    content = call.content ?? configuration.content
    retry = call.retry ?? configuration.retry
    redirects = call.redirects ?? configuration.redirects
    cache = call.cache ?? configuration.cacheMode
    takesAnyStatus = call.takesAnyStatus
    isForeign = call.isForeign
  }
}
