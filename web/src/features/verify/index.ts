export { verifyQueries } from './queries.ts'
export { VerdictView } from './verdict-view.tsx'
export { verifyFile } from './verify-file.ts'
