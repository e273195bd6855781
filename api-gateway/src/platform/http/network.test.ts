import { expect, test } from 'vitest'
import { getCustomer, getNetwork } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', '2001:db8:1::'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::', '2001:db8:1::'],
  ['2001:db8::9', '2001:db8:0:0::', '2001:db8:0::'],
  ['::1', '0:0:0:0::', '0:0:0::'],
])('%s belongs to the customer %s and the network %s', (ip, customer, network) => {
  expect([getCustomer(ip), getNetwork(ip)]).toEqual([customer, network])
})
