Feature: The operator decides afterwards what lands on the host
  A staged run is over before anything is written. Then a plan is made of what may land, held against what was copied,
  judged, and written file by file; each line of the report says what became of one file.

  Background:
    Given the root is the current directory
    And the file "src/a.ts" holds "one\n"
    And the file "src/b.ts" holds "two\n"
    And the file "notes/x.md" holds "x\n"

  Rule: 1 · Only a completed run is written back

    Scenario Outline: A program that <how> writes nothing, and exits <code>
      Given the file "fix.js" holds:
        """
        write_file('src/a.ts', 'new');
        <then>
        """
      When an operator calls `porthole run fix.js --copy-rw src --timeout 300ms`
      Then the exit code is <code>
      And there is no report
      And the file "src/a.ts" now holds "one\n"

      Examples:
        | how               | then                      | code |
        | throws            | throw new Error('no')     | 7    |
        | never settles     | await new Promise(() =>0) | 7    |
        | passes its limit  | for (;;);                 | 6    |
        | does not parse    | return (                  | 7    |

    Scenario: The twin that completes is written
      Given the file "fix.js" holds:
        """
        write_file('src/a.ts', 'new');
        """
      When an operator calls `porthole run fix.js --copy-rw src --timeout 5s`
      Then the exit code is 0
      And the report is:
        """
        write-back: src/a.ts
        write-back: 1 file written, 0 skipped
        """
      And the file "src/a.ts" now holds "new"

  Rule: 2 · Only what lies below a writable input is written

    Scenario: Writable, read-only and made up, in one run
      Given a writable copy of "src"
      And a copy of "notes"
      When the program `for (const path of list_files()) write_file(path, 'new'); write_file('scratch.txt', '')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts
        write-back: src/b.ts
        write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)
        write-back: /scratch.txt was not copied from the host, skipped
        write-back: 2 files written, 2 skipped
        """
      And the file "src/b.ts" now holds "new"
      And the file "notes/x.md" now holds "x\n"

    Scenario: The twin with a writable copy of the notes is written whole
      Given a writable copy of "src"
      And a writable copy of "notes"
      When the program `for (const path of list_files()) write_file(path, 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: notes/x.md
        write-back: src/a.ts
        write-back: src/b.ts
        write-back: 3 files written, 0 skipped
        """

    Scenario: A new file in a copied directory is written, with the directories it needs
      Given a writable copy of "src"
      When the program `write_file('src/lib/deep/c.ts', 'three\n')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/lib/deep/c.ts
        write-back: 1 file written, 0 skipped
        """
      And the file "src/lib/deep/c.ts" now holds "three\n"

    Scenario: A single file stands for itself alone
      Given a writable copy of "src/a.ts=/lib/a.ts"
      When the program `write_file('lib/a.ts', 'new'); write_file('lib/b.ts', 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts
        write-back: /lib/b.ts was not copied from the host, skipped
        write-back: 1 file written, 1 skipped
        """
      And the file "src/b.ts" now holds "two\n"

    Scenario: The longest input wins: what is read-only inside a writable directory stays
      Given a writable copy of "src"
      And a copy of "notes=/src/notes"
      When the program `write_file('src/notes/x.md', 'new'); write_file('src/notes/y.md', ''); write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts
        write-back: /src/notes/x.md was copied read-only, skipped (use --copy-rw to write it back)
        write-back: /src/notes/y.md was copied read-only, skipped (use --copy-rw to write it back)
        write-back: 1 file written, 2 skipped
        """

    Scenario: The longest input wins: what is writable inside a read-only directory lands
      Given a copy of "src"
      And a writable copy of "notes=/src/notes"
      When the program `write_file('src/notes/x.md', 'new'); write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: notes/x.md
        write-back: /src/a.ts was copied read-only, skipped (use --copy-rw to write it back)
        write-back: 1 file written, 1 skipped
        """

    Scenario: What a policy names is copied besides what the operator names
      Given the policy:
        """
        mode: staged
        staged: { copyRw: [root/src], exclude: ["b.*"] }
        permissions: { allow: ["run(**)", "writeback(**)"] }
        """
      And a copy of "notes"
      When the program `for (const path of list_files()) write_file(path, 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: {root}/src/a.ts
        write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)
        write-back: 1 file written, 1 skipped
        """

    Scenario: A file that was rewritten as it was is not written
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', read_file('src/a.ts'))` runs
      And the changes are written back
      Then the report is:
        """
        write-back: 0 files written, 0 skipped
        """
      And nothing on the disk has changed

  Rule: 3 · Deletions, modes and times are not carried

    Scenario: A deletion is never applied
      Given a writable copy of "src"
      When the program `remove_file('src/a.ts'); write_file('src/b.ts', 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/b.ts
        write-back: /src/a.ts was deleted in the run, skipped (deletions are never written back)
        write-back: 1 file written, 1 skipped
        """
      And the file "src/a.ts" now holds "one\n"

    Scenario Outline: An existing file keeps its mode <mode>
      Given the file "src/a.ts" has the mode <mode>
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the file "src/a.ts" now holds "new"
      And the file "src/a.ts" still has the mode <mode>

      Examples:
        | mode |
        | 600  |
        | 640  |
        | 664  |

  Rule: 4 · One broken pin, and nothing is written

    Scenario: A file with other bytes
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new'); write_file('src/b.ts', 'new')` runs
      Given the file "src/b.ts" holds "somebody else's"
      When the changes are written back
      Then the report is:
        """
        write-back: src/b.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 2 not written
        """
      And the exit code is 5
      And nothing on the disk has changed

    Scenario: A file of the same bytes that is another one
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And "src/a.ts" is replaced by a file with the same bytes
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 5
      And nothing on the disk has changed

    Scenario: The twin that is not of the plan may change
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      Given the file "src/b.ts" holds "somebody else's"
      When the changes are written back
      Then the report is:
        """
        write-back: src/a.ts
        write-back: 1 file written, 0 skipped
        """
      And the exit code is 0
      And the file "src/b.ts" now holds "somebody else's"

    Scenario: A file that is gone
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the file "src/a.ts" is removed
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 5
      And there is no file "src/a.ts"

    Scenario: Something that stands where a file is to be made
      Given a writable copy of "src"
      When the program `write_file('src/c.ts', 'new'); write_file('src/a.ts', 'new')` runs
      Given the file "src/c.ts" holds "somebody else's"
      When the changes are written back
      Then the report is:
        """
        write-back: src/c.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 2 not written
        """
      And the exit code is 5
      And the file "src/c.ts" now holds "somebody else's"

    Scenario: A directory that is another one
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And "src" is moved to "old"
      Given the file "src/a.ts" holds "one\n"
      When the changes are written back
      Then the report is:
        """
        write-back: src/a.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 5

  Rule: 5 · A link in the place of a target or on its way is refused

    Scenario: In the place of the file
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And "src/a.ts" becomes a link to "{outside}/a.ts"
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts is a symlink or resolves outside its input; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 1
      And nothing on the disk has changed

    Scenario: On the way to the file, also where it leads back inside
      Given the file "src/lib/c.ts" holds "three\n"
      And a writable copy of "src"
      When the program `write_file('src/lib/c.ts', 'new'); write_file('src/a.ts', 'new')` runs
      And "src/lib" becomes a link to "{root}/notes"
      And the changes are written back
      Then the report is:
        """
        write-back: src/lib/c.ts is a symlink or resolves outside its input; nothing written
        write-back: 0 files written, 0 skipped, 2 not written
        """
      And nothing on the disk has changed

    Scenario: In the place of the input itself
      Given a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And "src" becomes a link to "{outside}"
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts is a symlink or resolves outside its input; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 1
      And nothing on the disk has changed

    Scenario: Where a new file is to be made
      Given a writable copy of "src"
      And a link "aside" to "{outside}/none.ts"
      When the program `write_file('src/c.ts', 'new')` runs
      And "aside" is moved to "src/c.ts"
      And the changes are written back
      Then the report is:
        """
        write-back: src/c.ts is a symlink or resolves outside its input; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 1

    Scenario: The twin whose input is reached through a link on its way is written
      Given a link "door" to "{root}"
      And a writable copy of "door/src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: door/src/a.ts
        write-back: 1 file written, 0 skipped
        """
      And the file "src/a.ts" now holds "new"

  Rule: 6 · The gate is asked once for the set

    Scenario: One question holds every file
      Given the policy:
        """
        mode: staged
        """
      And the approver answers once
      And a writable copy of "src"
      When the program `for (const path of list_files()) write_file(path, 'new\n')` runs
      And the changes are written back
      Then the approver is asked once
      And the question has:
        | action | writeback of 2 files |
        | level  | moderate             |
        | files  | 2                    |

    Scenario: The question shows the diff
      Given the policy:
        """
        mode: staged
        """
      And the approver answers once
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new\n')` runs
      And the changes are written back
      Then the question shows the diff:
        """
        diff --git a/src/a.ts b/src/a.ts
        --- a/src/a.ts
        +++ b/src/a.ts
        @@ -1 +1 @@
        -one
        +new
        """

    Scenario: A no writes nothing
      Given the policy:
        """
        mode: staged
        """
      And the approver answers no
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the exit code is 4
      And nothing on the disk has changed

    Scenario: A file that changes while somebody is asked is not overwritten
      Given the policy:
        """
        mode: staged
        """
      And the approver answers once and meanwhile "src/a.ts" becomes "somebody else's"
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the exit code is 5
      And the file "src/a.ts" now holds "somebody else's"

    Scenario: Without a policy the flag is the yes
      Given the approver answers no
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then nobody is asked
      And the exit code is 0

    Scenario: What is dangerous is asked about all the same
      Given the approver answers no
      And the file "src/.env" holds "KEY=1\n"
      And a writable copy of "src"
      When the program `write_file('src/.env', 'KEY=2\n')` runs
      And the changes are written back
      Then the approver is asked once
      And the file "src/.env" now holds "KEY=1\n"

    Scenario: A rule that denies one file denies the set
      Given the policy:
        """
        mode: staged
        permissions: { allow: ["writeback(**)"], deny: ["writeback(src/b.ts)"] }
        """
      And a writable copy of "src"
      When the program `for (const path of list_files()) write_file(path, 'new')` runs
      And the changes are written back
      Then the exit code is 3
      And nothing on the disk has changed

    Scenario: The twin that leaves that file alone is written, and nobody is asked
      Given the policy:
        """
        mode: staged
        permissions: { allow: ["writeback(**)"], deny: ["writeback(src/b.ts)"] }
        """
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then nobody is asked
      And the exit code is 0
      And the file "src/a.ts" now holds "new"

    Scenario: A policy whose mode is below staged refuses the copy
      Given the file "porthole.policy.yaml" holds:
        """
        porthole: 1
        mode: safe
        """
      And the file "fix.js" holds:
        """
        write_file('src/a.ts', 'new');
        """
      When an operator calls `porthole run fix.js --copy-rw src`
      Then the exit code is 2
      And it complains with "mode staged"
      And the file "src/a.ts" now holds "one\n"

    Scenario: A policy that asks, with nobody to ask
      Given the policy:
        """
        mode: staged
        permissions: { ask: ["writeback(**)"] }
        """
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the exit code is 4
      And nothing on the disk has changed

  Rule: 6 · Each file lands by itself, with its intent on record before

    Scenario: The log holds the plan and every file
      Given the audit log is a file
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the event writeback.plan has `{ files: 1, skipped: 0, paths: ['src/a.ts'] }`
      And the event file.write.intent has `{ path: 'src/a.ts' }`
      And the event writeback.file has `{ path: 'src/a.ts', created: false, bytesBefore: 4, bytesAfter: 3 }`

    Scenario: A host file that the run changed in two places of the tree is not written, nor is anything else
      Given a writable copy of "src"
      And a writable copy of "src/a.ts=/again.ts"
      When the program `for (const path of list_files()) write_file(path, 'new in ' + path)` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/a.ts: the run changed it in two places of the tree, here and at /src/a.ts
        write-back: src/a.ts: the run changed it in two places of the tree, here and at /again.ts
        write-back: 0 files written, 0 skipped, 3 not written
        """
      And the exit code is 1
      And nothing on the disk has changed

    Scenario: What cannot be made on the host is found out before the first file lands
      Given a writable copy of "src"
      When the program `remove_file('src/b.ts'); write_file('src/b.ts/c.ts', ''); write_file('src/a.ts', 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/b.ts/c.ts: a component of the path is not a directory
        write-back: /src/b.ts was deleted in the run, skipped (deletions are never written back)
        write-back: 0 files written, 1 skipped, 2 not written
        """
      And the exit code is 1
      And nothing on the disk has changed

  Rule: 7 · The report names files as the operator did

    Scenario Outline: "<input>" is reported as <line>
      Given a writable copy of "<input>"
      When the program `for (const path of list_files()) if (path.endsWith('a.ts')) write_file(path, 'new')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: <line>
        write-back: 1 file written, 0 skipped
        """

      Examples:
        | input           | line            |
        | src             | src/a.ts        |
        | src/            | src/a.ts        |
        | ./src           | ./src/a.ts      |
        | src=/elsewhere  | src/a.ts        |
        | src/a.ts        | src/a.ts        |
        | ./src/a.ts=/b/  | ./src/a.ts      |

    Scenario: A name cannot forge a line of the report
      Given a writable copy of "src"
      When the program `write_file('src/x\\nwrite-back: 9 files written, 0 skipped', '')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: src/x\nwrite-back: 9 files written, 0 skipped
        write-back: 1 file written, 0 skipped
        """

    Scenario: The report goes to standard error, the value to standard output
      Given the file "fix.js" holds:
        """
        write_file('src/a.ts', 'new');
        return 'done';
        """
      When an operator calls `porthole run fix.js --copy-rw src`
      Then it prints exactly:
        """
        done
        """
      And the report is:
        """
        write-back: src/a.ts
        write-back: 1 file written, 0 skipped
        """

  Rule: 8 · The exit code says what became of the set

    Scenario: Skips are no failure, unless they are asked to be one
      Given a copy of "notes"
      When the program `write_file('notes/x.md', 'new')` runs
      And the changes are written back
      Then the exit code is 0
      When the changes are written back, skips not being allowed
      Then the exit code is 1

    Scenario: With nothing skipped, the same flag changes nothing
      Given a writable copy of "notes"
      When the program `write_file('notes/x.md', 'new')` runs
      And the changes are written back, skips not being allowed
      Then the exit code is 0

    Scenario: A broken pin counts more than a link
      Given a writable copy of "src"
      When the program `for (const path of list_files()) write_file(path, 'new')` runs
      And "src/a.ts" becomes a link to "{outside}/a.ts"
      Given the file "src/b.ts" holds "somebody else's"
      When the changes are written back
      Then the report is:
        """
        write-back: src/a.ts is a symlink or resolves outside its input; nothing written
        write-back: src/b.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 2 not written
        """
      And the exit code is 5

  Rule: 9 · A dry run plans, asks nobody, and exits as the real one would

    Scenario: What would be written
      Given a writable copy of "src"
      And a copy of "notes"
      When the program `for (const path of list_files()) write_file(path, 'new')` runs
      And the write-back is planned only
      Then the report is:
        """
        write-back: would write src/a.ts
        write-back: would write src/b.ts
        write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)
        write-back: would write 2 files, 1 skipped
        """
      And the exit code is 0
      And nothing on the disk has changed

    Scenario: Nobody is asked where the real run would ask
      Given the policy:
        """
        mode: staged
        """
      And the approver answers once
      And a writable copy of "src"
      When the program `write_file('src/a.ts', 'new')` runs
      And the write-back is planned only
      Then nobody is asked
      And nothing on the disk has changed

    Scenario: A denial ends it as it would the real one
      Given the policy:
        """
        mode: staged
        permissions: { deny: ["writeback(src/b.ts)"] }
        """
      And a writable copy of "src"
      When the program `write_file('src/b.ts', 'new')` runs
      And the write-back is planned only
      Then the exit code is 3

    Scenario: A broken pin ends it as it would the real one
      Given a writable copy of "src"
      When the program `write_file('src/b.ts', 'new')` runs
      Given the file "src/b.ts" holds "somebody else's"
      When the write-back is planned only
      Then the report is:
        """
        write-back: src/b.ts was replaced during the run; nothing written
        write-back: 0 files written, 0 skipped, 1 not written
        """
      And the exit code is 5

    Scenario: A link ends it as it would the real one
      Given a writable copy of "src"
      When the program `write_file('src/b.ts', 'new')` runs
      And "src/b.ts" becomes a link to "{outside}/b.ts"
      And the write-back is planned only
      Then the exit code is 1
