import { defineConfig } from 'vitest/config';

// The robot suites use the built package from outside: one at a time, since some of them measure.
export default defineConfig({
  test: {
    include: ['robot/**/*.robot.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
