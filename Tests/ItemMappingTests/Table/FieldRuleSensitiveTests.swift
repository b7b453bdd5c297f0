import Testing

@testable import ItemMapping

@Suite struct FieldRuleSensitiveTests {
  struct Refused: Error, CustomStringConvertible { let description: String }

  struct Secret: ItemValue {
    var code = 0
    var label = ""
    static var fields: FieldTable {
      FieldTable(Secret.self) { f in
        f(\.code, "code", .sensitive)
        f(\.label, "label")
      }
    }
  }

  /// A sensitive value is hidden wherever the item is.
  final class Person: BaseItem {
    var name = ""
    var password = ""
    var pin: Int?
    var secret: Secret?
    override class var fields: FieldTable {
      FieldTable(Person.self) { f in
        f(\.name, "name")
        f(\.password, "password", .sensitive)
        f(\.pin, "pin", .sensitive)
        f(\.secret, "secret")
      }
    }
  }

  final class Account: BaseItem {
    var owner: Person?
    var users: [Person] = []
    var byRole: [String: Person] = [:]
    var hidden: Writer?
    var hiddenList: [Writer] = []
    var token = 0
    var hiddenText: Writer?
    var entry: ItemVariantsTests.Entry?
    var secret = Secret()

    override class var fields: FieldTable {
      FieldTable(Account.self) { f in
        f(\.owner, "owner")
        f(\.users, "users")
        f(\.byRole, "by_role")
        f(\.hidden, "hidden", .sensitive)
        f(\.hiddenList, "hidden_list", .sensitive)
        f(
          \.token, "token", .sensitive,
          .convert { throw Refused(description: "\($0.text) is no token") })
        f(\.hiddenText, "hidden_text", .sensitive, .jsonString)
        f(\.entry, "entry", .sensitive)
        f(\.secret, "secret")
      }
    }
  }

  static let good = """
    {"owner":{"name":"Ann","password":"S3CRET","pin":73173,"secret":{"code":73173,"label":"l"}},
     "users":[{"name":"Bob","password":"S3CRET"}],"by_role":{"x":{"password":"S3CRET"}},
     "hidden":{"name":"S3CRET"},"hidden_list":[{"name":"S3CRET"}],
     "hidden_text":"{\\"name\\":\\"S3CRET\\"}","secret":{"code":73173,"label":"open"}}
    """

  static let bad = """
    {"owner":{"name":"Ann","password":["S3CRET"],"pin":"S3CRET","secret":{"code":"S3CRET"}},
     "users":[{"password":{"S3":"CRET"},"pin":"S3CRET"}],"hidden":"S3CRET",
     "hidden_list":["S3CRET",{"name":["S3CRET"]},{"name":"x","born":"S3CRET"}],"token":"S3CRET",
     "hidden_text":"S3CRET","entry":{"type":"S3CRET"},"secret":{"code":"S3CRET"}}
    """

  @Test func `a description hides sensitive values at any depth`() throws {
    let account = try read(Account.self, Self.good).value
    for text in ["\(account)", String(reflecting: account)] {
      #expect(!text.contains("S3CRET"))
      #expect(!text.contains("73173"))
    }
    let owner = try #require(account.owner)
    #expect(
      owner.debugDescription == """
        Person(name: "Ann", password: hidden, pin: hidden, secret: {"code":"hidden","label":"l"})
        """)
    #expect(owner.password == "S3CRET")
    #expect(owner.jsonObject["password"] == "S3CRET")
  }

  @Test func `a struct's description hides sensitive values too`() throws {
    let secret = try read(Secret.self, #"{"code":73173,"label":"l"}"#).value
    #expect("\(secret)" == "Secret(code: hidden, label: \"l\")")
    #expect(!String(reflecting: [secret]).contains("73173"))
    #expect(!"\(Optional(secret) as Any)".contains("73173"))
  }

  @Test func `a report hides sensitive values`() throws {
    let report = try read(Account.self, Self.bad).report
    #expect(report.groups.count >= 10)
    #expect(!report.description.contains("S3CRET"))
    #expect(report.groups.flatMap(\.samples).allSatisfy { $0.found == "hidden" })
  }

  @Test func `an error hides sensitive values`() throws {
    var mapper = ItemMapper()
    mapper.failsFast = true
    for member in [#""hidden":"S3CRET""#, #""token":"S3CRET""#, #""entry":{"type":"S3CRET"}"#] {
      #expect {
        try mapper.item(Account.self, in: JSONDocument("{\(member)}"))
      } throws: { error in
        !"\(error)".contains("S3CRET") && "\(error)".contains("hidden")
      }
    }
  }

  @Test func `values after a sensitive field are shown again`() throws {
    let report = try read(Account.self, #"{"hidden":"S3CRET","users":["open"]}"#).report
    #expect(report.description.contains("found string \"open\""))
  }
}
