// Pure computation in safe mode: no files, only what is passed in.
//
//   npx porthole run examples/summary.js --input '[12.5, 3, 8.25, 41, 7]'

const numbers = input_data;
if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
  throw new TypeError('pass a list of numbers: --input "[1, 2, 3]"');
}

const sorted = numbers.toSorted((one, other) => one - other);
const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length;

console.info(`${numbers.length} numbers`);
return { least: sorted[0], most: sorted.at(-1), median: quantile(0.5), mean, deviation: Math.sqrt(variance) };

function quantile(share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}
