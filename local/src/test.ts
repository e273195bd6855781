import { findBrowser } from './browser.ts'
import { runChecks, STATIC_CHECKS } from './checks.ts'
import { runVitest } from './vitest-run.ts'
import { ensureWeb } from './web-build.ts'

const began = Date.now()
const wanted = process.argv.slice(2)
// Whoever asks for some tests may ask for none of one kind; a whole run without tests is broken.
const extra = wanted.length === 0 ? [] : ['--passWithNoTests', ...wanted]

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function prepareWeb(): Promise<boolean> {
  try {
    await ensureWeb({ log: say, onChild: () => {} })
    return true
  } catch (error) {
    say(`FAIL web build\n${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

function browserPath(): string | null {
  try {
    return findBrowser(say)
  } catch (error) {
    say(`FAIL browser\n${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

say('types, lint, boundaries, file lengths')
const checks = await runChecks(STATIC_CHECKS, say)
const isBuilt = await prepareWeb()
const browser = browserPath()

const env = { ...(browser === null ? {} : { CHROMIUM_PATH: browser }) }
say('unit and database tests')
const small = await runVitest(['--project=unit', '--project=db', ...extra], env)
// Alone on the machine: two cores carry one platform and one browser, and clocks are measured.
say('whole-system tests')
const whole = await runVitest(['--project=e2e', ...extra], env)

const outcomes = [...checks.map((check) => check.passed), isBuilt, browser !== null]
const passed = outcomes.filter(Boolean).length + small.passed + whole.passed
const failed = outcomes.filter((isGood) => !isGood).length + small.failed + whole.failed
const minutes = ((Date.now() - began) / 60_000).toFixed(1)
// Once more where a long run ends, because that is where it is looked for.
for (const failure of [...small.failures, ...whole.failures]) say(`FAIL ${failure}`)
say(`${minutes} min; ${small.skipped + whole.skipped} not run`)
say(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
