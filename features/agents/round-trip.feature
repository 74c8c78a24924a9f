Feature: What is read and written back is the same file, byte for byte
  Text is bytes: nothing is normalised, added or dropped on the way through a program.

  Background:
    Given unsafe mode with the write flag

  Rule: write_file(path, read_file(path)) leaves a UTF-8 file as it was

    Scenario Outline: <what> survives
      Given the file "f" holds the bytes "<bytes>"
      When the program `write_file("f", read_file("f"))` runs
      Then the run completes
      And the file "f" now holds the bytes "<bytes>"

      Examples:
        | what                        | bytes                        |
        | nothing at all              |                              |
        | a byte order mark           | ef bb bf 61                  |
        | two byte order marks        | ef bb bf ef bb bf            |
        | CRLF, LF and CR             | 61 0d 0a 62 0a 63 0d         |
        | NUL                         | 61 00 62                     |
        | a missing final newline     | 61 0a 62                     |
        | U+2028 and U+0085           | e2 80 a8 c2 85               |
        | an astral character         | f0 9f 91 8d                  |
        | a combining character       | 65 cc 81                     |
        | trailing blanks             | 61 20 20 09 0a               |
        | the last code point         | f4 8f bf bf                  |
        | noncharacters               | ef bf be ef bf bf            |

    Scenario: Copying in windows gives the same bytes
      Given the file "f" holds the bytes "ef bb bf 61 f0 9f 91 8d 0d 0a c3 a9 00 e2 80 a8 7a"
      When this program runs:
        """
        write_file('copy', '');
        for (let offset = 0; ; offset++) {
          const text = read_file('f', 1, offset);
          if (text === '') return offset;
          write_file('copy', text, 'a');
        }
        """
      Then the run completes with `9`
      And the file "copy" now holds the bytes "ef bb bf 61 f0 9f 91 8d 0d 0a c3 a9 00 e2 80 a8 7a"

  Rule: A large file makes the round trip, too

    Scenario: Four MiB are read, counted and written back
      Given the file "f" holds 4194304 bytes
      When the program `const text = read_file("f"); return [text.length, write_file("copy", text)]` runs
      Then the run completes with `[4194304, 4194304]`
