Feature: An agent file gets no further than its author may

  Whoever writes an agent file does not decide what it may do: the context, the mode and the files are the operator's.

  Rule: Expressions know the value and the context, and no file in any mode

    Scenario Outline: No helper and no console, in <mode> mode
      Given the mode <mode>
      And the invocation context `{ _unsafe_mode: true }`
      When this agent file runs:
        """
        porthole: 1
        agents:
          begin: { type: tool, code: 'return 1' }
          end:   { type: tool, code: 'return input_data' }
        bridges:
          - from: begin
            to: end
            transform:
              fn: '["read_file", "write_file", "list_files", "remove_file", "console"].filter((name) => name in globalThis || eval("typeof " + name) !== "undefined")'
        start: begin
        """
      Then the workflow's value is []

      Examples:
        | mode   |
        | safe   |
        | unsafe |

    Scenario: An expression that does not end is ended
      When this agent file runs:
        """
        porthole: 1
        agents:
          begin: { type: tool, code: 'return 1' }
          end:   { type: tool, code: 'return 2' }
        bridges: [{ from: begin, to: end, when: '(() => { for (;;); })()' }]
        start: begin
        """
      Then the workflow is limited by time at line 5

  Rule: What an agent file may not say is refused before anything runs, at its line and column

    Scenario Outline: <attack>
      When an agent file is checked that has <text> as its agent "a"
      Then it is refused at <place> because <reason>

      Examples:
        | attack                              | text                                                                      | place | reason                     |
        | The flag among arguments            | { type: tool, tool: file_read, with: { path: a, _unsafe_mode: true } }    | 3:54  | cannot set "_unsafe_mode"  |
        | A context of its own                | { type: tool, code: '1', context: {} }                                    | 3:31  | cannot set the context     |
        | Code that closes what stands around | { type: tool, code: '} steal(); {' }                                      | 3:29  | the code of agent "a"      |
        | A path out of the root              | { type: tool, tool: file_read, with: { path: ../../etc/passwd } }         | 3:51  | PATH_TRAVERSAL             |
        | A tag that makes objects            | !!js/function 'return 1'                                                  | 3:6   | tag                        |
        | Wider than anybody may be           | { type: tool, code: '1', limits: { timeMs: 100000000 } }                  | 3:49  | expected at most           |
        | A tool that is none                 | { type: tool, tool: shell }                                               | 3:26  | expected "file_read"       |

    Scenario: An agent called like the prototype of everything
      When an agent file is checked that says:
        """
        porthole: 1
        agents:
          __proto__: { type: tool, code: 'return 1' }
        start: a
        """
      Then it is refused at 3:3 because the key "__proto__"

    Scenario: A cycle without an end
      When an agent file is checked that says:
        """
        porthole: 1
        agents:
          a: { type: tool, code: 'return 1' }
        bridges: [{ from: a, to: a }]
        start: a
        """
      Then it is refused at 4:11 because the cycle a → a

    Scenario: Two expressions where one belongs
      When an agent file is checked that says:
        """
        porthole: 1
        agents:
          a: { type: tool, code: 'return 1', maxVisits: 2 }
        bridges: [{ from: a, to: a, when: '1); steal(); (true' }]
        start: a
        """
      Then it is refused at 4:37 because the predicate of bridge a → a
