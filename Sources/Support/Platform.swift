// The C library of the system. Every file that needs one of its functions imports Support: which module has it is
// said here alone.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(ucrt)
  @_exported public import ucrt
#endif

/// The kinds of sockets as `socket` takes them. Glibc declares them as an enum, other systems as numbers.
package enum SocketKind {
  #if canImport(Glibc)
    package static var stream: Int32 { Int32(SOCK_STREAM.rawValue) }
    package static var datagram: Int32 { Int32(SOCK_DGRAM.rawValue) }
  #else
    package static var stream: Int32 { SOCK_STREAM }
    package static var datagram: Int32 { SOCK_DGRAM }
  #endif

  /// A stream that programs started by this process don't inherit, where the system can say so at once.
  package static var privateStream: Int32 {
    #if canImport(Darwin)
      stream
    #elseif canImport(Glibc)
      stream | Int32(SOCK_CLOEXEC.rawValue)
    #else
      stream | SOCK_CLOEXEC
    #endif
  }
}
