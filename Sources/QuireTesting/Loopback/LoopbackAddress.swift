/// Where a server of the test kit listens.
public enum LoopbackAddress: Hashable, Sendable {
  /// A free port of 127.0.0.1.
  case tcp
  /// A Unix domain socket at this path; the file is removed when the server stops.
  case unix(path: String)
}
