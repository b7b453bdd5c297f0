#if LIBCURL
  import Testing

  @testable import ServerAPI

  @Suite struct BodyDecoderTests {
    static let text = "quire reads lists, and quire reads pages; "
    /// The text as compressed by the `gzip` command.
    static let gzip: [UInt8] = [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0x2c, 0xcd, 0x2c, 0x4a, 0x55,
      0x28, 0x4a, 0x4d, 0x4c, 0x29, 0x56, 0xc8, 0xc9, 0x2c, 0x2e, 0x29, 0xd6, 0x51, 0x48, 0xcc, 0x4b,
      0x51, 0x28, 0x44, 0x12, 0x2e, 0x48, 0x4c, 0x4f, 0x2d, 0xb6, 0x56, 0x00, 0x00, 0xdf, 0x3c, 0xbb,
      0xf4, 0x2a, 0x00, 0x00, 0x00,
    ]
    /// The text as a raw deflate stream, which is the middle of the other two forms.
    static let bare: [UInt8] = [
      0x2b, 0x2c, 0xcd, 0x2c, 0x4a, 0x55, 0x28, 0x4a, 0x4d, 0x4c, 0x29, 0x56, 0xc8, 0xc9, 0x2c, 0x2e,
      0x29, 0xd6, 0x51, 0x48, 0xcc, 0x4b, 0x51, 0x28, 0x44, 0x12, 0x2e, 0x48, 0x4c, 0x4f, 0x2d, 0xb6,
      0x56, 0x00, 0x00,
    ]
    static let zlib: [UInt8] = [
      0x78, 0xda, 0x2b, 0x2c, 0xcd, 0x2c, 0x4a, 0x55, 0x28, 0x4a, 0x4d, 0x4c, 0x29, 0x56, 0xc8, 0xc9,
      0x2c, 0x2e, 0x29, 0xd6, 0x51, 0x48, 0xcc, 0x4b, 0x51, 0x28, 0x44, 0x12, 0x2e, 0x48, 0x4c, 0x4f,
      0x2d, 0xb6, 0x56, 0x00, 0x00, 0x4e, 0xd8, 0x0f, 0x24,
    ]

    /// Decodes `pieces` as the transport does.
    func decode(
      _ coding: String, _ pieces: [[UInt8]]
    ) throws -> (text: String?, isComplete: Bool, problem: RequestError.Kind?) {
      let decoder = try #require(BodyDecoder(coding))
      let output = ResponseBuilder()
      var problem: RequestError.Kind?
      for piece in pieces where problem == nil {
        piece.withUnsafeBytes { bytes in
          var rest = bytes
          repeat {
            problem = decoder.decode(&rest, into: output)
          } while problem == nil && (!rest.isEmpty || decoder.hasMore)
        }
      }
      return (output.finish().utf8Text, decoder.isComplete, problem)
    }

    @Test(arguments: [("gzip", gzip), ("x-gzip", gzip), ("deflate", zlib), ("deflate", bare)])
    func `every coding is decoded from pieces of any size`(
      coding: String, bytes: [UInt8]
    ) throws {
      for size in 1...bytes.count {
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
          Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        let result = try decode(coding, pieces)
        #expect(result == (Self.text, true, nil))
      }
    }

    @Test func `consecutive members are one body`() throws {
      let both = Self.gzip + Self.gzip
      for cut in 0...both.count {
        let result = try decode("gzip", [Array(both[..<cut]), Array(both[cut...])])
        #expect(result == (Self.text + Self.text, true, nil))
      }
      // A truncated second member is detected like a first one.
      #expect(try !decode("gzip", [both.dropLast()]).isComplete)
    }

    @Test func `other bytes after the end are rejected`() throws {
      #expect(try decode("gzip", [Self.gzip + Array("garbage".utf8)]).problem != nil)
    }

    @Test(arguments: [
      [0x08, 0x00], [0x78, 0x00], [0x18, 0x01, 0x02], [0x08, 0x00, 0x00, 0xff, 0xff],
    ])
    func `a broken header is detected with pieces of any size`(bytes: [UInt8]) throws {
      #expect(try decode("deflate", [bytes]).problem != nil)
      #expect(try decode("deflate", bytes.map { [$0] }).problem != nil)
    }

    @Test(arguments: [("gzip", gzip), ("deflate", zlib), ("deflate", bare)])
    func `a truncated body is never complete`(
      coding: String, bytes: [UInt8]
    ) throws {
      for count in 0..<bytes.count {
        let result = try decode(coding, [Array(bytes[..<count])])
        #expect(!result.isComplete || result.problem != nil)
      }
    }

    @Test(arguments: 0..<gzip.count)
    func `a wrong bit is detected or changes nothing`(index: Int) throws {
      for bit in 0..<8 {
        var bytes = Self.gzip
        bytes[index] ^= 1 << bit
        let result = try decode("gzip", [bytes])
        #expect(result.problem != nil || !result.isComplete || result.text == Self.text)
      }
    }
  }
#endif
