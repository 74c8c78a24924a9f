/** Why an edit was not made, in the fixed words of the rules, and what would make it right. */
export interface Refusal {
  readonly kind: 'refused';
  readonly message: string;
  readonly hint: string;
}

/** A refusal with its way out. */
export function refuse(message: string, hint: string): Refusal {
  return { kind: 'refused', message, hint };
}
