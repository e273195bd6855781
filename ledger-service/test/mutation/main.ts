import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node'
import { createSeededRandom } from '../simulation/random.ts'
import { findMutants, type Mutant } from './find-mutants.ts'

// `node ledger-service/test/mutation/main.ts [--count N] [--seed S] [--tests PATH]` changes one place
// of a decider at a time and runs the unit tests of the deciders, or those whose path contains PATH.
// It prints each mutant that no test notices, and as its last line the numbers of all mutants, of the
// chosen mutants and of those that were noticed (killed).

const ROOT = resolve(import.meta.dirname, '../../..')
const DOMAIN = join(ROOT, 'ledger-service/src/domain')
/** The timeout of a test. A busy machine must not look like a noticed change. */
const TEST_MS_MAX = 900_000
/**
 * Tests that need longer than this, and many times longer than without a change, are in an endless
 * loop, which counts as noticed.
 */
const RUN_MS_MIN = 60_000
const SLOWER_MAX = 20

interface Placed extends Mutant {
  readonly path: string
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '' },
  },
})
let changed: Placed | null = null
let vitest = await startVitest()
const all = listSources().flatMap((path) =>
  findMutants(path, readFileSync(path, 'utf8')).map((mutant): Placed => ({ ...mutant, path })),
)
const chosen = chooseMutants(all, { count: Number(values.count), seed: Number(values.seed) })
const tests = await listTests()
if (tests.length === 0) throw new Error(`no test has a path that contains ${values.tests}`)
let runMsMax = TEST_MS_MAX
const began = performance.now()
if (!(await pass(tests))) throw new Error('the tests fail without a change')
runMsMax = RUN_MS_MIN + SLOWER_MAX * (performance.now() - began)
let killed = 0
for (const mutant of chosen) {
  if (await isNoticed(mutant)) killed += 1
  else {
    const place = `${relative(ROOT, mutant.path)}:${mutant.line}`
    process.stdout.write(`survived: ${place} ${mutant.mutation}: ${mutant.original}\n`)
  }
}
process.stdout.write(`${JSON.stringify({ all: all.length, chosen: chosen.length, killed })}\n`)
// The exit also ends threads that are in an endless loop.
process.exit(0)

function listSources(): readonly string[] {
  return readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
    .map((name) => join(DOMAIN, name))
}

/** The same seed chooses the same mutants of the same sources. */
function chooseMutants(
  from: readonly Placed[],
  { count, seed }: { count: number; seed: number },
): readonly Placed[] {
  const random = createSeededRandom(seed)
  const left = [...from]
  const taken: Placed[] = []
  while (taken.length < count && left.length > 0) {
    taken.push(...left.splice(random.pickInt(left.length), 1))
  }
  return taken
}

function startVitest(): Promise<Vitest> {
  return createVitest(
    'test',
    {
      root: ROOT,
      config: false,
      watch: false,
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      testTimeout: TEST_MS_MAX,
      hookTimeout: TEST_MS_MAX,
      include: ['ledger-service/src/domain/**/*.test.ts', 'ledger-service/test/golden/*.test.ts'],
      exclude: ['**/*.db.test.ts'],
      reporters: [{}],
      // A module from the cache would be the one without the change.
      fsModuleCache: false,
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          transform: (_code, id) => (id === changed?.path ? changed.text : null),
        },
      ],
    },
  )
}

async function listTests(): Promise<readonly TestSpecification[]> {
  const found = await vitest.globTestSpecifications()
  return found.filter(({ moduleId }) => moduleId.includes(values.tests))
}

async function isNoticed(mutant: Placed): Promise<boolean> {
  changed = mutant
  vitest.invalidateFile(mutant.path)
  const given = await listTests()
  // The tests beside the decider run first, because they notice most changes.
  const isNear = ({ moduleId }: TestSpecification) => dirname(moduleId) === dirname(mutant.path)
  const near = given.filter(isNear)
  const others = given.filter((test) => !isNear(test))
  const passed = (await pass(near)) && (await pass(others))
  changed = null
  vitest.invalidateFile(mutant.path)
  return !passed
}

async function pass(given: readonly TestSpecification[]): Promise<boolean> {
  if (given.length === 0) return true
  const running = vitest.rerunTestSpecifications([...given])
  const result = await Promise.race([running, delay(runMsMax, null, { ref: false })])
  if (result !== null) {
    return result.testModules.every((test) => test.ok()) && result.unhandledErrors.length === 0
  }
  vitest = await startVitest()
  return false
}
