import { defineConfig } from 'vitest/config'

const elsewhere = ['**/node_modules/**', '**/dist/**', '.data/**']
// What comes about by itself is waited for as long as a busy machine may take.
const patient = { poll: { timeout: 15_000 } }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...elsewhere, '**/*.db.test.ts', '**/*.e2e.test.ts'],
          // Proofs of every size take seconds where a machine is shared.
          testTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: elsewhere,
          globalSetup: [
            './local/src/test-server.ts',
            './api-gateway/src/testing/all-failures-seen.ts',
          ],
          // A machine that others use too gives less at times.
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/src/**/*.e2e.test.ts'],
          exclude: elsewhere,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: patient,
          // One platform and one browser at a time is all that two cores carry.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
