extension RequestBody {
  /// Any JSON.
  public static func json(_ json: JSONAny) -> RequestBody {
    .bytes(json.utf8(), contentType: "application/json")
  }

  /// An item as JSON, written through its table.
  public static func json(_ item: BaseItem) -> RequestBody { .json(.object(item.jsonObject)) }

  /// A value as JSON, written through its table.
  public static func json(_ value: some ItemValue) -> RequestBody {
    .json(.object(value.jsonObject))
  }
}
