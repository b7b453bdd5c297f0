internal import Quire

/// The JSON Schema of a plan, draft 2020-12, from the options of the command.
enum PlanSchema {
  static var text: String {
    let schema: JSONAny.Object = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": .string("A plan of quire collect"),
      "type": "object",
      "required": ["lists"],
      "additionalProperties": false,
      "properties": [
        "server": text("the address that those of lists are below, if they have no scheme"),
        "every": .object(property(of: CollectCommand.spec.option("every"))),
        "defaults": ["$ref": "#/$defs/options", "description": "options of the lists that don't have them"],
        "lists": ["$ref": "#/$defs/lists"],
      ],
      "$defs": [
        "lists": [
          "description": "the lists, by the names of their tables", "type": "object", "minProperties": 1,
          "additionalProperties": ["$ref": "#/$defs/list"],
        ],
        "list": .object(list),
        "options": [
          "type": "object", "additionalProperties": false, "properties": .object(JSONAny.Object(properties)),
        ],
        "text": ["type": ["string", "number", "boolean", "null"]],
      ],
    ]
    return schema.text(isPretty: true) + "\n"
  }

  private static var list: JSONAny.Object {
    let children: JSONAny = [
      "$ref": "#/$defs/lists",
      "description":
        "lists that are read for each row of this one, whose url names its members, as /books/{id}/reviews",
    ]
    return [
      "type": "object", "additionalProperties": false,
      "properties": .object(JSONAny.Object(properties + [("children", children)])),
    ]
  }

  private static var properties: [(String, JSONAny)] {
    [("url", text("the address of the list"))]
      + PlanFile.options.map { ($0.name, .object(property(of: $0))) }
  }

  private static func text(_ description: String) -> JSONAny {
    ["$ref": "#/$defs/text", "description": .string(description)]
  }

  private static func property(of option: OptionSpec?) -> JSONAny.Object {
    guard let option else { return [:] }
    let description = ("description", JSONAny.string(option.help))
    guard option.takesValue else { return JSONAny.Object([("type", .array(["boolean", "null"])), description]) }
    if !option.choices.isEmpty {
      return JSONAny.Object([("enum", .array(option.choices.map { .string($0) } + [.null])), description])
    }
    let text: JSONAny = ["$ref": "#/$defs/text"]
    guard option.repeats else { return JSONAny.Object([("$ref", "#/$defs/text"), description]) }
    var forms: [JSONAny] = [text, ["type": "array", "items": text]]
    if option.partSeparator != nil { forms.append(["type": "object", "additionalProperties": text]) }
    return JSONAny.Object([("anyOf", .array(forms)), description])
  }
}
