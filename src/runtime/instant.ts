// With a zone, or a day alone (which means UTC): anything else would depend on the host's own zone.
const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** The milliseconds since 1970 that a date, a number or an ISO 8601 text stands for; undefined where it is none. */
export function parseInstant(now: unknown): number | undefined {
  const isUsable = now instanceof Date || typeof now === 'number' || (typeof now === 'string' && isoInstant.test(now));
  const instant = isUsable ? new Date(now).getTime() : Number.NaN;
  if (Number.isNaN(instant) || (typeof now === 'string' && !isDayOfCalendar(now))) return undefined;
  return instant;
}

// The 31st of February is read as the 3rd of March.
function isDayOfCalendar(text: string): boolean {
  const day = text.slice(0, 'yyyy-mm-dd'.length);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
