extension Server {
  /// The rules of a server. Every property has a safe default; most programs set one or two.
  public struct Configuration: Sendable {
    /// The scheme of a base address that has none.
    public var defaultScheme = "https"
    /// Fields of every call. They go to the origin of the base address only.
    public var headers: HTTPHeaders = [:]
    /// Parameters of every call. They go to the origin of the base address only.
    public var params: Params = [:]
    /// How a list stands in a query.
    public var arrayEncoding = QueryArrayEncoding.repeated
    /// How much time a call may take.
    public var timeouts = Timeouts()
    /// How large an answer may be.
    public var limits = TransferLimits()
    /// Which media type an answer must have. The default takes any.
    public var content = ContentPolicy.any
    /// Finds an error of the service inside a successful answer.
    public var businessCheck: BusinessCheck?
    /// Whether and how to try again.
    public var retry = RetryPolicy()
    /// How redirects are followed.
    public var redirects = RedirectPolicy()
    /// Where credentials come from.
    public var authentication: Authentication?
    /// Whether cookies are kept, in memory and for the origin that set them. The default is no.
    public var keepsCookies = false
    /// Keeps answers and gives them out again. The default is none.
    public var cache: HTTPCache?
    /// How calls use the cache when they don't say so themselves.
    public var cacheMode = CacheMode.standard
    /// Whose answers are in the cache: the name of the user who is signed in, for example. What one user
    /// was sent is never shown to another. Without a name, users are separated by a digest of all headers
    /// that may say who is asking, and of the client certificate, so that new credentials begin with
    /// nothing stored.
    public var cachePartition: String?
    /// Whether equal reads that are under way at once share one exchange. The default is yes.
    public var sharesReads = true
    /// Asked once for each call, outside of retries and redirects; the first one is outermost.
    public var interceptors: [any Interceptor] = []
    /// Asked for each exchange: every retry and every redirect passes them.
    public var networkInterceptors: [any Interceptor] = []
    /// Told of each step.
    public var monitors: [any EventMonitor] = []
    /// Where time comes from.
    public var time = TimeSource.system
    /// Numbers in `0 ..< 1` for the jitter of retries.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The defaults.
    public init() {}
  }
}
