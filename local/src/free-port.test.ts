import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findFreePort, reservePort } from './free-port.ts'

/** For this number of ports, a random choice would return at least one port twice. */
const PORTS = 1_500
const MODULE = new URL('./free-port.ts', import.meta.url).href
const EXAMPLE = `import { findFreePort } from ${JSON.stringify(MODULE)}
console.log(await findFreePort())`

test('no port is returned twice', async () => {
  const given: number[] = []
  for (let count = 0; count < PORTS; count += 1) given.push(await findFreePort())
  expect(new Set(given).size).toBe(PORTS)
})

test('processes that start at the same time return different ports', async () => {
  const run = async () =>
    (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', EXAMPLE])).stdout
  const ports = await Promise.all(Array.from({ length: 6 }, run))
  expect(new Set(ports).size).toBe(6)
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
