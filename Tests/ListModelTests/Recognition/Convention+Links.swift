import ItemMapping
import ServerAPI

extension Convention {
  static let links: [Convention] = [
    Convention(
      "github", Call("https://api.github.com/repositories/44838949/issues"),
      #"paging: .link"#,
      because: "the header Link has a link to “next”",
      asks: [
        #"https://api.github.com/repositories/44838949/issues?page=2"#,
        #"https://api.github.com/repositories/44838949/issues?page=3"#,
      ]),
    Convention(
      "wordpress", Call("https://blog.example.org/wp-json/wp/v2/posts"),
      #"paging: .link(total: .header("X-WP-Total"))"#,
      because: "the header Link has a link to “next”",
      asks: [
        #"https://blog.example.org/wp-json/wp/v2/posts?page=2"#,
        #"https://blog.example.org/wp-json/wp/v2/posts?page=3"#,
      ]),
    Convention(
      "gitlab", Call("https://gitlab.example.com/api/v4/projects", params: ["per_page": 3]),
      #"paging: .pageNumber(size: 3, endsBy: .nextPage(.header("X-Next-Page")), .total(.header("X-Total")))"#,
      because: "the response has the header X-Next-Page",
      asks: [
        #"https://gitlab.example.com/api/v4/projects?per_page=3&page=2"#,
        #"https://gitlab.example.com/api/v4/projects?per_page=3&page=3"#,
      ]),
    Convention(
      "postgrest", Call("https://db.example.com/film", params: ["limit": 3]),
      #"paging: .offset(limit: 3, endsBy: .status(416))"#,
      because: "the response has the header Content-Range",
      asks: [
        #"https://db.example.com/film?limit=3&offset=3"#,
        #"https://db.example.com/film?limit=3&offset=6"#,
      ]),
    Convention(
      "django-rest-framework", Call("https://api.example.org/accounts/"), items: "results",
      #"items: "results", paging: .nextURL(at: "next", previous: "previous", total: "count")"#,
      because: "the body has “next”",
      asks: [
        #"https://api.example.org/accounts/?page=2"#,
        #"https://api.example.org/accounts/?page=3"#,
      ]),
    Convention(
      "spotify", Call("https://api.spotify.com/v1/albums/4aawyAB9/tracks", params: ["limit": 3]),
      items: "items",
      #"items: "items", paging: .nextURL(at: "next", previous: "previous", total: "total")"#,
      because: "the body has “next”",
      asks: [
        #"https://api.spotify.com/v1/albums/4aawyAB9/tracks?offset=3&limit=3"#,
        #"https://api.spotify.com/v1/albums/4aawyAB9/tracks?offset=6&limit=3"#,
      ]),
    Convention(
      "laravel", Call("http://shop.example.com/users"), items: "data",
      #"items: "data", paging: .nextURL(at: "next_page_url", previous: "prev_page_url", total: "total")"#,
      because: "the body has “next_page_url”",
      asks: [
        #"http://shop.example.com/users?page=2"#,
        #"http://shop.example.com/users?page=3"#,
      ]),
    Convention(
      "laravel-resources", Call("http://shop.example.com/users"), items: "data",
      #"items: "data", paging: .nextURL(at: "links.next", previous: "links.prev", total: "meta.total")"#,
      because: "the body has “links.next”",
      asks: [
        #"http://shop.example.com/users?page=2"#,
        #"http://shop.example.com/users?page=3"#,
      ]),
    Convention(
      "json-api", Call("http://example.com/articles"), items: "data",
      #"items: "data", paging: .nextURL(at: "links.next")"#,
      because: "the body has “links.next”",
      asks: [
        #"http://example.com/articles?page%5Bnumber%5D=2&page%5Bsize%5D=3"#,
        #"http://example.com/articles?page%5Bnumber%5D=3&page%5Bsize%5D=3"#,
      ]),
    Convention(
      "hal", Call("https://shop.example.com/orders"), items: "_embedded.orders",
      #"items: "_embedded.orders", paging: .nextURL(at: "_links.next")"#,
      because: "the body has “_links.next”",
      asks: [
        #"https://shop.example.com/orders?page=2"#,
        #"https://shop.example.com/orders?page=3"#,
      ]),
    Convention(
      "odata", Call("https://services.odata.org/TripPin/People"), items: "value",
      #"items: "value", paging: .nextURL(at: "$['@odata.nextLink']", total: "$['@odata.count']")"#,
      because: "the body has “$['@odata.nextLink']”",
      asks: [
        #"https://services.odata.org/TripPin/People?$skiptoken=3"#,
        #"https://services.odata.org/TripPin/People?$skiptoken=6"#,
      ]),
    Convention(
      "odata-3", Call("https://services.odata.org/TripPin/People"), items: "value",
      #"items: "value", paging: .nextURL(at: "$['odata.nextLink']")"#,
      because: "the body has “$['odata.nextLink']”",
      asks: [
        #"https://services.odata.org/TripPin/People?$skiptoken=3"#,
        #"https://services.odata.org/TripPin/People?$skiptoken=6"#,
      ]),
    Convention(
      "odata-2", Call("https://services.odata.org/TripPin/People"), items: "d.results",
      #"items: "d.results", paging: .nextURL(at: "d.__next")"#,
      because: "the body has “d.__next”",
      asks: [
        #"https://services.odata.org/TripPin/People?$skiptoken=3"#,
        #"https://services.odata.org/TripPin/People?$skiptoken=6"#,
      ]),
    Convention(
      "fhir", Call("https://hapi.example.org/Patient", params: ["_count": 3]), items: "entry",
      #"items: "entry", paging: .nextURL(at: .relation("next", in: "link"), total: "total")"#,
      because: "the body is a FHIR Bundle with a link to “next”",
      asks: [
        #"https://hapi.example.org/Patient?_count=3&_offset=3"#,
        #"https://hapi.example.org/Patient?_count=3&_offset=6"#,
      ]),
    Convention(
      "facebook", Call("https://graph.facebook.com/v19.0/42/feed", params: ["limit": 3]),
      items: "data",
      #"items: "data", paging: .nextURL(at: "paging.next")"#,
      because: "the body has “paging.next”",
      asks: [
        #"https://graph.facebook.com/v19.0/42/feed?limit=3&after=a0"#,
        #"https://graph.facebook.com/v19.0/42/feed?limit=3&after=a1"#,
      ]),
    Convention(
      "slack", Call("https://slack.com/api/users.list"), items: "members",
      #"items: "members", paging: .cursor(at: "response_metadata.next_cursor")"#,
      because: "the body has “response_metadata.next_cursor”",
      asks: [
        #"https://slack.com/api/users.list?cursor=dXNlcjpVMDAwMw=="#,
        #"https://slack.com/api/users.list?cursor=dXNlcjpVMDAwNg=="#,
      ]),
  ]
}
