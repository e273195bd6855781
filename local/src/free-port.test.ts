import { expect, test } from 'vitest'
import { freePort, promisePort } from './free-port.ts'

/** Enough that random ports without a memory would repeat. */
const PORTS = 1_500

test('no port is given to two parts that start', async () => {
  const given: number[] = []
  for (let count = 0; count < PORTS; count += 1) given.push(await freePort())
  expect(new Set(given).size).toBe(PORTS)
})

test('ports that somebody named are not given to others', async () => {
  const isLeft = (port: number) => port % 51 === 0
  for (let port = 1_024; port < 65_536; port += 1) if (!isLeft(port)) promisePort(port)
  for (let count = 0; count < 5; count += 1) expect(await freePort()).toSatisfy(isLeft)
})
