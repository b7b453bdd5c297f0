/// How several values of one parameter stand in a query or a form.
public enum ListStyle: Hashable, Sendable {
  /// `tag=a&tag=b`
  case repeated
  /// `tag[]=a&tag[]=b`
  case brackets
  /// `tag=a,b`
  case commas
}
