Feature: edit_file changes exactly what was shown
  A model reads a page of numbered lines and changes one of them, one text that occurs once, or several at a time. Nothing
  is guessed, and every byte outside the edit stays.

  Background:
    Given unsafe mode with the write flag

  Rule: Whole files are written as they are given

    Scenario: A new file
      When the tool edit_file is called with `{ path: 'notes.md', mode: 'write', content: 'héllo\r\n' }`
      Then the tool answers "created notes.md; now 8 bytes"
      And the file "notes.md" now holds "héllo\r\n"

    Scenario: A file that is there
      Given the file "notes.md" holds "old"
      When the tool edit_file is called with `{ path: 'notes.md', mode: 'write', content: 'new text' }`
      Then the tool answers "wrote notes.md; now 8 bytes"

    Scenario: An addition
      Given the file "notes.md" holds "one\n"
      When the tool edit_file is called with `{ path: 'notes.md', mode: 'append', content: 'two\n' }`
      Then the tool answers "appended to notes.md; now 8 bytes"
      And the file "notes.md" now holds "one\ntwo\n"

    Scenario: An addition behind an open line is told
      Given the file "notes.md" holds "one"
      When the tool edit_file is called with `{ path: 'notes.md', mode: 'append', content: 'two\n' }`
      Then the tool answers "appended to notes.md (it had no final line break); now 7 bytes"
      And the file "notes.md" now holds "onetwo\n"

    Scenario: What is not text is no obstacle
      Given the file "image.bin" holds the bytes "00 ff fe 0a"
      When the tool edit_file is called with `{ path: 'image.bin', mode: 'append', content: 'x' }`
      Then the file "image.bin" now holds the bytes "00 ff fe 0a 78"
      And the result has diff `'binary or large file, 4 bytes -> 5 bytes'`

  Rule: A line edit replaces the text of one line and keeps its ending

    Scenario Outline: Line <line> of "<before>"
      Given the file "a.txt" holds "<before>"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: <line>, content: '<content>' }`
      Then the file "a.txt" now holds "<after>"

      Examples: the endings of the file stay
        | before         | line | content | after          |
        | a\nb\nc\n      | 2    | B       | a\nB\nc\n      |
        | a\r\nb\r\n     | 2    | B       | a\r\nB\r\n     |
        | a\rb\rc\r      | 2    | B       | a\rB\rc\r      |
        | a\nb\r\nc\rd   | 2    | B       | a\nB\r\nc\rd   |
        | a\nb           | 2    | B       | a\nB           |
        | a\n\nb\n       | 2    | x       | a\nx\nb\n      |

      Examples: one ending of the content is dropped
        | before         | line | content | after          |
        | a\nb\n         | 1    | A\\n    | A\nb\n         |
        | a\r\nb\r\n     | 1    | A\\n    | A\r\nb\r\n     |
        | a\nb           | 2    | B\\r\\n | a\nB           |

      Examples: an emptied line leaves its ending
        | before         | line | content | after          |
        | a\nb\nc\n      | 2    |         | a\n\nc\n       |
        | a\n            | 1    |         | \n             |

      Examples: a byte order mark stays, once
        | before         | line | content    | after       |
        | \u{feff}a\nb\n | 1    | A          | \u{feff}A\nb\n |
        | \u{feff}a\nb\n | 1    | \u{feff}A  | \u{feff}A\nb\n |

    Scenario: The result says how the line reads now
      Given the file "notes.md" holds "# Notes\n\nfirst\n"
      When the tool edit_file is called with `{ path: 'notes.md', mode: 'replace', line: 3, content: 'opening\tparagraph' }`
      Then the tool answers:
        """
        replaced at line 3 of notes.md; now 27 bytes; line 3 now: "opening\tparagraph"
        """

    Scenario: Bytes that are no UTF-8 stay
      Given the file "latin.txt" holds the bytes "63 e9 0a 64 0a"
      When the tool edit_file is called with `{ path: 'latin.txt', mode: 'replace', line: 2, content: 'D' }`
      Then the file "latin.txt" now holds the bytes "63 e9 0a 44 0a"

    Scenario: A number as text is taken, and the result says so
      Given the file "a.txt" holds "a\nb\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: '2', content: 'B' }`
      Then the tool answers:
        """
        line "2" taken as 2; replaced at line 2 of a.txt; now 4 bytes; line 2 now: "B"
        """

  Rule: Indentation that was forgotten is kept, and the result says so

    Scenario Outline: "<old>" replaced by "<content>"
      Given the file "a.py" holds "<old>\n"
      When the tool edit_file is called with `{ path: 'a.py', mode: 'replace', line: 1, content: '<content>' }`
      Then the file "a.py" now holds "<new>\n"
      And the model sees a text with "<says>"

      Examples: kept
        | old            | content    | new             | says                                                    |
        | \u{20}   ret 1 | ret 2      | \u{20}   ret 2  | , keeping the line's indentation (4 spaces); now        |
        | \tret 1        | ret 2      | \tret 2         | , keeping the line's indentation (1 tab); now           |
        | \t  ret 1      | ret 2      | \t  ret 2       | , keeping the line's indentation (1 tab and 2 spaces);  |

      Examples: written exactly
        | old            | content         | new             | says                         |
        | \u{20}   ret 1 | \u{20} ret 2    | \u{20} ret 2    | replaced at line 1 of a.py;  |
        | \u{20}   ret 1 | \tret 2         | \tret 2         | replaced at line 1 of a.py;  |
        | \u{20}   ret 1 | ret 1           | ret 1           | replaced at line 1 of a.py;  |
        | \u{20}   ret 1 | \u{20}   ret 1\u{20} | \u{20}   ret 1\u{20} | replaced at line 1 of a.py; |
        | ret 1          | ret 2           | ret 2           | replaced at line 1 of a.py;  |
        | \u{20}   ret 1 |                 |                 | replaced at line 1 of a.py;  |

  Rule: A stale number is put right where the text says which line was meant

    Scenario: One line holds it
      Given the file "b.py" holds "a = 0\nb = 1\nc = 2\n"
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', line: 1, find: 'b = 1', content: 'b = 10' }`
      Then the tool answers:
        """
        line 1 did not contain "b = 1"; replaced line 2 of b.py, the one line that does; now 19 bytes; line 2 now: "b = 10"
        """

    Scenario Outline: "<find>" with line <line> is refused with <code>
      Given the file "b.py" holds "a = 0\nb = 1\nc = 1\n"
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', line: <line>, find: '<find>', content: 'x' }`
      Then the tool is refused with <code>
      And the model sees a text with "<says>"
      And nothing on the disk has changed

      Examples:
        | line | find  | code          | says                                              |
        | 1    | = 1   | LINE_MISMATCH | error: line 1 does not contain \"= 1\"; it is: \"a = 0\" |
        | 1    | d = 1 | LINE_MISMATCH | error: line 1 does not contain \"d = 1\"          |
        | 4    | b = 1 | LINE_PAST_END | error: no line 4: the file has 3 lines            |

    Scenario: The right number is taken as it is
      Given the file "b.py" holds "a = 1\nb = 1\n"
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', line: 2, find: '= 1', content: 'b = 2' }`
      Then the tool answers:
        """
        replaced at line 2 of b.py; now 12 bytes; line 2 now: "b = 2"
        """

  Rule: A text is replaced where it occurs exactly once

    Scenario Outline: "<find>" in "<before>"
      Given the file "a.txt" holds "<before>"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', find: '<find>', content: '<content>' }`
      Then the file "a.txt" now holds "<after>"

      Examples: a line break matches any ending, and new ones are like most of the file's
        | before             | find   | content | after                  |
        | a\r\nb\r\nc\r\n    | a\\nb  | A\\nB   | A\r\nB\r\nc\r\n        |
        | a\nb\nc\r\n        | a\\r\\nb | x\\r\\ny | x\ny\nc\r\n            |
        | a\rb\r             | a\\nb  | x\\ny\\nz | x\ry\rz\r              |
        | one two three      | two    |         | one  three             |

      Examples: everything else is plain text
        | before             | find   | content    | after           |
        | price: 1           | 1      | $& $1 $$   | price: $& $1 $$ |
        | a &lt; b           | &lt;   | <          | a < b           |
        | say “hi”           | “hi”   | ‘ho’       | say ‘ho’        |

    Scenario Outline: "<find>" is refused with <code>: <says>
      Given the file "a.txt" holds "aaa\nx = 'y'\nb\r\nb\r\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', find: <find>, content: 'z' }`
      Then the tool is refused with <code>
      And the model sees a text with "<says>"
      And nothing on the disk has changed

      Examples:
        | find      | code            | says                                                                                     |
        | 'aa'      | FIND_NOT_UNIQUE | error: text to replace occurs 2 times (line 1), include more surrounding text: \"aa\"    |
        | 'b'       | FIND_NOT_UNIQUE | error: text to replace occurs 2 times (lines 3, 4), include more surrounding text: \"b\" |
        | 'nowhere' | FIND_NOT_FOUND  | error: text to replace not found: \"nowhere\"                                            |
        | 'X = "y"' | FIND_NOT_FOUND  | the nearest is line 2: \"x = 'y'\"                                                       |
        | ''        | FIND_EMPTY      | error: find is empty                                                                     |

    Scenario: Only the lines that hold the new text are shown
      Given the file "b.py" holds "a\nb\nc\n"
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', find: 'b', content: '1\n2\n3\n4' }`
      Then the tool answers:
        """
        replaced at lines 2-5 of b.py; now 12 bytes; lines 2-5 now: "1", "2", "3" (and 1 more)
        """

  Rule: A list of edits is about the file as it is, and lands whole or not at all

    Background:
      Given the file "b.py" holds "a\nb\nc\nd\n"

    Scenario: Several at once
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', edits: [{ line: 4, content: 'D' }, { find: 'a', content: 'A' }] }`
      Then the tool answers:
        """
        replaced at lines 1, 4 of b.py; now 8 bytes; lines 1, 4 now: "A", "D"
        """
      And the file "b.py" now holds "A\nb\nc\nD\n"

    Scenario: Line numbers are those that were read, whatever stands before
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', edits: [{ find: 'a', content: '1\n2\n3' }, { line: 4, content: 'D' }] }`
      Then the file "b.py" now holds "1\n2\n3\nb\nc\nD\n"

    Scenario Outline: The list fails at edit <number> with <code>
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', edits: <edits> }`
      Then the tool is refused with <code>
      And the model sees a text with " (edit <number>)"
      And nothing on the disk has changed

      Examples:
        | number | code           | edits                                                                          |
        | 2      | FIND_NOT_FOUND | [{ line: 1, content: 'A' }, { find: 'x', content: '' }]                        |
        | 1      | LINE_PAST_END  | [{ line: 9, content: 'A' }, { find: 'x', content: '' }]                        |
        | 2      | EDITS_OVERLAP  | [{ line: 2, content: 'B' }, { line: 2, content: 'X' }]                         |
        | 2      | EDITS_OVERLAP  | [{ find: 'b\\nc', content: 'x' }, { line: 3, content: 'C' }]                    |

    Scenario: Edits that touch do not overlap
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', edits: [{ find: 'a\n', content: '' }, { line: 2, content: 'B' }] }`
      Then the file "b.py" now holds "B\nc\nd\n"

    Scenario: A list is one question and one event
      Given the audit log is a file
      And the policy:
        """
        mode: unsafe
        """
      And the approver answers once
      When the tool edit_file is called with `{ path: 'b.py', mode: 'replace', edits: [{ line: 1, content: 'A' }, { line: 4, content: 'D' }] }`
      Then the approver is asked once
      And the event file.write has `{ path: 'b.py', mode: 'replace', bytesAfter: 8 }`

  Rule: A dry run tells what would happen, and nothing does

    Scenario: The same text, the diff, and the file as it was
      Given the file "a.txt" holds "a\nb\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 2, content: 'B', dry_run: true }`
      Then the tool answers:
        """
        dry run: would have replaced at line 2 of a.txt; now 4 bytes; line 2 now: "B"
        """
      And the result has diff `'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n'`
      And nothing on the disk has changed

    Scenario: What would be refused is refused
      Given the file "a.txt" holds "a\nb\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 3, content: 'B', dry_run: true }`
      Then the tool is refused with LINE_PAST_END

    Scenario: It needs mode and flag as the edit itself does
      Given the invocation context `{}`
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'write', content: 'B', dry_run: true }`
      Then the tool is refused with UNSAFE_FLAG_MISSING

  Rule: An edit of what was read is refused when it is no longer there

    Scenario: The digest of the read is that of the file
      Given the file "a.txt" holds "a\n"
      When the tool edit_file is called with the digest of "a.txt" and `{ path: 'a.txt', mode: 'replace', line: 1, content: 'A' }`
      Then the file "a.txt" now holds "A\n"

    Scenario: The digest is that of another file
      Given the file "a.txt" holds "a\n"
      And the file "b.txt" holds "b\n"
      When the tool edit_file is called with the digest of "b.txt" and `{ path: 'a.txt', mode: 'replace', line: 1, content: 'A' }`
      Then the tool is refused with CHANGED_SINCE_READ
      And nothing on the disk has changed

  Rule: What cannot be an exact edit is refused

    Scenario Outline: <what> is refused with <code>
      Given the file "a.txt" holds "<before>"
      When the tool edit_file is called with `{ path: 'a.txt', <arguments> }`
      Then the tool is refused with <code>
      And the model sees a text with "error: "
      And nothing on the disk has changed

      Examples:
        | what                             | before       | code                   | arguments                                             |
        | Two lines for one                | a\nb\n       | CONTENT_NOT_ONE_LINE   | mode: 'replace', line: 1, content: 'x\\ny'            |
        | A line that reads so             | a\nb\n       | NO_CHANGE              | mode: 'replace', line: 1, content: 'a'                |
        | A NUL byte in the file           | a\0\n        | FILE_BINARY            | mode: 'replace', line: 1, content: 'x'                |
        | A NUL byte in the content        | a\n          | FILE_BINARY            | mode: 'replace', line: 1, content: 'x\0'              |
        | Half a surrogate pair            | a\n          | CONTENT_NOT_WELL_FORMED | mode: 'replace', line: 1, content: '\ud800'          |
        | Half a surrogate pair to find    | a\n          | ARGUMENT_INVALID       | mode: 'replace', find: '\ud800', content: 'x'         |
        | Two endings that would be one    | a\rX\nb\n    | EDIT_GUARD             | mode: 'replace', find: 'X', content: ''               |
        | A mode there is not              | a\n          | ARGUMENT_INVALID       | mode: 'insert', content: 'x'                          |
        | A line of 2.5                    | a\n          | ARGUMENT_INVALID       | mode: 'replace', line: 2.5, content: 'x'              |
        | Line 0                           | a\n          | ARGUMENT_INVALID       | mode: 'replace', line: 0, content: 'x'                |
        | Line "3a"                        | a\n          | ARGUMENT_INVALID       | mode: 'replace', line: '3a', content: 'x'             |
        | No place                         | a\n          | ARGUMENT_INVALID       | mode: 'replace', content: 'x'                         |
        | An empty list                    | a\n          | ARGUMENT_INVALID       | mode: 'replace', edits: []                            |
        | A list beside a line             | a\n          | ARGUMENT_INVALID       | mode: 'replace', line: 1, edits: [{ line: 1, content: 'x' }] |
        | A line with write                | a\n          | ARGUMENT_INVALID       | mode: 'write', line: 1, content: 'x'                  |
        | An argument there is not         | a\n          | ARGUMENT_INVALID       | mode: 'write', content: 'x', force: true              |

    Scenario: null is the same as absent
      Given the file "a.txt" holds "a\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 1, find: null, edits: null, expect: null, dry_run: null, content: 'A' }`
      Then the file "a.txt" now holds "A\n"

    Scenario: UTF-16 is refused for what it is
      Given the file "a.txt" holds the bytes "ff fe 61 00 0a 00"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 1, content: 'x' }`
      Then the tool is refused with NOT_UTF8

    Scenario: More than 1 MiB is refused, and may be added to
      Given the file "a.txt" holds 1048577 bytes
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 1, content: 'x' }`
      Then the tool is refused with FILE_TOO_LARGE
      And the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      And the tool answers "appended to a.txt (it had no final line break); now 1048578 bytes"

    Scenario: Exactly 1 MiB is edited
      Given the file "a.txt" holds 1048576 bytes
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 1, content: 'x' }`
      Then the file "a.txt" now holds "x"

    Scenario Outline: <path> is refused with <code>
      Given a link "out" to "{outside}/secret.txt"
      And outside the root, the file "secret.txt" holds "secret"
      When the tool edit_file is called with `{ path: '<path>', mode: 'write', content: 'x' }`
      Then the tool is refused with <code>
      And the model sees a text with "<says>"
      And nothing on the disk has changed

      Examples:
        | path       | code              | says                                                        |
        | ../x       | PATH_TRAVERSAL    | error:                                                      |
        | out        | PATH_OUTSIDE_ROOT | error: cannot write out: outside the writable directories   |
        | none/x.txt | PARENT_NOT_FOUND  | error:                                                      |
