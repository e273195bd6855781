import { findBrowser } from './browser.ts'
import { runChecks, STATIC_CHECKS } from './checks.ts'
import { runVitest } from './vitest-run.ts'
import { buildWeb, isWebBuilt } from './web-build.ts'

const began = Date.now()
const extra = process.argv.slice(2)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function prepareWeb(): Promise<boolean> {
  try {
    if (!(await isWebBuilt())) await buildWeb({ log: say, onChild: () => {} })
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

say('unit, database and whole-system tests')
const env = { ...(browser === null ? {} : { CHROMIUM_PATH: browser }) }
const tests = await runVitest(extra, env)

const outcomes = [...checks.map((check) => check.passed), isBuilt, browser !== null]
const passed = outcomes.filter(Boolean).length + tests.passed
const failed = outcomes.filter((isGood) => !isGood).length + tests.failed
const minutes = ((Date.now() - began) / 60_000).toFixed(1)
say(`${minutes} min; ${tests.skipped} not run`)
say(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
