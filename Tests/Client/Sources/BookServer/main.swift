// Serves 120 books in pages of 50, prints its address, and ends with its standard input.
import Foundation
import QuireTesting

let books = ServedList(at: "books", rows: 120, pageSize: 50, by: .pages, total: .exact) { row in
  #"{"id": \#(row.id), "title": "Book \#(row.id)"}"#
}
let server = try ServedRun(books).loopback()
FileHandle.standardOutput.write(Data("\(server.baseURL)\n".utf8))
while readLine() != nil {}
