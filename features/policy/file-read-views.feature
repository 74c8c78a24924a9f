Feature: file_read shows a model what it needs to go on
  The text view is an envelope around the text; the lines view numbers lines as edits by line number take them.

  Background:
    Given safe mode
    And the file "notes.txt" holds "first\nsecond\nthird\n"

  Rule: The text view says which part of the text it is

    Scenario: A whole file
      When the tool file_read is called with `{ path: 'notes.txt' }`
      Then the tool answers "[FILE_READ_SUCCESS] notes.txt chars 0-19 of 19\nfirst\nsecond\nthird\n"

    Scenario: A window says how to go on
      When the tool file_read is called with `{ path: 'notes.txt', offset: 2, max_chars: 3 }`
      Then the tool answers "[FILE_READ_SUCCESS] notes.txt chars 2-5 of ?\nrst\n[more: call again with offset 5]"
      And the result has nextOffset `5`

    Scenario: null is the same as absent
      When the tool file_read is called with `{ path: 'notes.txt', view: null, offset: null, max_chars: null }`
      Then the result has totalChars `19`

  Rule: The lines view numbers lines

    Scenario: A whole file
      When the tool file_read is called with `{ path: 'notes.txt', view: 'lines' }`
      Then the tool answers "1\tfirst\n2\tsecond\n3\tthird\n[end of file, 3 lines]"

    Scenario: A page says how to go on
      When the tool file_read is called with `{ path: 'notes.txt', view: 'lines', line: 2, limit: 1 }`
      Then the tool answers "2\tsecond\n[more: call again with line 3]"

    Scenario: Past the end it says how many there are
      When the tool file_read is called with `{ path: 'notes.txt', view: 'lines', line: 9 }`
      Then the tool answers "[past the end: the file has 3 lines]"

    Scenario: Bytes that are no text are shown, and the page says so
      Given the file "latin.txt" holds the bytes "63 61 66 e9 0a"
      When the tool file_read is called with `{ path: 'latin.txt', view: 'lines' }`
      Then the model sees a text with "1\tcaf\xE9"
      And the result has hasInvalidBytes `true`

  Rule: A field that has no effect is refused

    Scenario Outline: <arguments> is refused
      When the tool file_read is called with `<arguments>`
      Then the tool is refused with <code>

      Examples:
        | arguments                                          | code             |
        | { path: 'notes.txt', line: 1 }                     | ARGUMENT_INVALID |
        | { path: 'notes.txt', view: 'lines', offset: 1 }    | ARGUMENT_INVALID |
        | { path: 'notes.txt', veiw: 'lines' }               | ARGUMENT_INVALID |
        | { path: 'notes.txt', view: 'page' }                | ARGUMENT_INVALID |
        | { path: 'notes.txt', offset: -1 }                  | ARGUMENT_INVALID |
        | { path: 'notes.txt', max_chars: '3' }              | ARGUMENT_INVALID |
        | { path: 'notes.txt', view: 'lines', line: 0 }      | ARGUMENT_INVALID |
        | {}                                                 | PATH_INVALID     |
        | { path: 1 }                                        | PATH_INVALID     |
        | { path: ['notes.txt'] }                            | PATH_INVALID     |
        | [1]                                                | ARGUMENT_INVALID |

    Scenario: A failure is text as well
      When the tool file_read is called with `{ path: 'none.txt' }`
      Then the tool is refused with NOT_FOUND
      And the model sees a text with "[FILE_READ_ERROR] NOT_FOUND: "

    Scenario: A tool that does not exist is refused with the nearest
      When the tool file_reed is refused: `{ path: 'notes.txt' }`
      Then it is refused with ARGUMENT_INVALID
      And the hint of the refusal says "file_read"
