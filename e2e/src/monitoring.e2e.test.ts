import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '@cairn/local/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addInvestor, requestDeposit } from './people.ts'
import { platform, usePlatform } from './shared-site.ts'

const run = promisify(execFile)
const FOLDER = resolve(import.meta.dirname, '..', '..', 'ops', 'monitoring')
const PARTS = ['cairn-gateway', 'cairn-gateway-worker', 'cairn-ledger', 'cairn-ledger-worker']

const isInstalled = spawnSync('prometheus', ['--version']).error === undefined
if (!isInstalled && process.env.CI !== 'true') {
  console.warn('skipped: Prometheus is not installed (apt-get install prometheus)')
}

describe.skipIf(!isInstalled && process.env.CI !== 'true')('a real Prometheus', () => {
  usePlatform()
  let folder: string
  let server: ChildProcess
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-prometheus-'))
    const config = (await readFile(join(FOLDER, 'prometheus.yml'), 'utf8'))
      .replaceAll('DATA_DIR', platform.dataDir)
      .replaceAll('15s', '1s')
      .replace('- alerts.yml', `- ${join(FOLDER, 'alerts.yml')}`)
    const file = join(folder, 'prometheus.yml')
    await writeFile(file, config)
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const storage = `--storage.tsdb.path=${join(folder, 'data')}`
    const options = [`--config.file=${file}`, storage, `--web.listen-address=127.0.0.1:${port}`]
    server = spawn('prometheus', options, { stdio: 'ignore' })
  })
  afterAll(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })

  async function ask<T>(path: string): Promise<T | null> {
    const response = await fetch(`${url}/api/v1/${path}`).catch(() => null)
    // The cast is safe because each answer of Prometheus has its data in this property.
    return response?.ok === true ? ((await response.json()) as { data: T }).data : null
  }

  test('finds all parts of a platform and reads their metrics', async () => {
    type Target = { labels: { job: string }; health: string }
    const readJobs = async () =>
      ((await ask<{ activeTargets: Target[] }>('targets'))?.activeTargets ?? [])
        .filter(({ health }) => health === 'up')
        .map(({ labels }) => labels.job)
        .sort()
    await expect.poll(readJobs).toEqual(PARTS)
  })

  test('evaluates every alert rule', async () => {
    type Group = { rules: { name: string; health: string }[] }
    const readHealths = async () =>
      (await ask<{ groups: Group[] }>('rules'))?.groups.flatMap(({ rules }) => rules) ?? []
    await expect
      .poll(async () => (await readHealths()).filter(({ health }) => health === 'ok').length)
      .toBeGreaterThan(20)
    expect((await readHealths()).filter(({ health }) => health !== 'ok')).toEqual([])
  })

  test('has data for every expression of the dashboards', async () => {
    const expressions = await listExpressions()
    expect(expressions.length).toBeGreaterThan(25)
    const person = await addInvestor(platform)
    let requests = 0
    const findEmptyPanels = async () => {
      requests += 1
      // Each attempt requests a deposit, so that the metrics count something. Prometheus gives no
      // value for the rate of a metric that has counted nothing.
      await requestDeposit(platform, person, `${50 + requests}`)
      const empty: string[] = []
      for (const expression of expressions) {
        const query = expression.replaceAll('$__rate_interval', '1m')
        type Answer = { result: { value: [number, string] }[] }
        const answer = await ask<Answer>(`query?${new URLSearchParams({ query })}`)
        const values = answer?.result.map(({ value }) => Number(value[1])) ?? []
        if (!values.some(Number.isFinite)) empty.push(expression)
      }
      return empty
    }
    await expect.poll(findEmptyPanels, { interval: 3_000 }).toEqual([])
  })

  test('the tests of the alert rules succeed', async () => {
    const { stdout } = await run('promtool', ['test', 'rules', join(FOLDER, 'alerts.test.yml')])
    expect(stdout).toContain('SUCCESS')
  })

  test('sabotaged twin: a rule that never fires fails them', async () => {
    const rules = await readFile(join(FOLDER, 'alerts.yml'), 'utf8')
    await writeFile(join(folder, 'alerts.yml'), rules.replaceAll('> 0\n', '> 1e9\n'))
    const tests = join(folder, 'alerts.test.yml')
    await writeFile(tests, await readFile(join(FOLDER, 'alerts.test.yml'), 'utf8'))
    await expect(run('promtool', ['test', 'rules', tests])).rejects.toThrow('CairnBreakGlass')
  })
})

/** Returns the expressions of all panels of both dashboards. */
async function listExpressions(): Promise<readonly string[]> {
  type Dashboard = { panels: { targets: { expr: string }[] }[] }
  const dashboards = join(FOLDER, 'dashboards')
  const files = await readdir(dashboards)
  const texts = await Promise.all(files.map((name) => readFile(join(dashboards, name), 'utf8')))
  return texts
    .map((text) => JSON.parse(text) as Dashboard)
    .flatMap(({ panels }) => panels)
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
}
