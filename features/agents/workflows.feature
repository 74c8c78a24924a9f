Feature: Agents of a workflow hand values to each other

  An agent file wires tools and programs together. Values flow along bridges, as data and never as source, and the whole
  is one run: it has one outcome and one receipt.

  Background:
    Given the file "notes.txt" holds "one two three"

  Rule: A value goes along the bridges whose predicates are true

    Scenario Outline: A predicate chooses the way
      Given the input `<input>`
      When this agent file runs:
        """
        porthole: 1
        agents:
          look: { type: tool, code: 'return input_data' }
          many: { type: tool, code: 'return "many"' }
          few:  { type: tool, code: 'return "few"' }
        bridges:
          - { from: look, to: many, when: 'input_data > 10' }
          - { from: look, to: few,  when: 'input_data <= 10' }
        start: look
        """
      Then the workflow's value is <value>

      Examples:
        | input | value  |
        | 11    | "many" |
        | 10    | "few"  |

    Scenario: What is neither true nor false is an error
      Given the input `5`
      When this agent file runs:
        """
        porthole: 1
        agents:
          look: { type: tool, code: 'return input_data' }
          next: { type: tool, code: 'return 1' }
        bridges:
          - { from: look, to: next, when: 'input_data' }
        start: look
        """
      Then the workflow fails with PREDICATE_NOT_BOOLEAN at line 6

    Scenario: A transform makes another value of it
      Given the input `[3, 1, 2]`
      When this agent file runs:
        """
        porthole: 1
        agents:
          sort: { type: tool, code: 'return input_data.toSorted()' }
          say:  { type: tool, code: 'return input_data' }
        bridges:
          - { from: sort, to: say, transform: { fn: 'input_data.join("-")' } }
        start: sort
        """
      Then the workflow's value is "1-2-3"

  Rule: Tools hand on what they read or did, and write what arrives

    Scenario: Read, count, write
      Given unsafe mode with the write flag
      When this agent file runs:
        """
        porthole: 1
        agents:
          load:  { type: tool, tool: file_read, with: { path: notes.txt } }
          count: { type: tool, code: 'return input_data.split(" ").length' }
          save:  { type: tool, tool: file_write, with: { path: count.txt } }
        bridges:
          - { from: load, to: count }
          - { from: count, to: save, transform: { fn: 'String(input_data)' } }
        start: load
        """
      Then the file "count.txt" now holds "3"
      And the receipt of the workflow names "notes.txt" as read and "count.txt" as written

    Scenario: In safe mode the same file runs up to the write
      When this agent file runs:
        """
        porthole: 1
        agents:
          load: { type: tool, tool: file_read, with: { path: notes.txt } }
          save: { type: tool, tool: file_write, with: { path: copy.txt } }
        bridges: [{ from: load, to: save }]
        start: load
        """
      Then the workflow is denied with MODE_SAFE at line 4
      And agent "load" was visited 1 time with the value "one two three"

  Rule: A failure ends the workflow, unless a bridge leads it on

    Scenario: A failed agent is named with its line in the file
      When this agent file runs:
        """
        porthole: 1
        agents:
          break:
            type: tool
            code: |
              const nothing = undefined;
              return nothing.here;
        start: break
        """
      Then the workflow fails with AGENT_FAILED at line 7

    Scenario: A bridge with on: error carries the error
      When this agent file runs:
        """
        porthole: 1
        agents:
          load: { type: tool, tool: file_read, with: { path: missing.txt } }
          tell: { type: tool, code: 'return input_data.code' }
        bridges: [{ from: load, to: tell, on: error }]
        start: load
        """
      Then the workflow's value is "NOT_FOUND"

  Rule: A cycle has an end

    Scenario: It goes round until a predicate ends it
      Given the input `1`
      When this agent file runs:
        """
        porthole: 1
        agents:
          double: { type: tool, code: 'return input_data * 2', maxVisits: 20 }
        bridges: [{ from: double, to: double, when: 'input_data < 100' }]
        start: double
        """
      Then the workflow's value is 128
      And agent "double" was visited 7 times with the value 128

    Scenario: It ends when its visits are spent
      Given the input `1`
      When this agent file runs:
        """
        porthole: 1
        agents:
          same: { type: tool, code: 'return input_data', maxVisits: 3 }
        bridges: [{ from: same, to: same }]
        start: same
        """
      Then the workflow fails with VISITS_EXCEEDED at line 3
