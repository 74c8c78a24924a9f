/** One subject of the table. Each is measured in a process of its own. */
export interface Row {
  /** How `--rows` names it. */
  readonly name: string;
  /** What is measured, in the words of the table. */
  readonly what: string;
  /** What nobody may conclude from it. */
  readonly notShown: string;
  /** Flags that the process needs for a baseline. Default: none. */
  readonly nodeFlags?: readonly string[];
  readonly measure: () => Promise<readonly Comparison[]>;
}

/** One line of the table: a figure of Porthole, beside a baseline's if there is one. */
export interface Comparison {
  /** The figure's own name where a row has several. */
  readonly figure?: string;
  readonly unit: Unit;
  readonly porthole: number;
  readonly baseline?: { readonly name: string; readonly value: number };
  /** Absent where the line only informs. */
  readonly bar?: Bar;
}

/** What a figure counts. */
export type Unit = 'ms' | 'MiB' | '×' | 'cases';

/** What a comparison must reach. */
export type Bar =
  /** Baseline ÷ Porthole. */
  | { readonly kind: 'faster'; readonly atLeast: number }
  /** Porthole ÷ baseline. */
  | { readonly kind: 'costs'; readonly atMost: number }
  /** Porthole − baseline, or Porthole's figure alone. */
  | { readonly kind: 'adds'; readonly atMost: number }
  /** Porthole's count. */
  | { readonly kind: 'all'; readonly of: number };

/** What a bar says about a comparison. */
export interface Judgement {
  /** The ratio, or the difference, as the table shows it. */
  readonly shown: string;
  readonly bar: string;
  readonly isMet: boolean | undefined;
}

/** Holds a comparison against its bar. */
export function judge(comparison: Comparison): Judgement {
  const { bar, baseline, porthole, unit } = comparison;
  if (bar === undefined) {
    const shown = baseline === undefined ? '' : renderRatio(baseline.value / porthole);
    return { shown, bar: '', isMet: undefined };
  }
  switch (bar.kind) {
    case 'faster': {
      const ratio = (baseline?.value ?? Number.NaN) / porthole;
      return { shown: renderRatio(ratio), bar: `≥ ${bar.atLeast} × faster`, isMet: ratio >= bar.atLeast };
    }
    case 'costs': {
      const ratio = porthole / (baseline?.value ?? Number.NaN);
      return {
        shown: `costs ${ratio.toPrecision(3)} ×`,
        bar: `costs ≤ ${bar.atMost} ×`,
        isMet: ratio <= bar.atMost,
      };
    }
    case 'adds': {
      const difference = porthole - (baseline?.value ?? 0);
      const shown = baseline === undefined ? '' : `+${renderFigure(difference, unit)}`;
      return { shown, bar: `≤ ${bar.atMost} ${unit}`, isMet: difference <= bar.atMost };
    }
    case 'all':
      return { shown: '', bar: `all ${bar.of}`, isMet: porthole === bar.of };
  }
}

/** A figure with its unit, to three digits; short times as microseconds. */
export function renderFigure(value: number, unit: Unit): string {
  if (unit === 'ms' && Math.abs(value) < 1) return `${Number((value * 1000).toPrecision(3))} µs`;
  return `${Number(value.toPrecision(3))} ${unit}`;
}

// How much faster Porthole is; where it is slower, what it costs.
function renderRatio(ratio: number): string {
  return ratio >= 1 ? `${ratio.toPrecision(3)} × faster` : `costs ${(1 / ratio).toPrecision(3)} ×`;
}
