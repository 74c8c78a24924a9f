// Raises the number of random cases of every property: the check `fuzz`.
const runs = process.env['PORTHOLE_FUZZ_RUNS'];
if (runs !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check');
  configureGlobal({ ...readConfigureGlobal(), numRuns: Number(runs) });
}
