import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ROOT } from './environment.ts'

test('npm run build, by which an operator builds the pages, starts the build of the pages', () => {
  const { status, stdout } = spawnSync('npm', ['run', 'build', '--', '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(stdout).toContain('$ vite build')
  expect(status).toBe(0)
})
