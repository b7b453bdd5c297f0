/// How a call uses the cache of its server.
///
/// Only `GET`, `HEAD` and calls with a ``Call/cacheKey`` are served from a cache. In every mode, the cache stores
/// neither a response that the server forbids to store nor an error of the service itself.
public enum CacheMode: Hashable, Sendable {
  /// Follows HTTP: a fresh response is served from the cache, a stale one is validated, and an unchanged body
  /// is not transferred again.
  case standard
  /// Validates the stored response with the server before it is served.
  case revalidate
  /// Sends the request as if nothing were stored, and stores the response.
  case reload
  /// Bypasses the cache; nothing is stored either.
  case noStore
  /// Like ``revalidate``, but serves the stored response, however old, if the server sends no usable response.
  case networkElseCache
  /// Serves the stored response, however old. Sends the request only if nothing is stored.
  case cacheElseNetwork
  /// Serves the stored response, however old, and never uses the network. If nothing is stored, the call fails
  /// with ``RequestError/Kind/notStored``.
  case cacheOnly
}

/// A request to a cache.
struct CacheLookup {
  /// The request with the fields that it would be sent with.
  var request: HTTPRequest
  /// The cache mode of the call.
  var mode: CacheMode
  /// Lowercase names of the fields that the partition represents. They may be added after the lookup, and are
  /// the same for every response in the partition.
  var partitionFields: Set<String> = []
  /// A response validated at or after this time, in seconds since 1970, needs no further validation: the call
  /// has waited for the exchange that validated it.
  var validatedSince: Double?
}

// Indirect, so that what may hold one stays small.
/// The decision of a cache about a request.
indirect enum CachePlan {
  /// Serves a stored response.
  case serve(Serving)
  /// Forwards the request to the server.
  case forward(Forwarding)
  /// Fails: nothing stored is usable, and the request must not be forwarded.
  case refuse(why: String)

  struct Serving {
    /// The response to serve, with its age: the stored one, a part of it, or `304`.
    var response: HTTPResponse
    /// The index of the stored response.
    var index: Int
    /// Whether to revalidate the response in the background, for later calls.
    var revalidates = false
    var why: String
  }

  struct Forwarding {
    /// The request with the fields that the cache adds.
    var request: HTTPRequest
    /// The index of the selected stored response, which the server's response may replace.
    var selected: Int?
    /// The index of the stored response that the server may validate or complete.
    var index: Int?
    /// The stored response to serve if the server sends no usable one.
    var fallback: HTTPResponse?
    /// Whether the response may be stored.
    var mayStore = true
    var why: String
  }
}

/// The decision of a cache about a response of the server.
struct CacheConclusion {
  /// The response for the caller.
  var response: HTTPResponse
  /// The response to store. It replaces the one with the same variant.
  var stored: StoredResponse?
  /// The indices of the stored responses to remove.
  var removed: [Int] = []
  /// The addresses whose stored responses are invalidated. They are removed before ``stored`` is stored, which
  /// may have one of them.
  var invalidated: [WebURL] = []
  /// Whether to repeat the request once, without conditions of the cache: the server validated or completed a
  /// response that is not stored. ``response`` is unusable then.
  var retriesUnconditionally = false
  var why: String
}
