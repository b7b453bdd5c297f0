internal import Support

extension RequestError.Kind {
  /// Returns the error for a connection to `host` that the network did not allow, for this reason.
  ///
  /// A device is offline only if it can reach nothing. A host of the device or its local network says nothing
  /// about that, and neither does one host if there are routes to others.
  package static func unreachable(
    _ host: String, because reason: String? = nil, hasRoute: () -> Bool = NetworkRoute.exists
  ) -> RequestError.Kind {
    HostLocality.isLocal(host) || hasRoute()
      ? .connectFailed(reason ?? "there is no route to \(host)") : .offline
  }
}

/// Distinguishes hosts of the device and its local network from others.
enum HostLocality {
  /// Whether a host, in the canonical form of ``WebURL/host``, is this device or in its local network: by its
  /// address, or by a name that only a local network has.
  static func isLocal(_ host: String) -> Bool {
    if host.utf8.first == 0x5B { return isLocalIPv6(String(host.dropFirst().dropLast())) }
    var address = in_addr()
    // The older forms of an address, such as 127.1, are accepted by resolvers as well.
    if host.utf8.first?.isASCIIDigit == true, inet_aton(host, &address) != 0 {
      return isLocalIPv4(UInt32(bigEndian: address.s_addr))
    }
    return isLocalName(host)
  }

  private static func isLocalIPv4(_ address: UInt32) -> Bool {
    let networks: [(prefix: UInt32, bits: UInt32)] = [
      (0, 8), (127 << 24, 8), (10 << 24, 8), (172 << 24 | 16 << 16, 12),
      (192 << 24 | 168 << 16, 16),
      (169 << 24 | 254 << 16, 16),
    ]
    return networks.contains { address >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
  }

  private static func isLocalIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
    let bytes = withUnsafeBytes(of: address) { Array($0) }
    if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      return isLocalIPv4(bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
    // :: and ::1, fc00::/7, fe80::/10
    return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
      || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether a name has no domain, or one that is reserved for local networks.
  private static func isLocalName(_ name: String) -> Bool {
    let domains = ["localhost", "local", "localdomain", "lan", "internal", "home.arpa"]
    return !name.utf8.contains(0x2E)
      || domains.contains { name.utf8.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8) }
  }
}

/// The routes of the device.
package enum NetworkRoute {
  /// Whether there is a route to the Internet. Sends nothing: connecting a datagram socket only looks up the
  /// route. The addresses are reserved for documentation.
  package static func exists() -> Bool {
    var ipv4 = sockaddr_in()
    ipv4.sin_family = sa_family_t(AF_INET)
    ipv4.sin_port = in_port_t(9).bigEndian
    inet_pton(AF_INET, "198.51.100.1", &ipv4.sin_addr)
    var ipv6 = sockaddr_in6()
    ipv6.sin6_family = sa_family_t(AF_INET6)
    ipv6.sin6_port = in_port_t(9).bigEndian
    inet_pton(AF_INET6, "2001:db8::1", &ipv6.sin6_addr)
    return connects(&ipv4, AF_INET) || connects(&ipv6, AF_INET6)
  }

  private static func connects<Address>(_ address: inout Address, _ family: Int32) -> Bool {
    let socket = socket(family, SocketKind.datagram, 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    return withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return false }
      return connect(
        socket, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
    }
  }
}
