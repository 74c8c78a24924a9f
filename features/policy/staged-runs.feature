Feature: The operator decides after a staged run what of it is kept
  A program works on a private copy. What lands on the host is said on the command line, and only after it completed.

  Background:
    Given the file "src/a.ts" holds "one"
    And the file "src/b.ts" holds "two"
    And the file "notes/x.md" holds "note"
    And the file "shout.js" holds:
      """
      for (const path of list_files()) write_file(path, read_file(path).toUpperCase());
      """

  Rule: Reporting and fixing are one program with one output

    Scenario: With --copy, nothing on the host changes
      When an operator calls `porthole run {root}/shout.js --copy {root}/src --diff`
      Then the exit code is 0
      And it prints "+ONE"
      And the file "src/a.ts" now holds "one"
      And it complains with "write-back: /src/a.ts was copied read-only, skipped (use --copy-rw to write it back)"

    Scenario: With --copy-rw, the same changes land
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --diff`
      Then the exit code is 0
      And it prints "+ONE"
      And the file "src/a.ts" now holds "ONE"
      And it complains with "write-back: 2 files written, 0 skipped"

    Scenario: A dry run says what would land, and lands nothing
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --dry-run`
      Then the exit code is 0
      And it complains with "write-back: would write {root}/src/a.ts"
      And the file "src/a.ts" now holds "one"

  Rule: Only completed runs are written back

    Scenario: A program that fails after it wrote leaves the host as it was
      Given the file "fail.js" holds:
        """
        write_file('src/a.ts', 'half'); throw new Error('no');
        """
      When an operator calls `porthole run {root}/fail.js --copy-rw {root}/src --diff`
      Then the exit code is 7
      And it prints "+half"
      And the file "src/a.ts" now holds "one"

  Rule: Only files of an input that may be written are written back

    Scenario: What was copied read-only and what came from nowhere stay in the run
      Given the file "more.js" holds:
        """
        write_file('notes/x.md', 'changed'); write_file('scratch.txt', 'x'); write_file('src/new/c.ts', 'three');
        """
      When an operator calls `porthole run {root}/more.js --copy-rw {root}/src --copy {root}/notes`
      Then the exit code is 0
      And the file "src/new/c.ts" now holds "three"
      And the file "notes/x.md" now holds "note"
      And it complains with "write-back: /scratch.txt was not copied from the host, skipped"
      And it complains with "write-back: 1 file written, 2 skipped"

    Scenario: The longest input decides
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --copy {root}/src/b.ts=/src/b.ts`
      Then the file "src/a.ts" now holds "ONE"
      And the file "src/b.ts" now holds "two"

    Scenario: Skips make the exit code 1 where that is asked for
      When an operator calls `porthole run {root}/shout.js --copy {root}/src --fail-on-skip`
      Then the exit code is 1

  Rule: Deletions are shown and never applied

    Scenario: A removed file stays on the host
      Given the file "remove.js" holds:
        """
        remove_file('src/a.ts');
        """
      When an operator calls `porthole run {root}/remove.js --copy-rw {root}/src --diff`
      Then the exit code is 0
      And it prints "deleted file mode 100644"
      And the file "src/a.ts" now holds "one"

  Rule: Links are never copied

    Scenario: A link anywhere below an input is refused before the program starts
      Given a link "src/l" to "a.ts"
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src`
      Then the exit code is 1
      And it complains with "it is a symbolic link, and none is copied"
      And the file "src/a.ts" now holds "one"

    Scenario: One that is excluded is not in the way
      Given a link "src/l" to "a.ts"
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --exclude l`
      Then the exit code is 0
      And the file "src/a.ts" now holds "ONE"

  Rule: A mistake in the flags starts nothing

    Scenario Outline: <flags> is wrong usage
      When an operator calls `porthole run {root}/shout.js <flags>`
      Then the exit code is 2
      And it complains with "<about>"
      And the file "src/a.ts" now holds "one"

      Examples:
        | flags                                     | about                                           |
        | --copy {root}/src --unsafe                | --copy and --unsafe are both given              |
        | --dry-run                                 | --dry-run has no effect                         |
        | --copy-rw {root}/src --copy {root}/src    | it lands on /src                                |
        | --copy {root}/src=/a/../b                 | path contains                                   |
        | --copy {root}/src=lib                     | does not begin with                             |
        | --copy /                                  | the root of the file system has no name         |

  Rule: A policy decides about the set as a whole

    Scenario: One denied file keeps all of them back
      Given the file "policy.yaml" holds:
        """
        porthole: 1
        mode: staged
        permissions: { deny: ["writeback(**/b.ts)"], allow: ["writeback(**)"] }
        """
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --policy {root}/policy.yaml --no-input`
      Then the exit code is 3
      And the file "src/a.ts" now holds "one"

    Scenario: What it allows lands without a question
      Given the file "policy.yaml" holds:
        """
        porthole: 1
        mode: staged
        permissions: { allow: ["writeback(**)"] }
        """
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --policy {root}/policy.yaml --no-input`
      Then the exit code is 0
      And the file "src/a.ts" now holds "ONE"

    Scenario: What it says nothing about is asked, and silence refuses
      Given the file "policy.yaml" holds:
        """
        porthole: 1
        mode: staged
        """
      When an operator calls `porthole run {root}/shout.js --copy-rw {root}/src --policy {root}/policy.yaml --no-input`
      Then the exit code is 4
      And the file "src/a.ts" now holds "one"
