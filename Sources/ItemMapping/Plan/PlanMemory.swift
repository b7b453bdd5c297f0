/// Memory for what a plan looks at for every value. It is written once and freed with the plan, which
/// happens to those only that another thread was faster to make.
final class PlanMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  /// Puts elements into memory. There is nothing to do when they go.
  func keep<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    if let start = buffer.baseAddress { blocks.append(UnsafeMutableRawPointer(start)) }
    return UnsafeBufferPointer(buffer)
  }

  /// Puts one element into memory.
  func keep<Element: BitwiseCopyable>(_ element: Element) -> UnsafePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    pointer.initialize(to: element)
    blocks.append(UnsafeMutableRawPointer(pointer))
    return UnsafePointer(pointer)
  }
}
