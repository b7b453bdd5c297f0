/// Whether this machine can make certificates and speak TLS for tests.
///
/// ```swift
/// @Test(.enabled(if: TLSSupport.isAvailable)) func `an expired certificate is refused`() …
/// ```
public enum TLSSupport {
  /// Whether the `openssl` command and libssl are both there.
  public static let isAvailable =
    LoopbackOpenSSL.shared != nil && (try? LoopbackCommand.openssl(["version"])) != nil
}
