/// A request as a cache sees it.
struct CacheLookup {
  /// The request with the fields it would be sent with.
  var request: HTTPRequest
  /// What the call wants of the cache.
  var mode: CacheMode
  /// Names of fields, in small letters, that the partition stands for: they may be added only after the
  /// cache was asked, and are the same for all that is stored there.
  var settledFields: Set<String> = []
  /// What the server has vouched for since this moment, in seconds since 1970, need not be asked for
  /// again: the same question was under way when this one came.
  var askedSince: Double?
}

/// What a cache does about a request.
enum CachePlan {
  /// It has the answer.
  case serve(Serving)
  /// The server is to be asked.
  case ask(Asking)
  /// Nothing will do, and the server is not to be asked.
  case refuse(why: String)

  struct Serving {
    /// The answer to give, with its age: what is stored, a part of it, or `304`.
    var response: HTTPResponse
    /// Which stored answer it is.
    var index: Int
    /// Whether the server is to be asked meanwhile, for those who come later.
    var revalidates = false
    var why: String
  }

  struct Asking {
    /// The request with what the cache adds to it.
    var request: HTTPRequest
    /// Which stored answer fits the request, and the server's answer may take the place of.
    var selected: Int?
    /// Which stored answer the server may say is still good, or complete.
    var index: Int?
    /// What to give where no usable answer comes.
    var fallback: HTTPResponse?
    /// Whether the answer may be kept.
    var mayStore = true
    var why: String
  }
}

/// What a cache makes of an answer from the server.
struct CacheConclusion {
  /// What the caller gets.
  var response: HTTPResponse
  /// What is to be kept, in the place of what has the same variant.
  var stored: StoredResponse?
  /// Which stored answers are wrong now.
  var removed: [Int] = []
  /// Addresses whose stored answers are all wrong now. They go before ``stored`` is kept, which may have one
  /// of them.
  var invalidated: [WebURL] = []
  /// The server confirmed or completed something that is not stored: ask again as the caller wrote it, once.
  /// ``response`` is of no use then.
  var asksAgain = false
  var why: String
}
