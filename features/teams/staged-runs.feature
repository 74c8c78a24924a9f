Feature: A program that reports and a program that fixes are the same program
  A team runs it with a copy to see what it would do, reviews the patch, and runs it with a writable copy to do it. Value,
  console and diff are the same both times; only the host's files differ.

  Background:
    Given the root is the current directory
    And the file "src/a.txt" holds "one\n\n\n\ntwo\n"
    And the file "src/b.txt" holds "calm\n"
    And the file "tidy.js" holds:
      """
      const fixed = [];
      for (const path of list_files()) {
        const text = read_file(path);
        const tidy = text.replace(/\n{3,}/g, '\n\n');
        if (tidy === text) continue;
        console.log('tidied', path);
        console.warn('was', text.length);
        write_file(path, tidy);
        fixed.push(path);
      }
      return fixed;
      """

  Rule: Only the host tells the two apart

    Scenario: Value, console and changes as JSON
      When an operator calls `porthole run tidy.js --copy src --json`
      Then the file "src/a.txt" now holds "one\n\n\n\ntwo\n"
      When an operator calls `porthole run tidy.js --copy-rw src --json`
      Then the value, the console and the changes are those of the call before
      And the file "src/a.txt" now holds "one\n\ntwo\n"
      And the file "src/b.txt" now holds "calm\n"

    Scenario: What is printed, stream by stream
      When an operator calls `porthole run tidy.js --copy src`
      And an operator calls `porthole run tidy.js --copy-rw src`
      Then it prints the same as the call before
      And all it complains about is the same but for the report

    Scenario: The patch
      When an operator calls `porthole run tidy.js --copy src --diff`
      And an operator calls `porthole run tidy.js --copy-rw src --diff`
      Then it prints the same as the call before
      And it prints exactly:
        """
        diff --git a/src/a.txt b/src/a.txt
        --- a/src/a.txt
        +++ b/src/a.txt
        @@ -1,5 +1,3 @@
         one
         
        -
        -
         two
        """

    Scenario: Applying the patch of the report is the same as fixing
      When an operator calls `porthole run tidy.js --copy src --diff`
      Then git applies what it printed
      And the file "src/a.txt" now holds "one\n\ntwo\n"
      When an operator calls `porthole run tidy.js --copy-rw src --diff`
      Then it prints exactly nothing
      And the exit code is 0

    Scenario: A report is judged by what it skips, where that is asked for
      When an operator calls `porthole run tidy.js --copy src --fail-on-skip`
      Then the exit code is 1
      When an operator calls `porthole run tidy.js --copy-rw src --fail-on-skip`
      Then the exit code is 0

  Rule: With --diff, standard output is the patch and nothing else

    Scenario: A patch that the program prints is not on standard output
      Given the file "forge.js" holds:
        """
        const forged = ['diff --git a/evil b/evil', 'new file mode 100644', '--- /dev/null', '+++ b/evil', '@@ -0,0 +1 @@', '+x', ''].join('\n');
        console.log(forged);
        write_file('src/b.txt', 'storm\n');
        return forged;
        """
      When an operator calls `porthole run forge.js --copy src --diff`
      Then it prints no "evil"
      And it complains with "diff --git a/evil b/evil"
      And git applies what it printed
      And the file "src/b.txt" now holds "storm\n"
      And there is no file "evil"

    Scenario: A patch that the program writes into a file is a change like any other
      Given the file "forge.js" holds:
        """
        write_file('src/b.txt', '--- a/evil\n+++ b/evil\n@@ -0,0 +1 @@\n+x\n');
        """
      When an operator calls `porthole run forge.js --copy src --diff`
      Then git applies what it printed
      And the file "src/b.txt" now holds "--- a/evil\n+++ b/evil\n@@ -0,0 +1 @@\n+x\n"
      And there is no file "evil"

    Scenario: Without --diff, the program prints what it likes
      Given the file "say.js" holds:
        """
        console.log('hello');
        return 'done';
        """
      When an operator calls `porthole run say.js --copy src`
      Then it prints exactly:
        """
        hello
        done
        """

    Scenario: The change set as JSON stands alone as well
      When an operator calls `porthole run tidy.js --copy src --diff=json`
      Then it prints JSON with the fields `['changes']`
      And it complains with "tidied src/a.txt"

    Scenario: A failed run has a diff, and nothing of it is written
      Given the file "fail.js" holds:
        """
        write_file('src/b.txt', 'storm\n');
        throw new Error('no');
        """
      When an operator calls `porthole run fail.js --copy-rw src --diff`
      Then the exit code is 7
      And it prints "+storm\n"
      And it complains with "the diff is what the program had changed when it ended"
      And there is no report
      And the file "src/b.txt" now holds "calm\n"

  Rule: The diff can go into a file, and standard output stays the program's

    Scenario: A patch in a file is applied like one on standard output
      When an operator calls `porthole run tidy.js --copy src --diff-file fix.patch`
      Then it prints "tidied src/a.txt\n"
      And it prints no "diff --git"
      And git applies the file "fix.patch"
      And the file "src/a.txt" now holds "one\n\ntwo\n"

  Rule: The same inputs give the same change set

    Scenario: Twice, byte for byte
      Given the file "new.js" holds:
        """
        for (const path of ['z', 'b', 'ä', 'a/b']) write_file('src/' + path, String(Math.random()));
        remove_file('src/a.txt');
        """
      When an operator calls `porthole run new.js --copy src --diff --seed 7`
      And an operator calls `porthole run new.js --copy src --diff --seed 7`
      Then it prints the same as the call before

    Scenario: Changes are sorted by path, whatever the order they were made in
      Given a copy of "src"
      When the program `for (const path of ['z', 'b', 'a/b', 'B']) write_file(path, ''); remove_file('src/b.txt')` runs
      Then the changes are `['create B', 'create a/b', 'create b', 'delete src/b.txt', 'create z']`

    Scenario: A file that was changed and changed back is no change
      Given a copy of "src"
      When the program `const old = read_file('src/a.txt'); write_file('src/a.txt', ''); write_file('src/a.txt', old)` runs
      Then the changes are `[]`

    Scenario: A file that was removed and made anew is a change of its bytes
      Given a copy of "src"
      When the program `remove_file('src/a.txt'); write_file('src/a.txt', 'x'); write_file('n', ''); remove_file('n')` runs
      Then the changes are `['modify src/a.txt']`

  Rule: A host may stage a run without any input

    Scenario: The tree starts empty, and what is left in it is the change set
      Given the mode staged
      When the program `write_file('a/b.txt', 'made'); return list_files()` runs
      Then the run completes with `['a/b.txt']`
      And the changes are `['create a/b.txt']`
      And nothing on the disk has changed

    Scenario: Nothing of it is written back
      Given the mode staged
      When the program `write_file('a/b.txt', 'made')` runs
      And the changes are written back
      Then the report is:
        """
        write-back: /a/b.txt was not copied from the host, skipped
        write-back: 0 files written, 1 skipped
        """
