import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { JUDGES_TIMES } from './local/src/time-limit.ts'

// The order of the test files, for runs without stored durations of earlier runs. The slowest files
// come first, so that no worker runs a slow file alone at the end. `npm test` prints the ten
// slowest files.
const LONG_FILES =
  /\/(accessibility|layout-shift|live-tabs|page-states|investor-deposits|site-answers|access-matrix|tampering|simulation|crash-points|killed-parts|exactly-once|live-clock|rolling-restart|ledger-network)[.-]/

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG_FILES.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const IGNORED = ['**/node_modules/**', '**/dist/**', '.data/**']

// Projects run in the order of their groups. Three files run at a time on two cores, because a file
// spends about a quarter of its time waiting for a process, a page or a clock. The timeouts here do
// not measure speed: each timeout is long enough for a busy machine.
export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    // Files that run in the same worker share loaded modules, and with them one ledger process, one
    // platform and one browser. Modules under test keep no state between files.
    isolate: false,
    testTimeout: 900_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...IGNORED, '**/*.{db,e2e,faults}.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: IGNORED,
          globalSetup: ['./local/src/test-server.ts', './api-gateway/testing/all-failures-seen.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/src/**/*.e2e.test.ts'],
          exclude: IGNORED,
          globalSetup: ['./e2e/src/platform-pool.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        // These tests kill processes, cut connections, fill disks or measure time, so they run
        // after all other tests. If time limits are asserted, the files run one at a time.
        extends: true,
        test: {
          name: 'faults',
          include: ['**/*.faults.test.ts'],
          exclude: IGNORED,
          globalSetup: ['./local/src/test-server.ts'],
          maxWorkers: JUDGES_TIMES ? 1 : 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
