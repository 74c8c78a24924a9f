Feature: Mode, tool and answer are judged together
  A policy that asks about everything, each way to a file, and each answer an approver can give. What the mode or the
  flag forbids is never a question; what they allow is asked about as often as the scope of the answer says.

  Background:
    Given the file "a.txt" holds "old"
    And the policy:
      """
      mode: unsafe
      permissions:
        ask: ["read(**)", "write(**)"]
        allow: ["run(**)"]
      """

  Rule: In safe mode no answer lets anything change, and there are no helpers

    Scenario Outline: <surface> ends <end> where the approver would say <answer>
      Given safe mode
      And the invocation context `{ _unsafe_mode: true }`
      And the approver answers <answer>
      When <surface> is used in two runs
      Then each use ends <end>
      And nobody is asked
      And the file "a.txt" now holds "old"

      Examples:
        | surface    | answer  | end            |
        | read_file  | no      | ReferenceError |
        | read_file  | once    | ReferenceError |
        | read_file  | run     | ReferenceError |
        | read_file  | project | ReferenceError |
        | read_file  | always  | ReferenceError |
        | write_file | no      | ReferenceError |
        | write_file | once    | ReferenceError |
        | write_file | run     | ReferenceError |
        | write_file | project | ReferenceError |
        | write_file | always  | ReferenceError |
        | file_write | no      | MODE_SAFE      |
        | file_write | once    | MODE_SAFE      |
        | file_write | run     | MODE_SAFE      |
        | file_write | project | MODE_SAFE      |
        | file_write | always  | MODE_SAFE      |
        | edit_file  | no      | MODE_SAFE      |
        | edit_file  | once    | MODE_SAFE      |
        | edit_file  | run     | MODE_SAFE      |
        | edit_file  | project | MODE_SAFE      |
        | edit_file  | always  | MODE_SAFE      |

  Rule: Without the write flag no answer lets anything change

    Scenario Outline: <surface> ends UNSAFE_FLAG_MISSING where the approver would say <answer>
      Given unsafe mode
      And the approver answers <answer>
      When <surface> is used in two runs
      Then each use ends UNSAFE_FLAG_MISSING
      And nobody is asked
      And the file "a.txt" now holds "old"

      Examples:
        | surface    | answer  |
        | write_file | no      |
        | write_file | once    |
        | write_file | run     |
        | write_file | project |
        | write_file | always  |
        | file_write | no      |
        | file_write | once    |
        | file_write | run     |
        | file_write | project |
        | file_write | always  |
        | edit_file  | no      |
        | edit_file  | once    |
        | edit_file  | run     |
        | edit_file  | project |
        | edit_file  | always  |

  Rule: A tool call is a run of its own, so only a kept grant answers the next

    Scenario Outline: In <mode> mode, <tool> twice with the answer <answer>: asked <times> times
      Given the mode <mode>
      And the invocation context `{ _unsafe_mode: true }`
      And the approver answers <answer>
      When <tool> is used in two runs
      Then each use ends <end>
      And the approver is asked <times> times

      Examples:
        | mode   | tool       | answer  | end             | times |
        | safe   | file_read  | no      | APPROVAL_DENIED | 2     |
        | safe   | file_read  | once    | done            | 2     |
        | safe   | file_read  | run     | done            | 2     |
        | safe   | file_read  | project | done            | 1     |
        | safe   | file_read  | always  | done            | 1     |
        | unsafe | file_read  | no      | APPROVAL_DENIED | 2     |
        | unsafe | file_read  | once    | done            | 2     |
        | unsafe | file_read  | run     | done            | 2     |
        | unsafe | file_read  | project | done            | 1     |
        | unsafe | file_read  | always  | done            | 1     |
        | unsafe | file_write | no      | APPROVAL_DENIED | 2     |
        | unsafe | file_write | once    | done            | 2     |
        | unsafe | file_write | run     | done            | 2     |
        | unsafe | file_write | project | done            | 1     |
        | unsafe | file_write | always  | done            | 1     |
        | unsafe | edit_file  | no      | APPROVAL_DENIED | 2     |
        | unsafe | edit_file  | once    | done            | 2     |
        | unsafe | edit_file  | run     | done            | 2     |
        | unsafe | edit_file  | project | done            | 1     |
        | unsafe | edit_file  | always  | done            | 1     |

  Rule: A program calls a helper as often as it likes; the scope says how often that is a question

    Scenario Outline: <helper> twice in each of two programs with the answer <answer>: asked <times> times
      Given unsafe mode with the write flag
      And the approver answers <answer>
      When <helper> is used twice in each of two runs
      Then each use ends <end>
      And the approver is asked <times> times

      Examples:
        | helper     | answer  | end             | times |
        | read_file  | no      | APPROVAL_DENIED | 4     |
        | read_file  | once    | done            | 4     |
        | read_file  | run     | done            | 2     |
        | read_file  | project | done            | 1     |
        | read_file  | always  | done            | 1     |
        | write_file | no      | APPROVAL_DENIED | 4     |
        | write_file | once    | done            | 4     |
        | write_file | run     | done            | 2     |
        | write_file | project | done            | 1     |
        | write_file | always  | done            | 1     |

  Rule: A grant belongs to the tool, and the helper is the same tool

    Scenario Outline: A kept grant for <first> makes <second> a question or not: asked <times> times
      Given unsafe mode with the write flag
      And the approver answers project
      When <first> is used
      And <second> is used
      Then each use is done
      And the approver is asked <times> times

      Examples:
        | first      | second     | times |
        | write_file | file_write | 1     |
        | file_read  | read_file  | 1     |
        | file_write | edit_file  | 2     |
        | edit_file  | write_file | 2     |
        | read_file  | write_file | 2     |
        | write_file | read_file  | 2     |

  Rule: Flags and options narrow a policy and never widen it

    Scenario Outline: The ceiling <ceiling> does not start mode unsafe
      Given unsafe mode
      And the policy:
        """
        mode: <ceiling>
        """
      When a program is refused to start: `return 1`
      Then it is refused with ARGUMENT_INVALID
      And the refusal says "mode unsafe"
      And the refusal says "mode: <ceiling>"

      Examples:
        | ceiling |
        | safe    |
        | staged  |

    Scenario: The ceiling unsafe starts mode safe
      Given safe mode
      When the program `return 1` runs
      Then the run completes with `1`

    Scenario Outline: The option <option> is wider than the policy
      Given safe mode
      And the runtime option `<option>`
      And the policy:
        """
        limits: { timeMs: 1000 }
        audit: { enabled: false }
        """
      When a program is refused to start: `return 1`
      Then it is refused with ARGUMENT_INVALID
      And the refusal says "<names>"

      Examples:
        | option                       | names                 |
        | { limits: { timeMs: 1001 } } | limits.timeMs: 1000   |
        | { audit: { path: 'x' } }     | audit.enabled: false  |

    Scenario: A tool that the policy leaves out does not exist
      Given unsafe mode with the write flag
      And the policy:
        """
        mode: unsafe
        tools: [file_read]
        """
      When the tool edit_file is refused: `{ path: 'a.txt', mode: 'write', content: 'new' }`
      Then it is refused with ARGUMENT_INVALID

    Scenario Outline: What `policy explain` says of <action> in <mode> mode
      Given the policy "policy.yaml" in the root:
        """
        mode: unsafe
        permissions: { allow: ["write(docs/**)"] }
        """
      When an operator calls `porthole policy explain <action> docs/a.md --mode <mode> --policy {root}/policy.yaml`
      Then the exit code is 0
      And it prints "<decision>"
      And it prints "decided by line <line> of 11"

      Examples:
        | mode   | action     | decision        | line |
        | safe   | file_read  | allow: file_read | 8   |
        | safe   | read_file  | allow: file_read | 8   |
        | safe   | file_write | deny MODE_SAFE  | 2    |
        | safe   | write_file | deny MODE_SAFE  | 2    |
        | safe   | edit_file  | deny MODE_SAFE  | 2    |
        | staged | file_read  | allow: file_read | 8   |
        | staged | file_write | allow: file_write | 7  |
        | staged | edit_file  | allow: edit_file | 7   |
        | unsafe | file_read  | allow: file_read | 8   |
        | unsafe | file_write | allow: file_write | 7  |
        | unsafe | edit_file  | allow: edit_file | 7   |
