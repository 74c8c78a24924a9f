Feature: The outcome lists what a run did to files
  Every completed helper call is an effect, in order, with path, size and digest, also when the run was ended.

  Background:
    Given unsafe mode with the write flag
    And the file "in.txt" holds "hello"

  Rule: Completed calls are listed in order

    Scenario: Reads and writes of one program
      When this program runs:
        """
        const text = read_file('./in.txt', 3);
        write_file('out.txt', text);
        write_file('out.txt', '👍', 'a');
        """
      Then the effects are:
        | helper     | path    | bytes | created |
        | read_file  | in.txt  | 3     |         |
        | write_file | out.txt | 3     | yes     |
        | write_file | out.txt | 7     | no      |

    Scenario: Refused calls are no effects
      When this program runs:
        """
        for (const path of ['../x', 'none.txt']) { try { read_file(path); } catch {} }
        try { write_file('no/x.txt', ''); } catch {}
        """
      Then the run completes
      And there are no effects

    Scenario: A run that only computes has none
      When the program `return 1` runs
      Then there are no effects

  Rule: A digest is that of the bytes

    Scenario: What was read and what the file holds now
      When the program `read_file("in.txt"); write_file("out.txt", "hello")` runs
      Then the effects have the digests of:
        | hello |
        | hello |

  Rule: They are there even if the run did not complete

    Scenario Outline: A run that is <how> keeps its effects
      Given the limit timeMs of 250
      When this program runs:
        """
        write_file('out.txt', 'landed');
        <then>
        """
      Then the effects are:
        | helper     | path    | bytes | created |
        | write_file | out.txt | 6     | yes     |
      And the file "out.txt" now holds "landed"

      Examples:
        | how                            | then                                      |
        | ended by an error              | throw new Error('x')                      |
        | ended by the time limit        | while (true) {}                           |
        | killed in the middle of a call | return new Array(1e9).join('x')           |

  Rule: Usage counts what crossed

    Scenario: Calls and bytes
      When the program `read_file("in.txt"); write_file("out.txt", "👍"); try { read_file("none") } catch {}` runs
      Then the usage counts:
        | helper calls | bytes read | bytes written |
        | 3            | 5          | 4             |
