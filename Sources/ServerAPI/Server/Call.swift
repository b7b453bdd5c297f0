/// Everything that makes one call different from another: a plain value that can be kept, changed
/// and sent again.
///
/// ```swift
/// var call = Call("/books", params: ["page": 2])
/// call.headers["Accept-Language"] = "en"
/// let response = try await server.send(call)
/// ```
///
/// Where a call leaves something open (`nil`), the ``Server`` decides.
public struct Call: Sendable {
  /// The verb.
  public var method: HTTPMethod
  /// The address, relative to the base of the server or absolute.
  public var address: String
  /// The parameters, added to those of the server; the same name replaces.
  public var params: Params
  /// The fields, added to those of the server; the same name replaces.
  public var headers: HTTPHeaders
  /// What to send.
  public var body: RequestBody?
  /// Which media type the answer must have.
  public var content: ContentPolicy?
  /// How much time the call may take.
  public var timeouts: Timeouts?
  /// How large the answer may be.
  public var limits: TransferLimits?
  /// Whether and how to try again.
  public var retry: RetryPolicy?
  /// How redirects are followed.
  public var redirects: RedirectPolicy?
  /// Whether the address came from somebody else, such as a link to another origin: then the call goes
  /// without credentials, cookies and client certificate, and only with fields that say nothing of the
  /// user.
  package var isForeign = false
  /// How the cache of the server is used; without it the way of ``Server/Configuration/cacheMode``.
  public var cache: CacheMode?
  /// Whether an error status is an answer like any other, as it is for a browser: returned and not
  /// thrown, and no reason to try again. The default is no.
  public var acceptsErrorStatuses = false
  /// Whether the call may share the exchange of an equal one that is under way.
  public var sharesExchange: Bool?
  /// The slot of this call: a newer call with the same slot supersedes it.
  public var slot: Call.Slot?
  /// Which of the waiting calls goes first.
  public var priority: Priority
  /// Changes the priority while the call waits.
  public var priorityHandle: Priority.Handle?
  /// Takes the body of a successful answer piece by piece.
  public var receiver: HTTPRequest.BodyReceiver?
  /// Told of progress.
  public var progress: HTTPRequest.ProgressHandler?
  /// A name for monitors and metrics, such as `books.list`; the path stands in when it is absent.
  public var name: String?

  /// Describes a call.
  public init(
    _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    headers: HTTPHeaders = [:], body: RequestBody? = nil, priority: Priority = .normal
  ) {
    self.address = address
    self.method = method
    self.params = params
    self.headers = headers
    self.body = body
    self.priority = priority
  }
}
