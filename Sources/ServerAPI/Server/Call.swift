internal import Support

/// A call to a server: a plain value that can be stored, changed and sent again.
///
/// ```swift
/// var call = Call("/books", params: ["page": 2])
/// call.headers["Accept-Language"] = "en"
/// let response = try await server.send(call)
/// ```
///
/// Settings that are `nil` are taken from the ``Server``.
public struct Call: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The address, absolute or relative to the base address of the server.
  public var address: String
  /// The parameters, in addition to those of the server; they replace those with the same name.
  public var params: Params
  /// The part of the request that has ``params``; by default the query.
  public var paramsIn = ParamsPlace.query
  /// The header fields, in addition to those of the server; they replace those with the same name.
  public var headers: HTTPHeaders
  /// The body, if any.
  public var body: RequestBody?
  /// The expected media type of the response.
  public var content: Call.ContentPolicy?
  /// Detects errors of the service in a response. A call with a check of its own doesn't share its exchange.
  public var businessCheck: Call.BusinessCheck?
  /// Detects that a response with a status of success says that it failed, before it is stored.
  package var judge: ResponseJudge?
  /// The time limits.
  public var timeouts: HTTPRequest.Timeouts?
  /// The size limits of the response.
  public var limits: HTTPRequest.Limits?
  /// How failed exchanges are retried.
  public var retry: RetryPolicy?
  /// How redirects are followed.
  public var redirects: RedirectPolicy?
  /// How many usual requests the call counts as for the ``Server/Configuration/pace`` of the server; 0 doesn't wait for
  /// it. The default is 1.
  public var weight = 1.0
  /// Whether the address is untrusted, such as a link to another origin. The call then has no credentials,
  /// cookies or client certificate, and only header fields that reveal nothing about the user.
  package var isForeign = false
  /// Why the call repeats an earlier one, whose response can't be used. It is sent on a new connection, as a retry.
  package var repeatReason: String?
  /// Whether an empty address is an error instead of the base address of the server.
  package var requiresAddress = false
  /// How the cache of the server is used; by default as in ``Server/Configuration/cacheMode``. If that is
  /// ``CacheMode/cacheOnly``, it applies to every call.
  public var cache: CacheMode?
  /// A name, chosen by the program, for what the call reads. It lets the cache store the response although the
  /// method is not `GET`: for a search by POST, or a GraphQL query.
  ///
  /// ```swift
  /// var search = Call("/search", method: .post, params: ["q": "lem"])
  /// search.paramsIn = .json
  /// search.cacheKey = "search"
  /// search.cacheLifetime = .seconds(60)
  /// ```
  ///
  /// The name promises that the call changes nothing. The response is stored for the user, the address, the method,
  /// the name, the header fields and the body, so each page has its own. Parameters are sent in the order of their
  /// names, so that another order is the same request. A later call with ``CacheMode/standard`` is served while the
  /// response is fresh; after that it is sent again, without conditions. A call that changes the resource doesn't
  /// remove it: give it a short lifetime, or remove it with ``HTTPCache/remove(_:)``. The call is retried like a
  /// `GET`.
  public var cacheKey: String?
  /// How long a successful response is fresh if the server doesn't say so with `max-age` or `Expires`; by default
  /// a tenth of the time since `Last-Modified`. Directives of the server that forbid storing or reusing a response
  /// still apply.
  public var cacheLifetime: Duration?
  /// The version of what the program makes of the response. A response that was stored with another version is not used,
  /// and the new one takes its place. Increase it where the program reads the response in another way than before.
  public var cacheVersion = 0
  /// Whether the call changes nothing on the server although its method may, as a search by POST or a GraphQL query. It
  /// is then retried like a `GET`, removes nothing from the cache, and is no write for other calls. A page of a list or walk
  /// is requested once more if it is damaged, or in a refresh after a write. The default is `false`.
  ///
  /// A ``cacheKey`` promises the same, and lets the cache store the response.
  public var onlyReads = false
  /// Whether a response with an error status is returned instead of thrown, and not retried. The default is
  /// `false`.
  public var acceptsErrorStatuses = false
  /// Whether the call may share the exchange of an equal call in flight.
  public var sharesExchange: Bool?
  /// The ``Server/writes`` that the caller knows of: the call shares no exchange from before them.
  package var writes = 0
  /// The slot of the call: a newer call in the same slot supersedes it.
  public var slot: Call.Slot?
  /// The order in which waiting calls are sent.
  public var priority: HTTPRequest.Priority
  /// Changes the priority while the call waits.
  package var priorityHandle: HTTPRequest.Priority.Handle?
  /// Receives the body of a successful response piece by piece.
  public var receiver: (@Sendable (_ piece: ResponseBody) async throws -> Void)?
  /// Called with the progress of upload and download.
  public var progress: (@Sendable (HTTPRequest.Progress) -> Void)?
  /// A name for monitors and metrics, such as `books.list`; the default is the path.
  public var name: String?

  /// Creates a call.
  public init(
    _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    headers: HTTPHeaders = [:], body: RequestBody? = nil, priority: HTTPRequest.Priority = .normal
  ) {
    self.address = address
    self.method = method
    self.params = params
    self.headers = headers
    self.body = body
    self.priority = priority
  }
}

extension Call {
  /// Whether the call may change a resource.
  package var mayChangeResource: Bool {
    method.mayChangeResource(cacheKey: cacheKey, onlyReads: onlyReads)
  }
}

extension Call {
  /// The part of a request that has the parameters of the call.
  ///
  /// ```swift
  /// var search = Call("/search", method: .post, params: ["q": "lem", "page": 2])
  /// search.paramsIn = .json  // {"q":"lem","page":2}
  /// ```
  ///
  /// The parameters of the server stay in the query. In a body, the call needs a method that can have one, and
  /// no ``Call/body`` of its own. Without parameters, it sends that body if it has one, otherwise an empty form
  /// or object.
  public enum ParamsPlace: Hashable, Sendable {
    /// The query of the address.
    case query
    /// A form, `application/x-www-form-urlencoded`, by the rules of WHATWG: a space becomes `+`. Arrays follow
    /// the ``Params/ArrayEncoding`` of the server.
    case form
    /// A JSON object. Numbers and flags keep their type; several values with one name become an array.
    case json
  }
}

extension Call {
  /// A slot for one call at a time, in which the latest call wins: for search fields and pull-to-refresh.
  ///
  /// A new call in the slot ends the previous one with ``RequestError/CancelReason/superseded``. Several
  /// servers may share a slot.
  public final class Slot: Sendable {
    /// Guards the call in the slot; the superseded call is ended outside of the lock.
    private let holder = Lock<(turn: UInt64, end: (@Sendable () -> Void)?)>((0, nil))

    /// Creates an empty slot.
    public init() {}

    /// Assigns the slot to a call; `end` is called when a newer call supersedes it.
    func occupy(_ end: @escaping @Sendable () -> Void) -> UInt64 {
      let (turn, older) = holder.withLock { holder in
        let older = holder.end
        holder = (holder.turn + 1, end)
        return (holder.turn, older)
      }
      older?()
      return turn
    }

    /// Empties the slot, unless a newer call occupies it.
    func vacate(_ turn: UInt64) {
      holder.withLock { if $0.turn == turn { $0.end = nil } }
    }
  }
}
