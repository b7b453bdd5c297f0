#if SQLITE
  import Foundation
  import ListSync
  import Quire
  import QuireCollect
  import Testing

  @testable import QuireCommand

  /// Plans that are read from files, without a server.
  @Suite(.timeLimit(.minutes(2))) struct PlanFileTests {
    /// Returns the options of the lists of a plan, as a run without requests reads them.
    static func options(_ text: String, _ words: String...) async throws(UsageError) -> [CollectOptions] {
      let plan = try PlanFile(Array(text.utf8), at: "plan.yaml")
      let arguments = try Arguments(["plan.yaml", "--check"] + words, for: CollectCommand.spec)
      return try plan.options(arguments, try await PlanSecrets(plan, runsCommands: false))
    }

    private static func refusal(_ text: String, _ words: String...) async -> String {
      do throws(UsageError) {
        let plan = try PlanFile(Array(text.utf8), at: "p")
        let arguments = try Arguments(["plan.yaml", "--check"] + words, for: CollectCommand.spec)
        _ = try plan.options(arguments, try await PlanSecrets(plan, runsCommands: false))
        return "accepted"
      } catch {
        return error.description
      }
    }

    @Test func `a list has the options of the command, and those of the defaults that it lacks`() async throws {
      let options = try await Self.options(
        """
        server: http://localhost:8080/v1/
        every: 15m
        defaults: {header: {X-Key: one, X-Other: two}, parallel: 4, retries: 0}
        lists:
          books:
            url: /books
            items: data.books
            newest-first: updated_at
            header: ['X-Key: three']
            unique-keys: false
            deletes: off
          authors: {url: "https://example.com/authors", http1: true, parallel: 1, form: {a: 1, b: '2'}}
        """)
      let (books, authors) = (options[0], options[1])
      #expect(options.map(\.list.name) == ["books", "authors"])
      #expect(books.list.call.address == "http://localhost:8080/v1/books")
      #expect(books.list.call.headers["X-Key"] == "three" && books.list.call.headers["X-Other"] == nil)
      #expect(books.list.deletes == .off && books.list.watermark != nil)
      #expect(books.rounds.crawl.parallel == 4 && authors.rounds.crawl.parallel == 1)
      #expect(books.rounds.crawl.list.retries == 0)
      #expect(options.allSatisfy { $0.rounds.pause == .seconds(900) })
      #expect(authors.list.call.address == "https://example.com/authors" && authors.list.call.method == .post)
      #expect(authors.list.call.headers["X-Other"] == "two")
    }

    @Test func `children have the defaults too, and braces of secrets name no members`() async throws {
      let options = try await Self.options(
        """
        server: https://example.com
        defaults: {deletes: hard, retries: 0}
        lists:
          books:
            url: /books
            children:
              reviews:
                url: /books/{id}/reviews?key=${command:echo}
                deletes: off
          authors: {url: /authors}
        """)
      #expect(options.map(\.list.name) == ["books", "authors"] && options[1].children.isEmpty)
      let reviews = options[0].children[0]
      #expect(options[0].list.children.map(\.name) == ["reviews"])
      #expect(reviews.list.call.address == "https://example.com/books/{id}/reviews?key=redacted")
      #expect(
        reviews.list.deletes == .off && options[0].list.deletes == .hard && reviews.rounds.crawl.list.retries == 0)
      let only = try await Self.options(
        "lists: {a: {url: x.example/a, children: {b: {url: 'x.example/{id}'}}}, c: {url: x.example/c}}", "--only=a")
      #expect(only.map { $0.children.count } == [1])
      #expect(
        await Self.refusal("lists: {a: {url: x.example/a, children: {b: {url: 'x.example/{id}'}}}}", "--only=b")
          == "--only: “b” is read for each row of “a”; use --only a")
    }

    @Test func `the plan of the article is accepted`() async throws {
      let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
      let article = try String(
        contentsOfFile: root + "/Sources/Quire/Quire.docc/IntoADatabase.md", encoding: .utf8)
      let start = try #require(article.range(of: "```yaml\n"))
      let text = article[start.upperBound...].components(separatedBy: "```")[0].replacing(
        "${env:BOOKS_TOKEN}", with: "x")
      let options = try await Self.options(text)
      #expect(options.map(\.list.name) == ["books", "authors"])
      #expect(options.map(\.list.deletes) == [.hard, .soft] && options.map(\.rounds.crawl.parallel) == [1, 4])
      #expect(
        options.allSatisfy { $0.rounds.pause == .seconds(900) && $0.list.call.headers["Authorization"] == "Bearer x" })
      #expect(options[0].list.call.address == "https://api.example.com/books")
    }

    @Test func `what is off or null in a list takes a default away`() async throws {
      let options = try await Self.options(
        """
        server: http://localhost:8080
        defaults: {http1: true, newest-first: updated_at, header: {X: one}, retries: 2}
        lists:
          books: {url: /books, http1: false, newest-first: null, header: [], since-param: after=updated_at}
          authors: {url: '?kind=author'}
        """)
      let (books, authors) = (options[0], options[1])
      #expect(books.list.watermark == .since("after", "updated_at"))
      #expect(books.list.call.headers["X"] == nil && authors.list.call.headers["X"] == "one")
      #expect(authors.list.call.address == "http://localhost:8080?kind=author")
      let same = try await Self.options("lists: {a: {url: 'x.example/a?to=https://y.example/b'}}")
      #expect(same[0].list.call.address.hasSuffix("x.example/a?to=https://y.example/b"))
    }

    @Test func `a secret is a text in the path and the query of an address`() async throws {
      let secrets = try await PlanSecrets(
        PlanFile(Array("lists: {a: {url: 'x.example/${command:echo}'}}".utf8), at: "p"), runsCommands: false)
      #expect(secrets.expanded(address: "x.example/${command:echo}", isPath: false) == "x.example/redacted")
      let folder = try TemporaryFolder()
      try "a b&c#d/é{".write(toFile: folder.file("key"), atomically: false, encoding: .utf8)
      let plan = """
        server: http://localhost:8080
        lists:
          a: {url: '/${file:\(folder.file("key"))}/x?key=${file:\(folder.file("key"))}', deletes: hard}
        """
      let options = try await Self.options(plan)
      #expect(
        options[0].list.call.address == "http://localhost:8080/a%20b%26c%23d/%C3%A9%7B/x?key=a%20b%26c%23d%2F%C3%A9%7B")
    }

    @Test func `secrets are masked in each form, and once`() async throws {
      let folder = try TemporaryFolder()
      func secrets(_ value: String) async throws -> PlanSecrets {
        try value.write(toFile: folder.file("key"), atomically: false, encoding: .utf8)
        let plan = "lists: {a: {url: 'x.example/${file:\(folder.file("key"))}'}}"
        return try await PlanSecrets(PlanFile(Array(plan.utf8), at: "p"), runsCommands: true)
      }
      let value = " Correct horse+battery*/staple\tend"
      let all = try await secrets(value)
      for form in [
        value, "Correct horse+battery*/staple\tend", "+Correct+horse%2Bbattery*%2Fstaple%09end",
        "%20Correct%20horse%2Bbattery%2A%2Fstaple%09end", value.lowercased(), " Correct horse+battery*/staple end",
      ] {
        #expect(all.masked("a\(form)b").contains("[redacted]") && !all.masked("a\(form)b").contains("orse"), "\(form)")
      }
      let short = try await secrets("red")
      #expect(short.masked("45 red rows") == "45 red rows")
      #expect(try await secrets("acted").masked("acted, acted") == "[redacted], [redacted]")
    }

    @Test func `JSON, anchors and aliases are YAML, and --every comes before that of the plan`() async throws {
      let json = #"{"every": "1h", "lists": {"a": {"url": "x.example/a", "max-deletes": 3, "http1": true}}}"#
      #expect(try await Self.options(json, "--every", "2s")[0].rounds.pause == .seconds(2))
      let aliases = """
        lists:
          a: &a {url: x.example/a, header: &h {X: 'y'}}
          b: {url: x.example/b, header: *h}
          c: *a
        """
      let options = try await Self.options(aliases, "--only", "b,c")
      #expect(options.map(\.list.name) == ["b", "c"])
      #expect(options.allSatisfy { $0.list.call.headers["X"] == "y" })
    }

    @Test(arguments: [
      ("", "p:1:1: the plan is empty; it needs lists"),
      ("# nothing\n", "p:1:1: the plan is empty; it needs lists"),
      ("- a", "p:1:1: a plan is a map with server, every, defaults, lists, found a list"),
      ("every: 5s", "p:1:1: the plan has no lists; add them below lists:"),
      ("lists: {}", "p:1:8: there is no list here; add one, as books: {url: …}"),
      ("lists:", "p:1:7: there is no list here; add one, as books: {url: …}"),
      ("lists: [a]", "p:1:8: lists must be a map, found a list"),
      ("lists: {a: {}}", "p:1:9: the list “a” has no url"),
      ("lists:\n  a:", "p:2:5: the list “a” must be a map of options; add options such as url below it"),
      ("lists: {a: x.example}", "p:1:12: the list “a” must be a map of options; found “x.example”"),
      ("list: {}", "p:1:1: unknown word “list” in a plan; did you mean lists?"),
      (
        "retries: 3\nlists: {a: {url: x}}",
        "p:1:1: unknown word “retries” in a plan; options of all lists are in defaults"
      ),
      ("lists: {a: {url: x.example/a, itmes: b}}", "p:1:31: unknown option “itmes”; did you mean items?"),
      ("lists: {a: {url: x.example/a, items: [b]}}", "p:1:38: items must be a text, found a list"),
      ("lists: {a: {url: x.example/a, items: }}", "p:1:38: items must be a text, found nothing"),
      (
        "lists: {a: {url: x.example/a, header: {X: [y]}}}",
        "p:1:43: header must be a map of texts, found a list"
      ),
      ("lists: {a: {url: x.example/a, http1: yes}}", "p:1:38: http1 must be true or false, found “yes”"),
      (
        "lists: {a: {url: x.example/a, deletes: sfot}}",
        "p:1:40: deletes must be one of off, soft, hard, found “sfot”; did you mean soft?"
      ),
      (
        "lists: {a: {url: x.example/a, retries: many}}",
        "p:1:40: retries must be a whole number of at least 0, found “many”"
      ),
      ("lists: {a: {url: x.example/a, table: b}}", "p:1:31: the name of a list is that of its table; remove “table”"),
      (
        "lists: {a: {url: x.example/a, into: b}}",
        "p:1:31: “into” is an option of a run, not of a list; add --into to the command"
      ),
      (
        "lists: {a: {url: x.example/a, every: 5}}",
        "p:1:31: “every” is an option of a run, not of a list; write it at the top of the plan"
      ),
      (
        "every: often\nlists: {a: {url: x.example/a}}",
        "p:1:8: every must be a number of seconds above 0, or a time such as 15m or 2h, found “often”"
      ),
      (
        "lists:\n  a: {url: x.example/a}\n  a: {url: x.example/b}",
        "p:3:3: “a” is there twice; the other one is in line 2"
      ),
      (
        "lists:\n  a: {url: x.example/a}\n  A_Live: {url: x.example/b}",
        "p:2:3: “A_Live” is the view of the table “a”; rename one of them"
      ),
      (
        "server: 'http://x.example?k=1'\nlists:\n  a: {url: /a}",
        "p:3:12: server has a ? or #, and no address can be below that; write the query in each list"
      ),
      (
        "lists:\n  a: {url: x.example/a}\n  A: {url: x.example/b}",
        "p:3:3: “a” and “A” are the same table; rename one of them"
      ),
      (
        "lists: {_quire_a: {url: x.example/a}}",
        "p:1:9: can't use the plan: the table of a list can't be named “_quire_a”: such names are reserved; use another one"
      ),
      (
        "lists:\n\ta: {}",
        "p:2:1: no value can begin with this character; indent with blanks, not tabs, and quote texts with @ or `"
      ),
      ("lists: {a", "p:2:1: this is no YAML: did not find expected ',' or '}'"),
      ("lists: *a", "p:1:8: nothing before has the anchor “a”"),
      ("lists: &a {b: *a}", "p:1:15: nothing before has the anchor “a”"),
      ("lists: {a: {<<: {url: x}}}", "p:1:13: merge keys (<<) can't be used here; use defaults, or an alias"),
      ("lists: !x {}", "p:1:8: tags, which begin with !, can't be used here"),
      ("lists: {a: {url: x}}\n---\nlists: {}", "p:2:1: a second document begins here; a plan is one"),
      (
        "lists: {a: {url: 'http://a b/'}}",
        "p:1:18: the address “http://a b/” has an invalid host “a b”, expected a host name or an IP address"
      ),
      (
        "lists: {a: {url: x.example/a, children: {b: {url: x.example/b}}}}",
        "p:1:51: can't use the plan: the list “b” of each row of another one: it would be the same list for each row; name a"
          + " member of the row, as /books/{id}/reviews"
      ),
      (
        "lists: {a: {url: x.example/a, children: {b: {url: 'x.example/{id}', children: {c: {url: x}}}}}}",
        "p:1:80: a child can't have children"
      ),
      (
        "lists: {a: {url: 'x.example/{id}'}}",
        "p:1:18: can't use the plan: the list “a” is of no row, and its address “https://x.example/{id}” names a member of"
          + " one: make it a child of another list, or write %7B and %7D"
      ),
      (
        "server: '{host}.example'\nlists: {a: {url: 'https://x.example/a', children: {b: {url: '/{id}'}}}}",
        "p:2:61: the address “https://{host}.example/{id}” has an invalid host “{host}.example”, expected a host name or an"
          + " IP address"
      ),
      (
        "lists: {a: {url: x.example/a, children: {A: {url: 'x.example/{id}'}}}}",
        "p:1:42: “a” and “A” are the same table; rename one of them"
      ),
      (
        "lists: {a: {url: 'x.example/${env:QUIRE_NONE}'}}",
        "p:1:18: ${env:QUIRE_NONE}: the environment has no variable QUIRE_NONE, or it is empty"
      ),
      ("lists: {a: {url: 'x.example/${file:/none}'}}", "p:1:18: ${file:/none}: the file can't be read as text"),
      (
        "lists: {a: {url: 'x.example/${PATH}'}}",
        "p:1:18: “${PATH}” is no secret; use ${env:NAME}, ${file:PATH} or ${command:TEXT}"
      ),
      ("lists: {a: {url: 'x.example/${env:PATH'}}", "p:1:18: a ${ has no } that closes it"),
      (
        "sever: x\nlists:\n  a: {url: x.example/a, itms: b}\n  b: {url: [x], quiet: true}",
        """
        p:1:1: unknown word “sever” in a plan; did you mean server?
        p:3:25: unknown option “itms”; did you mean items?
        p:4:12: url must be a text, found a list
        p:4:17: “quiet” is an option of a run, not of a list; add --quiet to the command
        """
      ),
    ])
    func `a bad plan is refused with place, cause and what to do`(_ text: String, _ expected: String) async {
      #expect(await Self.refusal(text) == expected)
    }

    @Test func `the schema has each option of a list, and no other`() throws {
      let json = try JSONSerialization.jsonObject(with: Data(PlanSchema.text.utf8)) as? [String: Any]
      let schema = try #require(json)
      #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
      let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
      let list = try #require(definitions["list"]?["properties"] as? [String: [String: Any]])
      let names = CollectCommand.spec.options.map(\.name).filter { !PlanFile.runOptions.contains($0) }
      #expect(Set(list.keys) == Set(names + ["url", "children"]))
      let defaults = definitions["options"]?["properties"] as? [String: Any]
      #expect(defaults.map { Set($0.keys) } == Set(names + ["url"]))
      #expect(Set((schema["properties"] as? [String: Any] ?? [:]).keys) == Set(PlanFile.members))
      #expect((list["deletes"]?["enum"] as? [Any])?.compactMap { $0 as? String } == ["off", "soft", "hard"])
      #expect(
        list["http1"]?["type"] as? [String] == ["boolean", "null"] && (list["header"]?["anyOf"] as? [Any])?.count == 3)
      for (name, option) in list { #expect(option["description"] is String, "\(name)") }
      let references = PlanSchema.text.split(separator: "#/$defs/").dropFirst().map { String($0.prefix { $0 != "\"" }) }
      #expect(Set(references) == Set(definitions.keys))
    }

    @Test func `options of a list are refused beside a plan, and names that it hasn't`() async {
      let text = "lists: {books: {url: x.example/a}, authors: {url: x.example/b}}"
      #expect(
        await Self.refusal(text, "--items", "x")
          == "--items can't be used with a plan; write it there, in a list or in defaults")
      #expect(await Self.refusal(text, "--only", "boks") == "--only: p has no list “boks”; did you mean books?")
      #expect(await Self.refusal(text, "--only", "x") == "--only: p has no list “x”; it has books, authors")
      #expect(await Self.refusal(text, "--only", ",") == "--only names no list; those of p are books, authors")
      #expect(PlanFile.isNamed(by: "a/plan.yml") && !PlanFile.isNamed(by: "https://example.com/plan.yaml"))
    }

    @Test func `a bomb of aliases, and values nested without end, are refused`() async {
      var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
      for level in 1...9 {
        let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
        bomb += "a\(level): &a\(level) [\(aliases)]\n"
      }
      #expect(await Self.refusal(bomb).contains("there are more than 100000 values, with those that aliases stand for"))
      let deep = "lists: " + String(repeating: "[", count: 5_000)
      #expect(await Self.refusal(deep).contains("values are nested more than 64 deep"))
    }

    @Test func `a plan that ends at any byte, or has any byte changed, ends in a plan or an error`() async throws {
      let plan = Array(
        """
        server: "https://x.example"
        every: 15m
        defaults: &d {header: {A: 'é ${env:PATH}'}, parallel: 2}
        lists:
          books: {url: /books, newest-first: a.b}
          authors:
            url: |
              /authors
            header: [ "A: b" ]
        """.utf8)
      var accepted = 0
      func read(_ bytes: [UInt8]) {
        if (try? PlanFile(bytes, at: "p")) != nil { accepted += 1 }
      }
      for count in 0...plan.count { read(Array(plan[..<count])) }
      for place in plan.indices {
        for byte: UInt8 in [0, 9, 0x26, 0x2A, 0x3A, 0x7B, 0xC3, 0xFF] {
          var changed = plan
          changed[place] = byte
          read(changed)
        }
      }
      #expect(accepted > 0)
    }
  }
#endif
