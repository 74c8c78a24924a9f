Feature: The first of eleven lines that applies decides
  A policy author reads them from the top: nothing further down undoes what stands above. Each line has a scenario in
  which it decides although a later line says otherwise, and a twin with the one thing changed. The audit log says which
  line it was.

  Background:
    Given unsafe mode with the write flag
    And the audit log is a file
    And the file "docs/a.md" holds "old\n"
    And the file ".env" holds "KEY=1\n"

  Rule: 1. A protected path is refused

    Scenario: No allow rule opens a protected path
      Given the policy:
        """
        mode: unsafe
        protectedPaths: ["docs/**"]
        permissions: { allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the tool is refused with PATH_PROTECTED
      And the model sees a text with "error: cannot write docs/a.md: protectedPaths of the policy covers it: docs/**"
      And decision line 1 says deny
      And the file "docs/a.md" now holds "old\n"

    Scenario: Its neighbour is judged by the rules
      Given the policy:
        """
        mode: unsafe
        protectedPaths: ["docs/b.md"]
        permissions: { allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "new\n"
      And decision line 7 says allow

  Rule: 2. A mode that is too low refuses

    Scenario Outline: In <mode> mode a write that a rule allows ends <end>
      Given the mode <mode>
      And the policy:
        """
        mode: unsafe
        permissions: { allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line <line> says <decision>

      Examples:
        | mode   | end       | holds | line | decision |
        | safe   | MODE_SAFE | old\n | 2    | deny     |
        | unsafe | written   | new\n | 7    | allow    |

  Rule: 3. A missing _unsafe_mode refuses

    Scenario Outline: With the context <context> a write that a rule allows is decided by line <line>
      Given the invocation context `<context>`
      And the policy:
        """
        mode: unsafe
        permissions: { allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line <line> says <decision>

      Examples:
        | context                | holds | line | decision |
        | {}                     | old\n | 3    | deny     |
        | { _unsafe_mode: true } | new\n | 7    | allow    |

  Rule: 4. A deny rule refuses

    Scenario Outline: deny <deny>, although everything is asked about and allowed: line <line>
      Given the approver answers once
      And the policy:
        """
        mode: unsafe
        permissions: { deny: ["<deny>"], ask: ["write(**)"], allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line <line> says <decision>
      And the approver is asked <times> times

      Examples:
        | deny                  | holds | line | decision | times |
        | write(docs/**)        | old\n | 4    | deny     | 0     |
        | edit_file(docs/a.md)  | old\n | 4    | deny     | 0     |
        | edit_file(**/*.md)    | old\n | 4    | deny     | 0     |
        | edit_file(docs/*.txt) | new\n | 6    | ask      | 1     |
        | file_write(docs/**)   | new\n | 6    | ask      | 1     |

    Scenario: The refusal has the code of a rule
      Given the policy:
        """
        mode: unsafe
        permissions: { deny: ["read(docs/**)"] }
        """
      When the tool file_read is called with `{ path: 'docs/a.md' }`
      Then the tool is refused with POLICY_DENIED
      And decision line 4 says deny

  Rule: 5. What is dangerous is asked about

    Scenario Outline: Neither rule nor threshold answers for <path>: line <line>
      Given the policy:
        """
        mode: unsafe
        approval: { threshold: dangerous }
        permissions: { allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: '<path>', mode: 'write', content: 'new\n' }`
      Then the file "<path>" now holds "<holds>"
      And decision line <line> says <decision>

      Examples:
        | path      | holds   | line | decision |
        | .env      | KEY=1\n | 5    | ask      |
        | docs/a.md | new\n   | 7    | allow    |

    Scenario Outline: <action> is dangerous
      Given the file "<path>" holds "text"
      And the policy:
        """
        mode: unsafe
        permissions: { allow: ["read(**)", "write(**)"] }
        """
      When the tool <tool> is called with `{ path: '<path>', <arguments> }`
      Then the tool is refused with APPROVAL_NEEDED
      And decision line 5 says ask

      Examples:
        | action               | tool       | path                  | arguments                    |
        | A git hook, written  | file_write | .git/hooks/pre-commit | content: 'x'                 |
        | A private key, read  | file_read  | .ssh/id_ed25519       |                              |
        | Credentials, edited  | edit_file  | .aws/credentials      | mode: 'append', content: 'x' |
        | An .env file, read   | file_read  | .env                  |                              |

    Scenario: A git hook is read as any other file
      Given the file ".git/hooks/pre-commit" holds "exit 0\n"
      And the policy:
        """
        mode: unsafe
        """
      When the tool file_read is called with `{ path: '.git/hooks/pre-commit' }`
      Then the result has text `'exit 0\n'`

    Scenario Outline: A yes for <scope>, given in this run, decides about the second write: asked <times> times
      Given the approver answers <scope>
      And the policy:
        """
        mode: unsafe
        permissions: { allow: ["run(**)"] }
        """
      When the program `write_file('.env', '1'); write_file('.env', '2')` runs
      Then the file ".env" now holds "2"
      And the approver is asked <times> times
      And decision line 5 says <decision>

      Examples:
        | scope | times | decision |
        | run   | 1     | allow    |
        | once  | 2     | ask      |

  Rule: 6. An ask rule asks, unless a grant covers it

    Scenario Outline: ask <ask>, although everything is allowed: line <line>
      Given the policy:
        """
        mode: unsafe
        permissions: { ask: ["<ask>"], allow: ["write(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line <line> says <decision>

      Examples:
        | ask               | holds | line | decision |
        | edit_file(docs/*) | old\n | 6    | ask      |
        | edit_file(src/*)  | new\n | 7    | allow    |

    Scenario: A kept grant answers it
      Given the approver answers project
      And the policy:
        """
        mode: unsafe
        permissions: { ask: ["edit_file(**)"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      And the tool edit_file is called with `{ path: 'docs/a.md', mode: 'append', content: 'more\n' }`
      Then the file "docs/a.md" now holds "new\nmore\n"
      And the approver is asked once
      And decision line 6 says allow

  Rule: 7. An allow rule allows

    Scenario Outline: allow <allow>: line <line>
      Given the policy:
        """
        mode: unsafe
        permissions: { allow: ["<allow>"] }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line <line> says <decision>

      Examples:
        | allow               | holds | line | decision |
        | edit_file(docs/**)  | new\n | 7    | allow    |
        | write(**)           | new\n | 7    | allow    |
        | file_write(docs/**) | old\n | 11   | ask      |
        | edit_file(src/**)   | old\n | 11   | ask      |

    Scenario: A helper is judged as its tool
      Given the policy:
        """
        mode: unsafe
        permissions: { allow: ["run(**)", "file_write(docs/**)"] }
        """
      When the program `write_file('docs/a.md', 'new')` runs
      Then the file "docs/a.md" now holds "new"
      And decision line 7 says allow

  Rule: 8. A level below the threshold is allowed

    Scenario Outline: With the threshold <threshold> an edit is decided by line <line>
      Given the policy:
        """
        mode: unsafe
        approval: { threshold: <threshold> }
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line <line> says <decision>

      Examples:
        | threshold | holds | line | decision |
        | dangerous | new\n | 8    | allow    |
        | moderate  | old\n | 11   | ask      |
        | safe      | old\n | 11   | ask      |

    Scenario: With the threshold safe a read is asked about as well
      Given the policy:
        """
        mode: unsafe
        approval: { threshold: safe }
        """
      When the tool file_read is called with `{ path: 'docs/a.md' }`
      Then the tool is refused with APPROVAL_NEEDED
      And decision line 11 says ask

    Scenario: With the threshold moderate a read is not
      Given the policy:
        """
        mode: unsafe
        approval: { threshold: moderate }
        """
      When the tool file_read is called with `{ path: 'docs/a.md' }`
      Then the result has text `'old\n'`

  Rule: 9. A grant that covers it allows

    Scenario Outline: A grant for edit_file decides about <tool> by line <line>
      Given the approver answers project
      And the policy:
        """
        mode: unsafe
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'x' }`
      And the tool <tool> is called with `<arguments>`
      Then decision line <line> says <decision>
      And the approver is asked <times> times

      Examples:
        | tool       | arguments                                           | line | decision | times |
        | edit_file  | { path: 'docs/b.md', mode: 'write', content: 'x' }  | 9    | allow    | 1     |
        | file_write | { path: 'docs/b.md', content: 'x' }                 | 11   | ask      | 2     |

  Rule: 10. Without a policy file the operator's own flags are a yes

    Scenario: No policy file: mode and flag answer
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "new\n"
      And decision line 10 says allow

    Scenario: With a policy file, the policy decides
      Given the policy:
        """
        mode: unsafe
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the tool is refused with APPROVAL_NEEDED
      And decision line 11 says ask

    Scenario: They do not answer what is dangerous
      When the tool edit_file is called with `{ path: '.env', mode: 'write', content: 'KEY=2\n' }`
      Then the tool is refused with APPROVAL_NEEDED
      And decision line 5 says ask

  Rule: 11. Everything else is asked about

    Scenario Outline: The answer <answer> makes the edit end with "<holds>"
      Given the approver answers <answer>
      And the policy:
        """
        mode: unsafe
        """
      When the tool edit_file is called with `{ path: 'docs/a.md', mode: 'write', content: 'new\n' }`
      Then the file "docs/a.md" now holds "<holds>"
      And decision line 11 says ask

      Examples:
        | answer | holds |
        | once   | new\n |
        | no     | old\n |

    Scenario: A program in unsafe mode is itself asked about
      Given the policy:
        """
        mode: unsafe
        """
      When the program `return 1` runs
      Then the run is denied with APPROVAL_NEEDED
      And decision line 11 says ask

    Scenario: A program in safe mode is not
      Given safe mode
      And the policy:
        """
        mode: unsafe
        """
      When the program `return 1` runs
      Then the run completes with `1`
