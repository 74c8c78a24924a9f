Feature: read_file returns a text, whole or in windows
  A window is counted in code points from 0, so that it never splits a character.

  Background:
    Given unsafe mode

  Rule: Without a window the whole text comes back

    Scenario: An empty file is the empty string
      Given the file "empty.txt" holds ""
      When the program `return read_file("empty.txt")` runs
      Then the run completes with `''`

    Scenario: Reading needs no write flag
      Given the file "a.txt" holds "hello"
      And the invocation context `{}`
      When the program `return read_file("a.txt")` runs
      Then the run completes with `'hello'`

  Rule: max_chars and offset count code points

    Scenario Outline: <call> of "👍é한b" is <text>
      Given the file "wide.txt" holds "👍é한b"
      When the program `return read_file("wide.txt", <call>)` runs
      Then the run completes with `<text>`

      Examples:
        | call                            | text    |
        | 1                               | '👍'    |
        | 2, 1                            | 'é한'   |
        | 9, 2                            | '한b'   |
        | null, 3                         | 'b'     |
        | undefined, 3                    | 'b'     |
        | 0                               | ''      |
        | 0, 2                            | ''      |
        | { max_chars: 1, offset: 1 }     | 'é'     |
        | { offset: 2 }                   | '한b'   |
        | { max_chars: 2 }                | '👍é'   |
        | { max_chars: null }             | '👍é한b' |
        | {}                              | '👍é한b' |

  Rule: Past the end there is nothing, and that is no error

    Scenario Outline: An offset of <offset> gives the empty string
      Given the file "a.txt" holds "abc"
      When the program `return read_file("a.txt", 10, <offset>)` runs
      Then the run completes with `''`

      Examples:
        | offset           |
        | 3                |
        | 4                |
        | 9007199254740991 |

  Rule: Consecutive windows join to the whole file, whatever their size

    Scenario Outline: Windows of <size> code points lose nothing
      Given the file "mixed.txt" holds "\u{feff}a👍\r\n\u{0}é\u{2028}한\n\nz"
      When this program runs:
        """
        const windows = [];
        for (let offset = 0; ; ) {
          const text = read_file('mixed.txt', { max_chars: <size>, offset });
          if (text === '') break;
          windows.push(text);
          offset += [...text].length;
        }
        return [windows.every((text) => text.isWellFormed()), windows.join('') === read_file('mixed.txt')];
        """
      Then the run completes with `[true, true]`

      Examples:
        | size |
        | 1    |
        | 2    |
        | 3    |
        | 5    |
        | 100  |

  Rule: A window that makes no sense is refused, never coerced

    Scenario Outline: read_file(path, <window>) is refused
      Given the file "a.txt" holds "abc"
      When a program tries `read_file("a.txt", <window>)`
      Then it catches a ValueError with the code ARGUMENT_INVALID
      And the message says "<says>"

      Examples:
        | window                          | says                  |
        | -1                              | max_chars             |
        | 0.5                             | max_chars             |
        | NaN                             | max_chars             |
        | Infinity                        | max_chars             |
        | '3'                             | max_chars             |
        | true                            | max_chars             |
        | 3n                              | max_chars             |
        | 1, -1                           | offset                |
        | 1, 0.5                          | offset                |
        | 1, 9007199254740992             | offset                |
        | 1, '0'                          | offset                |
        | { ofset: 1 }                    | did you mean offset?  |
        | { max_chars: 1 }, 0             | not both              |
        | 1, 0, 0                         | arguments             |

  Rule: Only UTF-8 is text, and nothing is replaced or guessed

    Scenario: A bad byte is named by its position
      Given the file "latin.txt" holds the bytes "6b 3d 31 0a ff ff"
      When a program tries `read_file("latin.txt")`
      Then it catches a ValueError with the code NOT_UTF8
      And the message says "byte 4"

    Scenario: A mark of UTF-16 is named
      Given the file "wide.txt" holds the bytes "ff fe 6b 00 3d 00"
      When a program tries `read_file("wide.txt")`
      Then it catches a ValueError with the code NOT_UTF8
      And the message says "UTF-16"

    Scenario: A window that ends before the bad byte is read
      Given the file "latin.txt" holds the bytes "6b 3d 31 0a ff ff"
      When the program `return read_file("latin.txt", 4)` runs
      Then the run completes with `'k=1\n'`
