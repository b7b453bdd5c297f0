extension Params {
  /// Returns `name=value` pairs joined by `&`, percent-encoded, for a query or a form.
  func encoded(_ style: QueryArrayEncoding) -> [UInt8] {
    var result: [UInt8] = []
    for item in items { item.append(to: &result, style) }
    return result
  }
}

extension Params.Item {
  /// Appends `&name=value`, without the `&` if `result` is empty.
  func append(to result: inout [UInt8], _ style: QueryArrayEncoding) {
    func begin(_ suffix: String = "") {
      if !result.isEmpty { result.append(0x26) }
      PercentEncoding.component.append(name, to: &result)
      PercentEncoding.component.append(suffix, to: &result)
      result.append(0x3D)
    }
    switch value {
    case .one(let text):
      begin()
      PercentEncoding.component.append(text, to: &result)
    case .many(let texts) where style == .commas:
      for (index, text) in texts.enumerated() {
        if index == 0 { begin() } else { result.append(0x2C) }
        PercentEncoding.component.append(text, to: &result)
      }
    case .many(let texts):
      for text in texts {
        begin(style == .brackets ? "[]" : "")
        PercentEncoding.component.append(text, to: &result)
      }
    }
  }
}

/// How several values of one parameter are encoded in a query or a form.
public enum QueryArrayEncoding: Hashable, Sendable {
  /// `tag=a&tag=b`
  case repeated
  /// `tag[]=a&tag[]=b`
  case brackets
  /// `tag=a,b`
  case commas
}
