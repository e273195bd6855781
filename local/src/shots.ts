import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { provideBrowsers } from './browser.ts'
import { ROOT } from './environment.ts'

// `npm run shots [-- FOLDER --widths 390,1440 --themes light --states loaded,failed --visitors admin]`
// takes screenshots of every page, by default in four widths, both themes and four states.

const { chromium } = provideBrowsers((line) => process.stdout.write(`${line}\n`))
const child = spawn(
  process.execPath,
  [join(ROOT, 'e2e', 'src', 'shots.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH: chromium } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
child.once('close', (code) => process.exit(code ?? 1))
