import { expect, test } from 'vitest'
import { findFreePort, reservePort } from './free-port.ts'

/** With this number of ports, a random choice would return some port twice. */
const PORTS = 1_500

test('no port is returned twice', async () => {
  const given: number[] = []
  for (let count = 0; count < PORTS; count += 1) given.push(await findFreePort())
  expect(new Set(given).size).toBe(PORTS)
})

test('reserved ports are not returned', async () => {
  const isUnreservedPort = (port: number) => port % 51 === 0
  for (let port = 1_024; port < 65_536; port += 1) if (!isUnreservedPort(port)) reservePort(port)
  for (let count = 0; count < 5; count += 1)
    expect(await findFreePort()).toSatisfy(isUnreservedPort)
})
