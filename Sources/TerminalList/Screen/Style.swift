/// How a cell looks.
struct Style: Hashable, Sendable {
  enum Color: UInt8, Sendable { case red = 31, green, yellow, blue, magenta, cyan }

  var isBold = false
  var isDim = false
  var isReverse = false
  var color: Color?

  static let plain = Style()
  static let title = Style(isBold: true)
  static let quiet = Style(isDim: true)
  static let bar = Style(isReverse: true)
  static let alarm = Style(color: .red)
  static let section = Style(isBold: true, color: .cyan)

  /// What makes a terminal write like that, whatever it did before.
  func sequence(withColor: Bool) -> String {
    var codes = "0"
    if isBold { codes += ";1" }
    if isDim { codes += ";2" }
    if isReverse { codes += ";7" }
    if withColor, let color { codes += ";\(color.rawValue)" }
    return "\u{1B}[\(codes)m"
  }
}
