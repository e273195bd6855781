import { expect, test } from 'vitest'
import { findProjectsToRunWhole, PROJECTS } from './changed-tests.ts'

test.each([
  ['web/src/shared/ui/button.tsx', ['e2e']],
  ['api-gateway/src/gateway.ts', ['e2e', 'faults']],
  ['ledger-service/src/serve.ts', ['db', 'e2e', 'faults']],
  ['migrations/sql/0001_roles.sql', ['db', 'e2e', 'faults']],
  ['local/src/start.ts', ['db', 'e2e', 'faults']],
  ['package-lock.json', [...PROJECTS]],
  ['e2e/src/visit.ts', []],
  ['api-gateway/src/features/login/login.db.test.ts', []],
  ['README.md', []],
])('a change of %s runs these projects whole: %j', (file, projects) => {
  expect([...findProjectsToRunWhole([file])].toSorted()).toEqual(projects.toSorted())
})
