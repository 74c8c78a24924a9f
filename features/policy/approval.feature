Feature: A person decides, about exactly what will land
  What needs approval waits for an approver. Silence refuses, a yes counts for what was shown and no more, and a yes of a
  wider scope leaves a grant that answers later questions.

  Background:
    Given unsafe mode with the write flag
    And the audit log is a file
    And the file "a.txt" holds "one\ntwo\n"
    And the policy:
      """
      mode: unsafe
      permissions: { allow: ["run(**)"] }
      """

  Rule: The question shows what would land

    Scenario: An edit
      Given the approver answers once
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 2, content: 'TWO' }`
      Then the question has:
        | action | edit_file replace a.txt       |
        | level  | moderate                      |
        | reason | nothing has answered it ahead |
        | root   | {root}                        |
        | scopes | once project always           |
      And the question shows the diff:
        """
        diff --git a/a.txt b/a.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1,2 @@
         one
        -two
        +TWO
        """
      And the file "a.txt" now holds "one\nTWO\n"

    Scenario: A new file
      Given the approver answers once
      When the tool file_write is called with `{ path: 'b.txt', content: 'x\n' }`
      Then the question shows the diff:
        """
        diff --git a/b.txt b/b.txt
        new file mode 100644
        --- /dev/null
        +++ b/b.txt
        @@ -0,0 +1 @@
        +x
        """
      And the file "b.txt" now holds "x\n"

    Scenario: A helper's write, as that of its tool
      Given the approver answers once
      When the program `write_file('a.txt', 'three\n', 'a')` runs
      Then the question has:
        | action | file_write a a.txt |
        | name   | file_write         |
        | files  | 1                  |
      And the file "a.txt" now holds "one\ntwo\nthree\n"

    Scenario: A program, by mode and digest
      Given the approver answers once
      And the policy:
        """
        mode: unsafe
        """
      When the program `return 1` runs
      Then the run completes with `1`
      And the question has:
        | action | run unsafe sha256:486d9affb60dbb0063b03d8e23a6ccf6364ce203dc3a9f56f20e750eb41ecade |
        | level  | moderate |

    Scenario: A dry run asks nobody
      Given the approver answers once
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 2, content: 'TWO', dry_run: true }`
      Then the model sees a text with "dry run: would have replaced at line 2 of a.txt"
      And nobody is asked
      And the file "a.txt" now holds "one\ntwo\n"

    Scenario: What fails anyway is not asked about
      Given the approver answers once
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', find: 'three', content: '' }`
      Then the tool is refused with FIND_NOT_FOUND
      And nobody is asked

  Rule: Only a clear yes is a yes

    Scenario: Nobody to ask
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      Then the tool is refused with APPROVAL_NEEDED
      And the model sees a text with "error: edit not approved: it needs approval and there is nobody to ask"
      And the file "a.txt" now holds "one\ntwo\n"

    Scenario: A no
      Given the approver answers no
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      Then the tool is refused with APPROVAL_DENIED
      And the model sees a text with "error: edit not approved: "
      And the file "a.txt" now holds "one\ntwo\n"

    Scenario: Silence, until the time is over
      Given the approver never answers
      And the policy:
        """
        mode: unsafe
        approval: { timeoutMs: 20 }
        """
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      Then the tool is refused with APPROVAL_DENIED
      And the model sees a text with "error: edit not approved: timed out"
      And the approver is told that the answer no longer counts
      And the file "a.txt" now holds "one\ntwo\n"

    Scenario: A yes within the time
      Given the approver answers once
      And the policy:
        """
        mode: unsafe
        approval: { timeoutMs: 60000 }
        """
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      Then the file "a.txt" now holds "one\ntwo\nx"

    Scenario: An approver that fails
      Given the approver fails
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      Then the tool is refused with APPROVAL_DENIED
      And the model sees a text with "the pager is off"
      And the file "a.txt" now holds "one\ntwo\n"

    Scenario Outline: The value <value> makes the file hold "<holds>"
      Given the approver answers with the value `<value>`
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'write', content: 'new' }`
      Then the file "a.txt" now holds "<holds>"

      Examples:
        | value             | holds      |
        | undefined         | one\ntwo\n |
        | 'yes'             | one\ntwo\n |
        | 'forever'         | one\ntwo\n |
        | 1                 | one\ntwo\n |
        | { scope: 'once' } | one\ntwo\n |
        | true              | new        |
        | 'once'            | new        |

    Scenario: A run that is aborted while the question is open writes nothing
      Given the approver never answers
      When the run is aborted once this program has made somebody ask:
        """
        write_file('a.txt', 'new');
        """
      Then the run is aborted because of "enough"
      And the approver is told that the answer no longer counts
      And the file "a.txt" now holds "one\ntwo\n"

  Rule: A yes counts for the bytes that were shown

    Scenario: The file changed while the question was open
      Given the approver answers once and meanwhile "a.txt" becomes "one\nother\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 2, content: 'TWO' }`
      Then the tool is refused with CHANGED_SINCE_READ
      And the file "a.txt" now holds "one\nother\n"

    Scenario: Another file changed
      Given the approver answers once and meanwhile "b.txt" becomes "other"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 2, content: 'TWO' }`
      Then the file "a.txt" now holds "one\nTWO\n"

    Scenario Outline: A <scope> that comes after the change does not let it land either
      Given the approver answers <scope> and meanwhile "a.txt" becomes "other"
      When the tool file_write is called with `{ path: 'a.txt', content: 'new' }`
      Then the tool is refused with CHANGED_SINCE_READ
      And the file "a.txt" now holds "other"

      Examples:
        | scope   |
        | run     |
        | project |
        | always  |

    Scenario: A file that appeared where there was none
      Given the approver answers once and meanwhile "b.txt" becomes "other"
      When the tool edit_file is called with `{ path: 'b.txt', mode: 'write', content: 'new' }`
      Then the tool is refused with CHANGED_SINCE_READ
      And the file "b.txt" now holds "other"

    Scenario: A helper's file changed while the question was open
      Given the approver answers once and meanwhile "a.txt" becomes "other"
      When a program tries `write_file('a.txt', 'new')`
      Then it catches a ValueError with the code CHANGED_SINCE_READ
      And the file "a.txt" now holds "other"

    Scenario: The policy changed while the question was open
      Given the policy "rules.yaml" in the root:
        """
        mode: unsafe
        """
      And the approver answers once and meanwhile "rules.yaml" becomes "porthole: 1\nmode: safe\n"
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'replace', line: 2, content: 'TWO' }`
      Then the tool is refused with CHANGED_SINCE_READ
      And the file "a.txt" now holds "one\ntwo\n"

  Rule: A wider yes leaves a grant, and a grant ends where its scope ends

    Scenario Outline: After <scope>, the same tool in another process: asked <times> times
      Given the approver answers <scope>
      When edit_file is used
      And the operator starts anew
      And edit_file is used
      Then each use is done
      And the approver is asked <times> times

      Examples:
        | scope   | times |
        | once    | 2     |
        | run     | 2     |
        | project | 1     |
        | always  | 1     |

    Scenario Outline: After <scope>, the same tool on another root: asked <times> times
      Given the approver answers <scope>
      And a directory "other"
      When edit_file is used
      And the operator starts anew with the root "other"
      And edit_file is used
      Then each use is done
      And the approver is asked <times> times

      Examples:
        | scope   | times |
        | project | 2     |
        | always  | 1     |

    Scenario: A revoked grant answers no more
      Given the approver answers project
      When edit_file is used
      And an operator calls `porthole approvals revoke --all`
      And edit_file is used
      Then each use is done
      And the approver is asked 2 times

    Scenario: A grant is listed with what it covers
      Given the approver answers project
      When edit_file is used
      And an operator calls `porthole approvals list`
      Then it prints "edit_file *  up to moderate, below {root}"
      And the exit code is 0

    Scenario: Nothing is listed after a yes for once
      Given the approver answers once
      When edit_file is used
      And an operator calls `porthole approvals list --json`
      Then it prints the JSON `[]`

  Rule: A yes about something dangerous ends with its run

    Scenario Outline: <answer> about .env is kept for the run only
      Given the file ".env" holds "KEY=1\n"
      And the approver answers <answer>
      When the tool edit_file is called with `{ path: '.env', mode: 'append', content: 'A=1\n' }`
      And the tool edit_file is called with `{ path: '.env', mode: 'append', content: 'B=1\n' }`
      Then the file ".env" now holds "KEY=1\nA=1\nB=1\n"
      And the approver is asked 2 times
      And the event approval.answered has `{ level: 'dangerous', scope: 'run', downgradedFrom: '<answer>' }`

      Examples:
        | answer  |
        | project |
        | always  |

    Scenario Outline: The same answer about an ordinary file is kept
      Given the approver answers <answer>
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'A=1\n' }`
      And the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'B=1\n' }`
      Then the approver is asked once
      And the event approval.answered has `{ level: 'moderate', scope: '<answer>', downgradedFrom: undefined }`

      Examples:
        | answer  |
        | project |
        | always  |

    Scenario: The question does not offer to keep it
      Given the approver answers once
      When the tool edit_file is called with `{ path: '.env', mode: 'write', content: 'KEY=1\n' }`
      Then the question has:
        | level  | dangerous                                                            |
        | reason | the path is one where credentials are kept: only a person answers it |
        | scopes | once                                                                 |

    Scenario: A program's question offers its run
      Given the approver answers once
      When the program `write_file('.env', '')` runs
      Then the question has:
        | reason | the path is one where credentials are kept: only a person answers it |
        | scopes | once run                                                             |

    Scenario: A kept grant for moderate edits does not cover it
      Given the approver answers always
      When the tool edit_file is called with `{ path: 'a.txt', mode: 'append', content: 'x' }`
      And the tool edit_file is called with `{ path: '.env', mode: 'write', content: 'KEY=1\n' }`
      Then the approver is asked 2 times

    Scenario: In its run, a yes for something dangerous covers what is less
      Given the approver answers run
      When the program `write_file('.env', '1'); write_file('a.txt', '1')` runs
      Then the run completes
      And the approver is asked once

  Rule: No yes lets an unsafe run write what decides about the next

    Scenario Outline: <file> is not written, and nobody is asked
      Given the root is the current directory
      And the state directory is "state/porthole" in the root
      And a directory "state/porthole"
      And the policy "rules.yaml" in the root:
        """
        mode: unsafe
        approval: { threshold: dangerous }
        permissions: { allow: ["run(**)", "write(**)"] }
        """
      And the approver answers always
      When program and tool write "porthole: 1" to "<file>"
      Then both are refused with PATH_PROTECTED

      Examples:
        | file                       |
        | rules.yaml                 |
        | porthole.policy.yaml       |
        | porthole.policy.json       |
        | state/porthole/grants.json |

    Scenario Outline: edit_file writes <file> as little: nobody is asked
      Given the root is the current directory
      And the policy "rules.yaml" in the root:
        """
        mode: unsafe
        """
      And the approver answers always
      When the tool edit_file is called with `{ path: '<file>', mode: 'append', content: 'mode: unsafe' }`
      Then the tool is refused with PATH_PROTECTED
      And the model sees a text with "error: cannot write <file>: it belongs to porthole itself"
      And nobody is asked

      Examples:
        | file                 |
        | rules.yaml           |
        | porthole.policy.yaml |

    Scenario: Any other name is written
      Given the root is the current directory
      And the approver answers once
      When the tool edit_file is called with `{ path: 'rules.yaml', mode: 'write', content: 'x' }`
      Then the file "rules.yaml" now holds "x"
