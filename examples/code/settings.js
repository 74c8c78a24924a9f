// What the harbour page is made from.
export const settings = {
  tideTable: 'tides.csv',
  berths: 12,
};

export function describeSettings({ tideTable, berths } = settings) {
  return `${berths} berths, tides from ${tideTable}`;
}
