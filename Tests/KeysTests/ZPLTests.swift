import Testing

@testable import Keys

struct ZPLTests {
  @Test func `A text of several levels`() throws {
    let zpl = try ZPL(
      """
      #   a comment
      context
          iothreads = 1
          verbose = 1      #   Ask for a trace
      main
          type = zqueue    #  ZMQ_DEVICE type
          frontend
              option
                  hwm = 1000
              bind = 'tcp://eth0:5555'
          backend
              bind = "tcp://eth0:5556" # quoted # twice
              empty = ""
      """)
    #expect(
      zpl.values == [
        "context/iothreads": "1", "context/verbose": "1", "main/type": "zqueue",
        "main/frontend/option/hwm": "1000", "main/frontend/bind": "tcp://eth0:5555",
        "main/backend/bind": "tcp://eth0:5556", "main/backend/empty": "",
      ])
  }

  @Test func `Lines may end as on other systems`() throws {
    #expect(try ZPL("a\r\n    b = 1\r\n\r\n").values == ["a/b": "1"])
  }

  @Test(arguments: [
    ("a = 1\na = 2", "line 2 says a again"),
    ("a\n   b = 1", "line 2 is not indented by four spaces for each level"),
    ("a\n        b = 1", "line 2 is not indented by four spaces for each level"),
    ("    b = 1", "line 1 is not indented by four spaces for each level"),
    ("= 1", "line 1 has no name"),
    ("a\n\tb = 1", "line 2 is not indented by four spaces for each level"),
    ("=\ta", "line 1 has no name"),
    ("a b", "line 1 has something else than = behind the name"),
    ("\na = \"1", "line 2 has a quote that does not end"),
    ("a = '1' 2", "line 1 has something behind the quote"),
  ])
  func `A flaw is named with its line`(_ text: String, _ words: String) {
    #expect(#expect(throws: KeyError.self) { try ZPL(text) }?.description == words)
  }
}
