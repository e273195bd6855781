import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort, reservePort } from './free-port.ts'

/** For this number of ports, a random choice would return at least one port twice. */
const PORTS = 1_500
const MODULE = new URL('./free-port.ts', import.meta.url).href
const EXAMPLE = `import { findFreePort } from ${JSON.stringify(MODULE)}
console.log(await findFreePort())
process.stdin.resume()`

const MANY = `import { findFreePort } from ${JSON.stringify(MODULE)}
const ports = []
while (ports.length < ${PORTS}) ports.push(await findFreePort())
console.log(JSON.stringify(ports))`

test('no port is returned twice', async () => {
  // The ports of a process are free again after its end, so the next tests can use them.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    MANY,
  ])
  expect(new Set(JSON.parse(stdout)).size).toBe(PORTS)
})

test('processes that start at the same time return different ports', async () => {
  // Each process runs until all have their port, because the port of an ended process is free again.
  const started = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', EXAMPLE]),
  )
  onTestFinished(() => {
    for (const child of started) child.kill()
  })
  const readPort = async (child: ChildProcess) => {
    const ended = once(child, 'exit').then(([code]) => `ended with code ${code}`)
    const printed = once(child.stdout ?? child, 'data').then(String)
    return Number(await Promise.race([printed, ended]))
  }
  const ports = await Promise.all(started.map(readPort))
  expect(ports).not.toContain(Number.NaN)
  expect(new Set(ports).size).toBe(6)
})

test('a port that a running process has received is not returned to another one', async () => {
  const port = await findFreePort()
  const search = `import { findFreePort, reservePort } from ${JSON.stringify(MODULE)}
for (let each = 1_024; each < 65_536; each += 1) if (each !== ${port}) reservePort(each)
console.log(await findFreePort())`
  const find = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', search])
  await expect(find()).rejects.toThrow('no port is free')
  // Without its file, the port belongs to no process.
  await rm(join(tmpdir(), 'cairn-ports', String(port)))
  expect(Number((await find()).stdout)).toBe(port)
})

const REFUSED_BY_FETCH = 10_080
const SEARCH = `import { findFreePort, reservePort } from ${JSON.stringify(MODULE)}
for (let port = 1_024; port < 65_536; port += 1)
  if (port !== ${REFUSED_BY_FETCH} && port % 1_000 !== 0) reservePort(port)
const ports = []
const search = async () => { for (;;) ports.push(await findFreePort()) }
await search().catch(() => console.log(JSON.stringify(ports)))`

test('no port is returned that fetch refuses to call', async () => {
  const refused = await fetch(`http://127.0.0.1:${REFUSED_BY_FETCH}`).catch(({ cause }) => cause)
  expect(refused).toMatchObject({ message: 'bad port' })
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SEARCH])
  const ports: number[] = JSON.parse(stdout)
  expect(ports.length).toBeGreaterThan(5)
  expect(ports).not.toContain(REFUSED_BY_FETCH)
})

test.runIf(process.platform === 'linux')(
  'no port is returned that the system gives to an outgoing connection',
  async () => {
    const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
    expect(await findFreePort()).toBeLessThan(Number(range.split(/\s+/)[0]))
  },
)

test('reserved ports are not returned', async () => {
  const isUnreservedPort = (port: number) => port % 51 === 0
  for (let port = 1_024; port < 65_536; port += 1) if (!isUnreservedPort(port)) reservePort(port)
  for (let count = 0; count < 5; count += 1)
    expect(await findFreePort()).toSatisfy(isUnreservedPort)
})
