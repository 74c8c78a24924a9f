import { defineConfig } from 'vitest/config';

// Vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    setupFiles: ['vitest.setup.ts'],
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Two cores are what a contributor's machine and the pipeline surely have.
    maxWorkers: 2,
    // Processes rather than threads: tests set the umask and the working directory.
    pool: 'forks',
    testTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // The three entry files run only where coverage cannot look: in a worker thread and in the built command.
      exclude: [
        'src/sandbox/worker.ts',
        'src/sandbox/strip-worker.ts',
        'src/cli/main.ts',
        '**/*.test.ts',
        '**/*.cases.ts',
        '**/*.d.ts',
        '**/{cases,proof,testing}/**',
      ],
      // The check coverage_report reads the summary and knows how much is enough.
      reporter: ['json-summary', 'lcovonly'],
      reportsDirectory: 'coverage',
    },
  },
});
