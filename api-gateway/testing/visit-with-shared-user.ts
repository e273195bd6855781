import type { AdminRole } from '@cairn/gateway-contracts'
import { addUser, openVisit, type TestGateway, type Visitor, type Who } from './test-gateway.ts'

const knownPeople = new WeakMap<TestGateway, Map<string, Promise<string>>>()

/**
 * Opens a new session. The user is created only once per gateway and `name`, because tests that
 * call every endpoint would otherwise create thousands of users.
 */
export async function visitWithSharedUser(
  gateway: TestGateway,
  who: Exclude<Who, 'anonymous'>,
  { name = who, roles }: { name?: string; roles?: readonly AdminRole[] } = {},
): Promise<Visitor> {
  const known = knownPeople.get(gateway) ?? new Map<string, Promise<string>>()
  knownPeople.set(gateway, known)
  const role = who === 'admin' ? 'admin' : 'user'
  const status = who === 'pending' ? 'pending' : 'active'
  const adding =
    known.get(name) ?? addUser(gateway, { role, status, ...(roles === undefined ? {} : { roles }) })
  known.set(name, adding)
  return openVisit(gateway, await adding)
}
