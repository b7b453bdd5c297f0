import Testing

@testable import ServerAPI

@Suite struct ReachabilityTests {
  @Test(arguments: [
    "127.0.0.1", "127.255.0.9", "127.1", "0.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1",
    "172.31.255.255", "192.168.0.1", "169.254.169.254", "[::1]", "[::]", "[fc00::1]", "[fdff::1]",
    "[fe80::1]", "[febf::1]", "[::ffff:10.1.2.3]", "localhost", "app.localhost", "nas.local",
    "nas", "router.lan", "db.internal", "tv.home.arpa", "host.localdomain",
  ])
  func `a host of the local network never means that the device is offline`(host: String) {
    #expect(
      RequestError.Kind.unreachable(host) { false }
        == .connectFailed("there is no route to \(host)"))
  }

  @Test(arguments: [
    "example.com", "notlocal.example", "local.example", "mylocal.com", "xlan.net", "8.8.8.8",
    "11.0.0.1", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "169.253.0.1",
    "128.0.0.1", "[2001:db8::1]", "[fec0::1]", "[fe00::1]", "[::2]", "[::ffff:8.8.8.8]",
  ])
  func `another host means it only without any route`(host: String) {
    #expect(RequestError.Kind.unreachable(host) { false } == .offline)
    #expect(
      RequestError.Kind.unreachable(host) { true }
        == .connectFailed("there is no route to \(host)"))
  }

  @Test func `looking up a route ends at once and twice in the same way`() {
    #expect(NetworkRoute.exists() == NetworkRoute.exists())
  }
}
