Feature: The audit log can prove what happened
  Each event is a line that is chained to the one before. What a run is about to change is on record before it changes,
  and what cannot be recorded does not happen.

  Background:
    Given unsafe mode with the write flag
    And the audit log is a file
    And the file "a.txt" holds "old\n"

  Rule: Intent before, outcome after

    Scenario: A tool call that writes
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'write', content: 'new\n' }`
      Then the log holds the events:
        | run.start         |
        | tool.call         |
        | policy.decision   |
        | file.write.intent |
        | file.write        |
        | tool.result       |
        | run.end           |
      And the event file.write.intent has `{ path: 'a.txt', mode: 'write' }`
      And the event file.write has `{ path: 'a.txt', created: false, bytesBefore: 4, bytesAfter: 4 }`

    Scenario: A program that writes and reads
      When the program `write_file('b.txt', 'x'); return read_file('b.txt')` runs
      Then the run completes with `'x'`
      And the log holds the events:
        | run.start         |
        | policy.decision   |
        | policy.decision   |
        | file.write.intent |
        | file.write        |
        | file.read         |
        | run.end           |

    Scenario: A question and its answer stand before the intent
      Given the policy:
        """
        mode: unsafe
        """
      And the approver answers once
      When the tool file_write is called with `{ path: 'a.txt', content: 'new' }`
      Then the log holds the events:
        | run.start         |
        | tool.call         |
        | policy.decision   |
        | approval.asked    |
        | approval.answered |
        | file.write.intent |
        | file.write        |
        | tool.result       |
        | run.end           |
      And the event approval.answered has `{ decision: 'yes', level: 'moderate' }`

    Scenario: A refused edit has no intent
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', find: 'none', content: '' }`
      Then the log holds the events:
        | run.start    |
        | tool.call    |
        | file.refused |
        | tool.result  |
        | run.end      |
      And the event file.refused has `{ path: 'a.txt', code: 'FIND_NOT_FOUND' }`

    Scenario: A write that changed since it was approved has no intent
      Given the policy:
        """
        mode: unsafe
        """
      And the approver answers once and meanwhile "a.txt" becomes "other"
      When the tool file_write is called with `{ path: 'a.txt', content: 'new' }`
      Then the tool is refused with CHANGED_SINCE_READ
      And the log holds no "file.write.intent"

  Rule: Content is not in it, unless a policy says so

    Scenario: Neither content nor arguments
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'write', content: 'very secret' }`
      Then the log holds no "very secret"

    Scenario: A refused edit quotes neither the file nor the call
      Given the file "a.txt" holds "very secret\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', find: 'very  secret', content: '' }`
      Then the tool is refused with FIND_NOT_FOUND
      And the log holds no "secret"

    Scenario: Where content is asked for
      Given the policy:
        """
        mode: unsafe
        permissions: { allow: ["write(**)"] }
        audit: { path: ./audit.jsonl, content: true }
        """
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'write', content: 'very secret' }`
      Then the event file.write.intent has `{ content: 'very secret' }`

  Rule: What cannot be recorded does not happen

    Scenario: A log that was taken away refuses the write
      When the program `write_file('a.txt', 'first')` runs
      And the log is removed
      And the tool file_write is called with `{ path: 'a.txt', content: 'second' }`
      Then the tool is refused with AUDIT_UNAVAILABLE
      And the file "a.txt" now holds "first"

    Scenario: A log that is there records it
      When the program `write_file('a.txt', 'first')` runs
      And the tool file_write is called with `{ path: 'a.txt', content: 'second' }`
      Then the file "a.txt" now holds "second"

    Scenario: A log that goes away within a run refuses the next write of the program
      Given the policy:
        """
        mode: unsafe
        permissions: { allow: ["run(**)"] }
        """
      And the approver answers once and takes the log away
      When a program tries `write_file('a.txt', 'new')`
      Then it catches an Error with the code AUDIT_UNAVAILABLE
      And the file "a.txt" now holds "old\n"
      And the warnings are `['AUDIT_INCOMPLETE']`

    Scenario: A log that another runtime writes does not start
      Given somebody else writes the log
      When the tool edit_file is refused: `{ path: 'a.txt', mode: 'write', content: 'new' }`
      Then it is refused with AUDIT_UNAVAILABLE
      And the file "a.txt" now holds "old\n"

    Scenario: A log in a directory that is not there does not start
      Given the runtime option `{ audit: { path: '/none/audit.jsonl' } }`
      When a program is refused to start: `return 1`
      Then it is refused with AUDIT_UNAVAILABLE

  Rule: Whoever touches a line is found out, and the line is named

    Background:
      Given the program `write_file('a.txt', 'new'); write_file('b.txt', 'new')` has run
      And the log is closed

    Scenario: An untouched log is intact
      When an operator calls `porthole audit verify --audit {log}`
      Then it prints "{log}: intact, 9 events, head "
      And the exit code is 0

    Scenario: Altered
      When in the log "\"path\":\"b.txt\"" becomes "\"path\":\"c.txt\""
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:7: altered: event 7: "
      And the exit code is 1

    Scenario: Removed
      When line 4 of the log is removed
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:4: removed: an event is missing before this line, between events 3 and 5"
      And the exit code is 1

    Scenario: The first removed
      When line 1 of the log is removed
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:1: removed: an event is missing before this line, before event 2"
      And the exit code is 1

    Scenario: Moved
      When line 3 of the log is moved to the end
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:9: reordered: event 3 is not where it was written"
      And the exit code is 1

    Scenario: Repeated
      When line 5 of the log is written twice
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "repeated: event 5 stands there twice"
      And the exit code is 1

    Scenario: No event at all
      When in the log "{\"details\"" becomes "{details"
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:1: unreadable: "
      And the exit code is 1

    Scenario: A torn last line is damage, not tampering
      When the last line of the log is torn
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:10: torn: "
      And it prints "{log}: intact, 9 events"
      And the exit code is 0

    Scenario: The next run goes on behind a torn line
      When the last line of the log is torn
      And the program `return 1` runs
      And an operator calls `porthole audit verify --audit {log}`
      Then it complains with "{log}:10: torn: "
      And it prints "{log}: intact, 13 events"
      And the exit code is 0

    Scenario: A cut end shows against the head that was noted
      When the last line of the log is cut off
      And an operator calls `porthole audit verify --audit {log} --expect-head {head}`
      Then it complains with "head: the log ends with "
      And the exit code is 1

    Scenario: The whole log ends with the head that was noted
      When an operator calls `porthole audit verify --audit {log} --expect-head {head}`
      Then it prints "head {head}"
      And the exit code is 0

  Rule: Every outcome carries its receipt

    Scenario Outline: A run that ends <outcome>
      Given the limit timeMs of 2000
      When the program `<program>` runs
      Then the receipt has the outcome <outcome>
      And the log ends with the head of the receipt
      And an operator calls `porthole audit receipt {run} --json --audit {log}`
      And it prints the receipt of the run

      Examples:
        | outcome   | program                                                  |
        | completed | return 1                                                 |
        | failed    | throw new Error('no')                                    |
        | failed    | this is no program                                       |
        | limited   | write_file('a.txt', 'x'); return 'x'.repeat(5 * 2 ** 20) |

    Scenario: A run that is denied
      Given the policy:
        """
        mode: unsafe
        permissions: { deny: ["run(**)"] }
        """
      When the program `return 1` runs
      Then the run is denied with POLICY_DENIED
      And the receipt has the outcome denied
      And the receipt lists the refusals `[{ action: 'run', code: 'POLICY_DENIED' }]`

    Scenario: A run that is aborted tells what had landed
      When the run is aborted as soon as this program has written "b.txt":
        """
        write_file('b.txt', 'x');
        while (true) {}
        """
      Then the receipt has the outcome aborted
      And the receipt lists the files `[{ path: 'b.txt', created: true, bytes: 1 }]`

    Scenario: What it wrote, read and was refused
      When this program runs:
        """
        write_file('b.txt', 'xy');
        read_file('a.txt');
        try { read_file('none.txt'); } catch {}
        """
      Then the receipt lists the files `[{ path: 'b.txt', mode: 'w', created: true, bytes: 2 }]`
      And the receipt lists the reads `[{ path: 'a.txt', bytes: 4 }]`
      And the receipt lists the refusals `[{ action: 'file_read none.txt', code: 'NOT_FOUND' }]`

    Scenario: What was asked, and the answer
      Given the policy:
        """
        mode: unsafe
        permissions: { allow: ["run(**)"] }
        """
      And the approver answers run
      When the program `write_file('b.txt', 'x')` runs
      Then the receipt lists the approvals `[{ action: 'file_write w b.txt', level: 'moderate', decision: 'yes', scope: 'run' }]`

    Scenario: A long list is cut, and the rest counted
      When the program `for (let i = 0; i < 70; i++) write_file(i + '.txt', 'x')` runs
      Then the receipt lists 64 files and counts 6 more

    Scenario: Without a log file the receipt is there all the same
      Given the runtime option `{ audit: 'memory' }`
      When the program `write_file('b.txt', 'x')` runs
      Then the receipt lists the files `[{ path: 'b.txt' }]`
      And the receipt has the head "memory"

    Scenario: A policy switches the log off, and the receipt stays
      Given the runtime option `{ audit: 'memory' }`
      And the policy:
        """
        mode: unsafe
        permissions: { allow: ["run(**)", "write(**)"] }
        audit: { enabled: false }
        """
      When the program `write_file('b.txt', 'x')` runs
      Then the receipt lists the files `[{ path: 'b.txt' }]`
      And the receipt has the head "off"
