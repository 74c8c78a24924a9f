Feature: With a seed and a stopped clock, two runs are equal byte for byte
  Tests of programs can compare whole outcomes. Only ids, times and usage differ.

  Rule: The seed decides Math.random

    Scenario: The same seed gives the same numbers
      Given the seed 7
      When this program runs twice:
        """
        return [Math.random(), Math.random()];
        """
      Then both runs return the same

    Scenario: Another seed gives other numbers
      When this program runs with the seeds 7 and 8:
        """
        return [Math.random(), Math.random()];
        """
      Then the runs return different values

    Scenario: Without a seed every run has its own
      When this program runs twice:
        """
        return [Math.random(), Math.random()];
        """
      Then the runs return different values

  Rule: A stopped clock stands still

    Scenario Outline: `<program>` gives <value>
      Given the clock stopped at "2030-01-02T03:04:05.006Z"
      When the program `<program>` runs
      Then the run completes with `<value>`

      Examples:
        | program                                                                | value                        |
        | return new Date().toISOString()                                        | '2030-01-02T03:04:05.006Z'   |
        | return Date.now()                                                      | 1893553445006                |
        | const a = Date.now(); for (let i = 0; i < 1e6; i++); return Date.now() - a | 0                     |
        | return new Date(0).toISOString()                                       | '1970-01-01T00:00:00.000Z'   |

    Scenario: The zone is UTC, whatever the host's is
      When the program `return [new Date(0).getTimezoneOffset(), new Date(0).getHours()]` runs
      Then the run completes with `[0, 0]`

  Rule: With both, everything a program can show is equal

    Scenario: Value, console, warnings and effects
      Given unsafe mode with the write flag
      And the file "in.txt" holds "a\nb\n"
      And the file "out.txt" holds ""
      And the seed 42
      And the clock stopped at "2030-01-01T00:00:00Z"
      When this program runs twice:
        """
        const rows = read_file('in.txt').split('\n').sort(() => Math.random() - 0.5);
        console.log(new Date(), rows);
        Promise.resolve().then(() => {});
        write_file('out.txt', rows.join() + Math.random());
        return new Map([[rows, new Set([Math.random()])]]);
        """
      Then both outcomes are equal except for ids, times and usage

    Scenario: Errors
      Given the seed 42
      And the clock stopped at "2030-01-01T00:00:00Z"
      When this program runs twice:
        """
        console.warn(Math.random());
        throw new Error('at ' + Date.now() + ' ' + Math.random());
        """
      Then both outcomes are equal except for ids, times and usage
