import Support

/// Measures how much of a thread's stack an operation uses.
///
/// `@unchecked Sendable` holds because the thread is joined before the result is read.
final class StackUse: @unchecked Sendable {
  /// The stack of secondary threads on Apple's systems.
  static let secondaryThread = 512 << 10
  /// The documented maximum, which leaves some of the stack to the callers.
  static let allowed = secondaryThread / 4 * 3

  private static let paint: UInt8 = 0xA5
  private let body: () -> Void

  private init(_ body: @escaping () -> Void) { self.body = body }

  /// Runs an operation on a thread with a stack of this size, and returns how much of it was
  /// written to.
  static func measure(stack size: Int = 64 << 20, _ body: @escaping () -> Void) -> Int {
    let page = Int(getpagesize())
    // The stack is allocated here so that it can be inspected; the lowest page must not be touched.
    guard
      let memory = mmap(nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      memory != MAP_FAILED
    else { fatalError("no memory for a stack") }
    defer { munmap(memory, size + page) }
    mprotect(memory, page, PROT_NONE)
    let stack = memory + page
    // No test goes deeper than this, and memory that isn't painted costs nothing.
    let painted = min(size, 16 << 20)
    memset(stack + (size - painted), CInt(paint), painted)
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
      pthread_attr_destroy(attributes)
      attributes.deallocate()
    }
    precondition(pthread_attr_setstack(attributes, stack, size) == 0)
    #if canImport(Darwin) || canImport(Musl)
      var thread: pthread_t?
    #else
      var thread: pthread_t = 0
    #endif
    let use = Unmanaged.passRetained(StackUse(body)).toOpaque()
    precondition(pthread_create(&thread, attributes, Self.run, use) == 0)
    #if canImport(Darwin) || canImport(Musl)
      if let thread { pthread_join(thread, nil) }
    #else
      pthread_join(thread, nil)
    #endif
    var untouched = stack + (size - painted)
    // A page equal to the one before is still painted, if the lowest page is.
    while untouched + 2 * page < stack + size, memcmp(untouched, untouched + page, page) == 0 {
      untouched += page
    }
    return stack + size - untouched
  }

  #if canImport(Darwin)
    private static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      Unmanaged<StackUse>.fromOpaque($0).takeRetainedValue().body()
      return nil
    }
  #else
    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      {
        if let use = $0 { Unmanaged<StackUse>.fromOpaque(use).takeRetainedValue().body() }
        return nil
      }
  #endif
}
