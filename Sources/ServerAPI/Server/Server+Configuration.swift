extension Server {
  /// The settings of a server. Every property has a safe default; most programs set one or two.
  public struct Configuration: Sendable {
    /// The scheme of a base address without one.
    public var defaultScheme = "https"
    /// Header fields of every call. They go only to the origin of the base address.
    public var headers: HTTPHeaders = [:]
    /// Parameters of every call, always in the query. They go only to the origin of the base address.
    public var params: Params = [:]
    /// How arrays are encoded in a query or a form.
    public var arrayEncoding = Params.ArrayEncoding.repeated
    /// The time limits of a call.
    public var timeouts = Timeouts()
    /// The size limits of a response.
    public var limits = TransferLimits()
    /// The expected media type of responses. The default is any.
    public var content = ContentPolicy.any
    /// Detects an error of the service in a response.
    public var businessCheck: BusinessCheck?
    /// How failed exchanges are retried.
    public var retry = RetryPolicy()
    /// How redirects are followed.
    public var redirects = RedirectPolicy()
    /// The source of credentials.
    public var authentication: Authentication?
    /// Whether cookies are kept, in memory and for the origin that set them. The default is `false`.
    public var keepsCookies = false
    /// Stores and serves responses. The default is none.
    public var cache: HTTPCache?
    /// How calls use the cache by default.
    public var cacheMode = CacheMode.standard
    /// The owner of the responses in the cache, for example the name of the signed-in user. A response for
    /// one user is never served to another. Without a name, users are separated by a digest of all header
    /// fields that may identify them and of the client certificate, so that new credentials start with an
    /// empty cache.
    public var cachePartition: String?
    /// Whether equal reads in flight share one exchange. The default is `true`.
    public var sharesReads = true
    /// Called once per call, outside of retries and redirects; the first one is the outermost.
    public var interceptors: [any Interceptor] = []
    /// Called once per exchange, including every retry and redirect.
    public var networkInterceptors: [any Interceptor] = []
    /// Notified of each step of a call.
    public var monitors: [any EventMonitor] = []
    /// The memory for the bodies of responses, all calls together; `nil` for no limit but ``limits``.
    package var memory: MemoryBudget?
    /// The clocks.
    public var time = TimeSource.system
    /// Returns numbers in `0 ..< 1` for the jitter of retries.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Creates the default settings.
    package init() {}
  }
}
