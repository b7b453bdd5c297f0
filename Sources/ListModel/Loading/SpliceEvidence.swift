/// What is known of the rows of a list beside those of a page.
struct SpliceEvidence: Hashable, Sendable {
  /// By how much the server's total number of rows has grown; `nil` if that is not known.
  var growth: Int?
  /// Whether rows have kept their order so far.
  var keepsOrder = true
}
