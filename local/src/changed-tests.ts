import { execFileSync } from 'node:child_process'
import { ROOT } from './environment.ts'

export const PROJECTS = ['unit', 'db', 'e2e', 'faults'] as const
export type Project = (typeof PROJECTS)[number]

const TEST_FILE = /\.test\.tsx?$/
const PROSE = /\.md$|^LICENSE$|^\.gitignore$/

/**
 * Returns the projects whose tests must all run, because these tests start the changed code as
 * processes. Vitest cannot select such tests: it follows only imports.
 */
export function findProjectsToRunWhole(changed: readonly string[]): ReadonlySet<Project> {
  const whole = new Set<Project>()
  for (const file of changed.filter((each) => !TEST_FILE.test(each) && !PROSE.test(each))) {
    for (const project of listAffectedProjects(file)) whole.add(project)
  }
  return whole
}

function listAffectedProjects(file: string): readonly Project[] {
  const [workspace = ''] = file.split('/', 1)
  // A file in the root folder can affect all projects.
  if (!file.includes('/')) return PROJECTS
  if (workspace === 'web') return ['e2e']
  if (workspace === 'api-gateway') return ['e2e', 'faults']
  if (workspace === 'e2e') return []
  return ['db', 'e2e', 'faults']
}

/** Lists the paths that differ from `base`, including untracked files. */
export function listChangedFiles(base: string): readonly string[] {
  const runGit = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const names = [
    ...runGit('diff', '--name-only', base),
    ...runGit('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(names.filter((name) => name !== ''))]
}
