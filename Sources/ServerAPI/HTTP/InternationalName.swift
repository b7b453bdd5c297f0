#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Host names in other scripts than ASCII. With libcurl, its folder has the conversion, since libidn2 comes with it.
enum InternationalName {
  /// Why a name has no ASCII form.
  enum Failure: Error {
    case noLibrary
    case invalid
  }
}

#if !LIBCURL
  extension InternationalName {
    /// What knows the rules of such names. On Linux it is a part of Foundation that a program may do without.
    static let library = "Foundation"

    /// Returns the ASCII form of a name, or why there is none.
    static func ascii(_ name: Substring) -> Result<String, Failure> {
      guard encoded("é.test") == "xn--9ca.test" else { return .failure(.noLibrary) }
      guard let name = encoded(String(name)), name.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x25 }) else {
        return .failure(.invalid)
      }
      return .success(name)
    }

    private static func encoded(_ host: String) -> String? {
      var address = URLComponents()
      address.scheme = "https"
      address.host = host
      return address.encodedHost
    }
  }
#endif
