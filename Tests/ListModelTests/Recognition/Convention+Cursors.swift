import ItemMapping
import ServerAPI

extension Convention {
  static let cursors: [Convention] = [
    Convention(
      "stripe", Call("https://api.stripe.com/v1/charges", params: ["limit": 3]), items: "data",
      #"items: "data", paging: .keyset(["id"], into: ["starting_after"], endsBy: .hasNext("has_more"))"#,
      because: "the body has “has_more” in an object “list”, and rows have ids",
      asks: [
        #"https://api.stripe.com/v1/charges?limit=3&starting_after=ch_003"#,
        #"https://api.stripe.com/v1/charges?limit=3&starting_after=ch_006"#,
      ]),
    Convention(
      "notion", Call("https://api.notion.com/v1/users"), items: "results",
      #"items: "results", paging: .cursor(at: "next_cursor", into: "start_cursor", endsBy: .hasNext("has_more"))"#,
      because: "the body has “next_cursor”",
      asks: [
        #"https://api.notion.com/v1/users?start_cursor=fe2c-0"#,
        #"https://api.notion.com/v1/users?start_cursor=fe2c-1"#,
      ]),
    Convention(
      "google", Call("https://www.googleapis.com/drive/v3/files"), items: "files",
      #"items: "files", paging: .cursor(at: "nextPageToken", into: "pageToken")"#,
      because: "the body has “nextPageToken”",
      asks: [
        #"https://www.googleapis.com/drive/v3/files?pageToken=~!!~AI90"#,
        #"https://www.googleapis.com/drive/v3/files?pageToken=~!!~AI91"#,
      ]),
    Convention(
      "aws",
      Call(
        "https://ssm.example.com/", method: .post,
        body: .bytes(#"{"MaxResults":3}"#.utf8, contentType: "application/x-amz-json-1.1")),
      items: "Parameters",
      #"items: "Parameters", paging: .cursor(at: "NextToken", into: .body("NextToken"))"#,
      because: "the body has “NextToken”",
      asks: [
        #"{"MaxResults":3,"NextToken":"AAEAA0"}"#,
        #"{"MaxResults":3,"NextToken":"AAEAA1"}"#,
      ]),
    Convention(
      "twitter", Call("https://api.x.com/2/users/42/tweets"), items: "data",
      #"items: "data", paging: .cursor(at: "meta.next_token", into: "pagination_token")"#,
      because: "the body has “meta.next_token”",
      asks: [
        #"https://api.x.com/2/users/42/tweets?pagination_token=7140w0"#,
        #"https://api.x.com/2/users/42/tweets?pagination_token=7140w1"#,
      ]),
    Convention(
      "reddit", Call("https://www.reddit.com/r/swift/new.json"), items: "data.children",
      #"items: "data.children", paging: .cursor(at: "data.after", into: "after")"#,
      because: "the body has “data.after”",
      asks: [
        #"https://www.reddit.com/r/swift/new.json?after=t3_1k3"#,
        #"https://www.reddit.com/r/swift/new.json?after=t3_1k6"#,
      ]),
    Convention(
      "mediawiki",
      Call("https://wiki.example.org/w/api.php", params: ["action": "query", "list": "allpages"]),
      items: "query.allpages",
      #"items: "query.allpages", paging: .cursor(at: "continue", into: .members)"#,
      because: "the body has “continue”, an object of parameters",
      asks: [
        #"https://wiki.example.org/w/api.php?action=query&list=allpages&apcontinue=Article_4&continue=-||"#,
        #"https://wiki.example.org/w/api.php?action=query&list=allpages&apcontinue=Article_7&continue=-||"#,
      ]),
    Convention(
      "elasticsearch", Call("https://search.example.com/books/_search", params: ["size": 3]),
      items: "hits.hits",
      #"items: "hits.hits", paging: .offset(limit: 3, parameter: "from", limitParameter: "size", endsBy: .total("hits.total.value"))"#,
      because: "the body has “hits.hits” and “_shards” of Elasticsearch",
      asks: [
        #"https://search.example.com/books/_search?size=3&from=3"#,
        #"https://search.example.com/books/_search?size=3&from=6"#,
      ]),
    Convention(
      "relay",
      Call(
        "https://api.example.com/graphql", method: .post,
        body: .bytes(
          #"{"query":"query($n: Int, $c: String) { viewer { repositories(first: $n, after: $c) { edges { node { id } } } } }","variables":{"n":3}}"#
            .utf8, contentType: "application/json")), items: "data.viewer.repositories.edges",
      #"items: "data.viewer.repositories.edges", paging: .relay(connection: "data.viewer.repositories", size: 3, after: "c", first: "n")"#,
      because: "the body has “data.viewer.repositories.pageInfo” of a Relay connection",
      asks: [
        #"{"query":"query($n: Int, $c: String) { viewer { repositories(first: $n, after: $c) { edges { node { id } } } } }","variables":{"n":3,"c":"Y3Vyc29yOnYyOpHO0003"}}"#,
        #"{"query":"query($n: Int, $c: String) { viewer { repositories(first: $n, after: $c) { edges { node { id } } } } }","variables":{"n":3,"c":"Y3Vyc29yOnYyOpHO0006"}}"#,
      ]),
  ]
}
