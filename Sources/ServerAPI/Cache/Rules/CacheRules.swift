/// What RFC 9111 has a private cache decide. Pure: the same request, stored answers and moment give the
/// same decision.
struct CacheRules {
  /// How long an answer that names no time is good at most, in seconds.
  var heuristicLimit: Double
  /// What goes into the digest of a secret.
  var salt: [UInt8]
}
